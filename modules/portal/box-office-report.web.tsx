/** One report: the grid of performances, the sum, questions answered by a corrected report, certification by name. */
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import type { BodyIn, ResponseOf } from '#kit/endpoint.ts';
import { portalBoxOfficeEndpoints } from '#modules/licensing/box-office/box-office.contract.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { Button } from '#web/controls/button.tsx';
import { Checkbox } from '#web/controls/checkbox.tsx';
import { MoneyField } from '#web/controls/money-field.tsx';
import { NumberField } from '#web/controls/number-field.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { Performance } from './performance-row.web.ts';
import { Explained, Reading } from './portal-parts.web.tsx';
import { clock, daySpan, dayOf } from './portal-words.web.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

type Report = ResponseOf<typeof portalBoxOfficeEndpoints.show>['data'];
type Body = BodyIn<typeof portalBoxOfficeEndpoints.update>;
interface Entry { id: number; seats: number | null; comps: number | null; gross: number | null }

function entriesOf(report: Report, rows: readonly Performance[]): Entry[] {
  const inPeriod = rows.filter((row) => row.local_date >= report.period_from && row.local_date <= report.period_to
    && row.status !== 'cancelled' && (report.license_venue_id === null
      || row.license_venue_id === report.license_venue_id)
    && (report.performance_id === null || row.id === report.performance_id));
  return inPeriod.map((row) => {
    const known = report.rows.find((one) => one.performance_id === row.id);
    return { id: row.id, seats: known?.seats_sold ?? null, comps: known?.comps ?? null,
      gross: known?.gross_minor ?? null };
  });
}

function Grid({ entries, rows, currency, onChange }: {
  entries: readonly Entry[]; rows: readonly Performance[]; currency: string; onChange: (entry: Entry) => void;
}) {
  return (
    <ul className={styles.list}>
      {entries.map((entry) => {
        const row = rows.find((one) => one.id === entry.id);
        const when = row ? `${formatDay(row.local_date, 'weekday')}, ${clock(row.local_time)}` : '';
        return (
          <li key={entry.id}>
            <fieldset className={styles.gridRow}>
              <legend>{when}</legend>
              <NumberField label="Seats sold" value={entry.seats} onChange={(seats) => onChange({ ...entry, seats })} />
              <NumberField label="Free seats" value={entry.comps} onChange={(comps) => onChange({ ...entry, comps })} />
              <MoneyField label="Takings" currency={currency} value={entry.gross}
                onChange={(gross) => onChange({ ...entry, gross })} />
            </fieldset>
          </li>
        );
      })}
    </ul>
  );
}

function Questions({ report }: { report: Report }) {
  const open = report.questions.filter((question) => question.answer === null);
  if (open.length === 0 && !report.query_note) return null;
  return (
    <Callout tone="warn" title="We have a question">
      {report.query_note && <p>{report.query_note}</p>}
      {open.map((question) => <p key={question.id}>{question.question}</p>)}
      <p>Correct the figures or leave them as they are, and send the report again.</p>
    </Callout>
  );
}

type FormProps = ProductionProps & { report: Report; rows: readonly Performance[]; onClose: () => void };

function bodyOf(report: Report, entries: readonly Entry[], gross: number, taxed: boolean): Body {
  const held = entries.filter((entry) => entry.gross !== null || entry.seats !== null);
  const sum = (pick: (entry: Entry) => number | null) => entries.reduce((total, entry) => total + (pick(entry) ?? 0),
    0);
  return {
    license_venue_id: report.license_venue_id, scope: report.scope, performance_id: report.performance_id,
    period_from: report.period_from, period_to: report.period_to, currency: report.currency, gross_minor: gross,
    tax_included: taxed, deductions: report.deductions.map(({ type, amount_minor, note }) =>
      ({ type, amount_minor, note })),
    attachment_ids: report.attachments.map((file) => file.file_id), version: report.version,
    ...(entries.length > 0 && {
      performances_held: held.length, paid_admissions: sum((entry) => entry.seats),
      complimentary: sum((entry) => entry.comps),
      rows: held.map((entry) => ({ performance_id: entry.id, seats_sold: entry.seats ?? 0, comps: entry.comps ?? 0,
        gross_minor: entry.gross ?? 0 })),
    }),
  };
}

