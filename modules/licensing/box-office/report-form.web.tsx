/** Enters or corrects a box-office report: period, takings per performance, deductions, who certified it. */
import { deductionLabel } from '#kernel/pricing/deduction-words.ts';
import { spell } from '#kernel/text/english.ts';
import { useState } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { SegmentedControl } from '#web/controls/field/radio-group.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, errorsOf } from '../action-dialog.web.tsx';
import { licenseEndpoints, type LicenseRow } from '../licenses/license.contract.ts';
import type { PerformanceRow } from '../licenses/performances/performance.contract.ts';
import { clockWords } from '../words.web.ts';
import { boxOfficeEndpoints, DEDUCTION_TYPES, type ReportDetail, type ReportRow } from './box-office.contract.ts';
import {
  draftFor, draftFrom, gridRow, gridTotals, missingIn, performancesOf, reportBody, withGridRow, type DeductionDraft,
  type ReportDraft,
} from './report-draft.web.ts';
import { SCOPE_CHOICES } from './report-words.web.ts';
import styles from '../licensing.module.css';

export interface ReportFormProps {
  license: LicenseRow;
  /** A row that is expected and gets filled. */
  expected?: ReportRow | null;
  /** A report to type again. */
  report?: ReportDetail | null;
  onClose: () => void;
  onSaved: (reportId: number) => void;
}

export function ReportForm({ license, expected = null, report = null, onClose, onSaved }: ReportFormProps) {
  const all = license.performances ?? [];
  const [draft, setDraft] = useState<ReportDraft>(() => (report ? draftFrom(report) : draftFor(expected, all)));
  const options = { refresh: [licenseEndpoints.show], onFailure: () => undefined,
    onDone: (answer: { data: ReportDetail }) => { onClose(); onSaved(answer.data.id); } };
  const create = useAction(boxOfficeEndpoints.create, { ...options, done: 'Report submitted' });
  const update = useAction(boxOfficeEndpoints.update, { ...options, done: 'The report is corrected' });
  const action = report ? update : create;
  const shown = performancesOf(draft, all);
  const replaces = report?.status === 'accepted' || report?.status === 'estimated';
  const submit = () => {
    const body = reportBody(draft, shown, license.currency);
    const params = { licenseId: license.id };
    if (report && !replaces) void update.run({ params: { ...params, id: report.id }, body: { ...body,
      version: report.version } });
    else void create.run({ params, body: { ...body, ...(report ? { replaces_report_id: report.id } : {}) } });
  };
  const totals = gridTotals(draft, shown);
  const gross = draft.by_performance ? totals.gross : draft.gross ?? 0;
  return (
    <ActionDialog title={report ? 'Correct the report' : 'Enter a report'} width={860} onSubmit={submit}
      onClose={onClose}
      action={replaces ? create : action} reason={missingIn(draft, shown)}
      submit={gross > 0 ? spell`Submit gross receipts of ${formatAmount(gross)}` : 'Submit report'}
      known={['period_from', 'period_to', 'gross_minor', 'performance_id', 'license_venue_id', 'performances_held',
        'rows', 'running_costs_minor']}
      text={replaces ? 'The new report takes the place of the accepted one; the difference is posted.'
        : 'Royalties are calculated and posted when you accept the report.'}>
      <PeriodFields draft={draft} onChange={setDraft} license={license} errors={errorsOf(action.failure)} />
      <Checkbox label="Enter figures per performance" value={draft.by_performance}
        onChange={(checked) => setDraft({ ...draft, by_performance: checked })} />
      {draft.by_performance ? <TakingsGrid draft={draft} shown={shown} currency={license.currency}
        onChange={setDraft} />
        : <TotalFields draft={draft} currency={license.currency} onChange={setDraft}
          errors={errorsOf(action.failure)} />}
      {errorsOf(action.failure).rows && <p role="alert" className={styles.late}>{errorsOf(action.failure).rows}</p>}
      {draft.by_performance && errorsOf(action.failure).gross_minor
        && <p role="alert" className={styles.late}>{errorsOf(action.failure).gross_minor}</p>}
      <Checkbox label="Gross includes ticket tax" value={draft.tax_included}
        onChange={(checked) => setDraft({ ...draft, tax_included: checked })} />
      {draft.scope === 'week' && asksCosts(license, report ?? expected) && (
        <MoneyField label="Running costs of the week" currency={license.currency} value={draft.costs}
          caption="Royaltors share in a pool of the operating profit."
          onChange={(costs) => setDraft({ ...draft, costs })}
          error={errorsOf(action.failure).running_costs_minor} />
      )}
      <Deductions draft={draft} currency={license.currency} onChange={setDraft} />
      <TextField label="Certified by" caption="Name on the box-office statement." value={draft.certified_name}
        onChange={(name) => setDraft({ ...draft, certified_name: name })} />
    </ActionDialog>
  );
}

/** A new report of a production does not know yet whether anybody shares in its profit. */
const asksCosts = (license: LicenseRow, report: ReportRow | null): boolean =>
  (report === null ? license.category === 'Pro' : report.asks_running_costs || report.running_costs_minor !== null);

interface PartProps { draft: ReportDraft; onChange: (draft: ReportDraft) => void }
type Errors = Readonly<Record<string, string>>;

