/** All reports of a week on one page: every venue with its gross, seats, comps and deductions, checked, then sent. */
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { boxOfficeFileEndpoints, type BatchReport } from '#modules/licensing/box-office/box-office-file.contract.ts';
import type { portalBoxOfficeEndpoints } from '#modules/licensing/box-office/box-office.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { DeductionRows } from './box-office-parts.web.tsx';
import { QuestionList, SendReports, type Questions } from './box-office-send.web.tsx';
import { deductionsOf, type Deduction } from './box-office-values.web.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

export type OpenReport = ResponseOf<typeof portalBoxOfficeEndpoints.list>['data'][number];
interface Draft { gross: number | null; held: number | null; seats: number | null; comps: number | null;
  costs: number | null; taxed: boolean; deductions: Deduction[] }
const EMPTY: Draft = { gross: null, held: null, seats: null, comps: null, costs: null, taxed: false, deductions: [] };
type Props = ProductionProps & { open: readonly OpenReport[]; onClose: () => void };

const periodOf = (row: OpenReport): string => `${row.period_from}/${row.period_to}`;
const nameOf = (row: OpenReport): string => row.venue_name ?? 'All venues';

export function BoxOfficeWeek(props: Props) {
  const { open, production, portal, onClose } = props;
  const periods = [...new Set(open.map(periodOf))];
  const [period, setPeriod] = useState(periods[0] ?? '');
  const [drafts, setDrafts] = useState<Readonly<Record<number, Draft>>>({});
  const [asked, setAsked] = useState<{ of: string; byId: Readonly<Record<number, Questions>> } | null>(null);
  const [errors, setErrors] = useState<Readonly<Record<number, string>>>({});
  const check = useAction(boxOfficeFileEndpoints.check, {});
  const rows = open.filter((row) => periodOf(row) === period);
  const filled = rows.filter((row) => (drafts[row.id] ?? EMPTY).gross !== null);
  const reports = filled.map((row) => reportOf(row, drafts[row.id]!));
  const key = JSON.stringify(reports);
  const checked = asked?.of === key ? asked.byId : null;
  const find = async () => {
    const answer = await check.run({ params: { id: portal.customerId, licenseId: production.id },
      body: { reports } });
    if (answer) {
      setAsked({ of: key, byId: Object.fromEntries(filled.map((row, n) => [row.id, answer.data[n]!.questions])) });
    }
  };
  return (
    <>
      <div><Button variant="quiet" icon={<Glyph icon={ArrowLeft} />} onClick={onClose}>All reports</Button></div>
      <Card title="Report a week">
        <div className={styles.stack}>
          <AsyncSelect label="Week" value={period} onChange={(value) => setPeriod(value ?? periods[0] ?? '')}
            options={periods.map((value) => ({ value, label: daySpan(...value.split('/') as [string, string]) }))} />
          {rows.map((row) => (
            <Venue key={row.id} row={row} draft={drafts[row.id] ?? EMPTY} questions={checked?.[row.id] ?? []}
              error={errors[filled.indexOf(row)]}
              onChange={(draft) => { setErrors({}); setDrafts({ ...drafts, [row.id]: draft }); }} />
          ))}
          {checked === null ? (
            <div className={styles.actions}>
              <Button variant="primary" pending={check.pending} onClick={() => void find()}
                {...(filled.length === 0 && { reason: spell`Enter the gross receipts first` })}>
                Check the figures</Button>
            </div>
          ) : (
            <SendReports production={production} portal={portal} reports={reports} missing={undefined} onSent={onClose}
              onErrors={setErrors} />
          )}
        </div>
      </Card>
    </>
  );
}

function Venue({ row, draft, questions, error, onChange }: { row: OpenReport; draft: Draft; questions: Questions;
  error: string | undefined; onChange: (draft: Draft) => void }) {
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  return (
    <section className={styles.stack} aria-label={nameOf(row)}>
      <h3 className={styles.h3}>{nameOf(row)}</h3>
      <div className={styles.fields}>
        <MoneyField label={spell`Gross receipts`} currency={row.currency} value={draft.gross}
          onChange={(gross) => set({ gross })} error={error} />
        <NumberField label="Performances" value={draft.held} onChange={(held) => set({ held })} />
        <NumberField label="Seats sold" value={draft.seats} onChange={(seats) => set({ seats })} />
        <NumberField label="Comps" value={draft.comps} onChange={(comps) => set({ comps })} />
        {row.asks_running_costs && (
          <MoneyField label="Running costs of the week" currency={row.currency} value={draft.costs}
            onChange={(costs) => set({ costs })} />
        )}
      </div>
      <Checkbox label="Gross includes ticket tax" value={draft.taxed} onChange={(taxed) => set({ taxed })} />
      <DeductionRows rows={draft.deductions} currency={row.currency} of={nameOf(row)}
        onChange={(deductions) => set({ deductions })} />
      {row.query_note && <Callout tone="warn" title="We have a question">{row.query_note}</Callout>}
      <QuestionList questions={questions} />
    </section>
  );
}

function reportOf(row: OpenReport, draft: Draft): BatchReport {
  return { report_id: row.id, version: row.version, license_venue_id: row.license_venue_id, scope: row.scope,
    performance_id: row.performance_id, period_from: row.period_from, period_to: row.period_to,
    currency: row.currency as BatchReport['currency'], gross_minor: draft.gross ?? 0, tax_included: draft.taxed,
    performances_held: draft.held, paid_admissions: draft.seats, complimentary: draft.comps,
    running_costs_minor: draft.costs, deductions: deductionsOf(draft.deductions), rows: [], attachment_ids: [] };
}