function ReportForm({ report, rows, production, portal, onClose }: FormProps) {
  const [entries, setEntries] = useState(() => entriesOf(report, rows));
  const [whole, setWhole] = useState<number | null>(report.gross_minor || null);
  const [taxed, setTaxed] = useState(report.tax_included);
  const [name, setName] = useState(report.certified_name ?? '');
  const save = useAction(portalBoxOfficeEndpoints.update, {
    refresh: [portalEndpoints.license], onDone: onClose, onFailure: () => undefined });
  const gross = entries.length > 0 ? entries.reduce((sum, entry) => sum + (entry.gross ?? 0), 0) : whole ?? 0;
  const run = (draft: boolean) => void save.run({
    params: { id: portal.customerId, licenseId: production.id, reportId: report.id },
    body: { ...bodyOf(report, entries, gross, taxed), draft, ...(!draft && { certified_name: name.trim() }) },
  });
  const empty = entries.length > 0 ? entries.every((entry) => entry.gross === null) : whole === null;
  const missing = portal.held ?? (empty ? 'Enter the takings first'
    : name.trim() === '' ? 'Type your name first' : undefined);
  const failure = save.failure && (Object.values(save.failure.fields).flat()[0] ?? save.failure.message);
  return (
    <div className={styles.stack}>
      <Questions report={report} />
      {failure && <Callout tone="error" live title={String(failure)} />}
      {entries.length > 0
        ? <Grid entries={entries} rows={rows} currency={report.currency}
            onChange={(entry) => setEntries((old) => old.map((one) => (one.id === entry.id ? entry : one)))} />
        : <MoneyField label="Takings of the period" required currency={report.currency} value={whole}
            onChange={setWhole} />}
      <p className={styles.price}><span>{report.currency}</span>{formatAmount(gross)}</p>
      <Checkbox label="The takings hold the tax on tickets" value={taxed} onChange={setTaxed} />
      {portal.maySee
        ? <TextField label="Your full name" required autoComplete="name" value={name} onChange={setName} maxLength={200}
            caption="With your name you certify that these figures are complete and true." />
        : <p className={styles.muted}>You may save the figures; an admin or signer certifies and sends them.</p>}
      <div className={styles.actions}>
        {portal.maySee && (
          <Button variant="primary" pending={save.pending} onClick={() => run(false)}
            {...(missing && { reason: missing })}>Certify and send</Button>
        )}
        <Button pending={save.pending} onClick={() => run(true)} {...(empty && { reason: 'Enter the takings first' })}>
          Save for later</Button>
      </div>
    </div>
  );
}

function Result({ report }: { report: Report }) {
  const money = (minor: number | null) => (minor === null ? null : formatAmount(minor, report.currency));
  return (
    <div className={styles.stack}>
      <KeyValue columns={3} facts={[
        { label: 'Takings', value: money(report.gross_minor) }, { label: 'Seats sold', value: report.paid_admissions },
        { label: 'Free seats', value: report.complimentary }, { label: 'Royalty due', value: money(report.due_minor) },
        { label: 'Certified by', value: report.certified_name },
        { label: 'Sent', value: report.submitted_at && formatDay(dayOf(report.submitted_at)) },
      ].filter((fact) => fact.value !== null && fact.value !== '')} />
      <Explained steps={report.trace} />
    </div>
  );
}

export function BoxOfficeReport(props: ProductionProps & { reportId: number; onClose: () => void }) {
  const { production, portal, reportId, onClose } = props;
  const params = { id: portal.customerId, licenseId: production.id };
  const report = useEndpoint(portalBoxOfficeEndpoints.show, { params: { ...params, reportId } });
  const rows = useEndpoint(portalEndpoints.performances, { params });
  return (
    <>
      <div><Button variant="quiet" icon={<Glyph icon={ArrowLeft} />} onClick={onClose}>All reports</Button></div>
      <Reading read={report}>
        {({ data }) => (
          <Reading read={rows}>
            {(performances) => (
              <Card title={daySpan(data.period_from, data.period_to)}>
                {data.allowed_events.includes('submit')
                  ? <ReportForm key={data.version} {...props} report={data} rows={performances.data} />
                  : <Result report={data} />}
              </Card>
            )}
          </Reading>
        )}
      </Reading>
    </>
  );
}