function PeriodFields({ draft, onChange, license, errors }: PartProps & { license: LicenseRow; errors: Errors }) {
  const all = license.performances ?? [];
  const venues = license.license_venues ?? [];
  const setScope = (scope: ReportDraft['scope']) => {
    const run = scope === 'run' ? { from: license.first_performance_on, to: license.last_performance_on,
      performance_id: null } : {};
    onChange({ ...draft, scope, ...run });
  };
  const setPerformance = (id: number | null) => {
    const row = all.find((one) => one.id === id);
    onChange({ ...draft, performance_id: id, venue_id: row?.license_venue_id ?? draft.venue_id,
      from: row?.local_date ?? draft.from, to: row?.local_date ?? draft.to });
  };
  return (
    <>
      <SegmentedControl label="Reporting period" choices={SCOPE_CHOICES} value={draft.scope} onChange={setScope}
        error={errors.scope} />
      {draft.scope === 'performance' ? (
        <AsyncSelect<number> label="Performance" required value={draft.performance_id} onChange={setPerformance}
          error={errors.performance_id} options={all.filter((row) => row.status !== 'cancelled').map((row) =>
            ({ value: row.id,
            label: `${formatDay(row.local_date, 'weekday')}, ${clockWords(row.local_time)}`,
              children: row.venue_name }))} />
      ) : (
        <div className={styles.triple}>
          <DateField label="From" required value={draft.from} onChange={(from) => onChange({ ...draft, from })}
            error={errors.period_from} />
          <DateField label="To" required value={draft.to} onChange={(to) => onChange({ ...draft, to })}
            error={errors.period_to} />
          <AsyncSelect<number> label="Venue" clearable value={draft.venue_id}
            onChange={(venue) => onChange({ ...draft, venue_id: venue })}
            error={errors.license_venue_id} placeholder="All venues"
              options={venues.map((one) => ({ value: one.id, label: one.name }))} />
        </div>
      )}
    </>
  );
}

function TakingsGrid({ draft, shown, currency,
  onChange }: PartProps & { shown: readonly PerformanceRow[]; currency: string }) {
  if (shown.length === 0) return <p className={styles.muted}>No performance falls into this period.</p>;
  const totals = gridTotals(draft, shown);
  return (
    <table className={styles.grid}>
      <caption className="gr-hidden">{spell`Gross receipts of each performance`}</caption>
      <thead>
        <tr>
          <th scope="col">Performance</th><th scope="col">Sold</th><th scope="col">Free</th>
          <th scope="col">{spell`Gross receipts, ${currency}`}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((one) => {
          const row = gridRow(draft, one.id);
          const name = `${formatDay(one.local_date, 'weekday')}, ${clockWords(one.local_time)}`;
          const set = (change: Partial<typeof row>) => onChange(withGridRow(draft, one.id, change));
          return (
            <tr key={one.id}>
              <th scope="row">{name}</th>
              <td data-label="Sold"><NumberField label={`Sold, ${name}`} hideLabel value={row.seats}
                onChange={(seats) => set({ seats })} /></td>
              <td data-label="Free"><NumberField label={`Free, ${name}`} hideLabel value={row.comps}
                onChange={(comps) => set({ comps })} /></td>
              <td data-label={spell`Gross receipts`}><MoneyField label={spell`Gross receipts, ${name}`} hideLabel
                currency={currency} value={row.gross} onChange={(gross) => set({ gross })} /></td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{shown.length === 1 ? '1 performance' : `${shown.length} performances`}</th>
          <td data-label="Sold">{totals.seats.toLocaleString('en-US')}</td>
          <td data-label="Free">{totals.comps.toLocaleString('en-US')}</td>
          <td data-label={spell`Gross receipts`}>{formatAmount(totals.gross)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function TotalFields({ draft, currency, onChange, errors }: PartProps & { currency: string; errors: Errors }) {
  return (
    <div className={styles.triple}>
      <MoneyField label={spell`Gross receipts`} required currency={currency} value={draft.gross}
        error={errors.gross_minor} onChange={(gross) => onChange({ ...draft, gross })} />
      <NumberField label="Performances held" value={draft.held} error={errors.performances_held}
        onChange={(held) => onChange({ ...draft, held })} />
      <NumberField label="Paid admissions" value={draft.admissions}
        onChange={(admissions) => onChange({ ...draft, admissions })} />
    </div>
  );
}

const DEDUCTIONS = DEDUCTION_TYPES.map((type) => ({ value: type as string, label: deductionLabel(type) }));

function Deductions({ draft, currency, onChange }: PartProps & { currency: string }) {
  const set = (key: number, change: Partial<DeductionDraft>) =>
    onChange({ ...draft, deductions: draft.deductions.map((one) => (one.key === key ? { ...one, ...change } : one)) });
  const next = (draft.deductions.at(-1)?.key ?? -1) + 1;
  return (
    <div className={styles.tight} role="group" aria-label="Deductions">
      {draft.deductions.map((one, index) => (
        <div key={one.key} className={styles.deduction}>
          <AsyncSelect<string> label={`Deduction ${index + 1}`} hideLabel options={DEDUCTIONS}
            value={one.type}
            onChange={(type) => set(one.key, { type })} />
          <MoneyField label={`Amount of deduction ${index + 1}`} hideLabel currency={currency} value={one.amount}
            onChange={(amount) => set(one.key, { amount })} />
          <TextField label={`Note on deduction ${index + 1}`} hideLabel placeholder="Note" value={one.note}
            onChange={(note) => set(one.key, { note })} />
          <Button size="small" variant="quiet" aria-label={`Remove deduction ${index + 1}`}
            onClick={() => onChange({ ...draft, deductions: draft.deductions.filter((other) =>
              other !== one) })}>Remove</Button>
        </div>
      ))}
      <div>
        <Button size="small" onClick={() => onChange({ ...draft,
          deductions: [...draft.deductions, { key: next, type: null, amount: null,
            note: '' }] })}>Add deduction</Button>
      </div>
    </div>
  );
}
