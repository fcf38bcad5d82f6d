/** One report: the grid of performances, the sum, questions answered by a corrected report, certification by name. */
import { ArrowLeft } from 'lucide-react';
import { useRef, useState } from 'react';
import { ApiError, call } from '#kit/client.ts';
import { deductionLabel } from '#kernel/pricing/deduction-words.ts';
import { spell } from '#kernel/text/english.ts';
import { portalBoxOfficeEndpoints } from '#modules/licensing/box-office/box-office.contract.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { failureFields } from '#web/controls/failure/failure.ts';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type FieldBinding, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { daySpan, formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { Attachments, DeductionRows, fileAddress, PriceRows } from './box-office-parts.web.tsx';
import {
  CERTIFIES, isEmptyReport, nightName, nightsToReport, pricesOf, reportBody, reportErrors, reportLabels, reportValues,
  reportWords, takingsOf, withBands, type Band, type Night, type Report, type ReportValues,
} from './box-office-values.web.ts';
import { HeldReport } from './held-report.web.tsx';
import type { Performance } from './performance-row.web.ts';
import { Explained, QueryBoundary } from './portal-parts.web.tsx';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

const EMPTY = spell`Enter the gross receipts first`;
type Form = ResourceForm<ReportValues>;

function Grid({ form, nights, currency, venues }: { form: Form; nights: readonly Performance[]; currency: string;
  venues: ProductionProps['production']['license_venues'] | undefined }) {
  const setBands = (row: Performance, bands: Band[]) =>
    form.set(`nights.${row.id}`, withBands(form.values.nights[row.id]!, bands));
  return (
    <ul className={styles.list}>
      {nights.map((row) => {
        const at = `nights.${row.id}`;
        const figure = (part: keyof Night) => form.field(`${at}.${part}`) as FieldBinding<number | null>;
        return (
          <li key={row.id}>
            <fieldset className={styles.gridRow}>
              <legend>{nightName(row)}</legend>
              <NumberField label="Seats sold" {...figure('seats')} />
              <NumberField label="Comps" {...figure('comps')} />
              <MoneyField label={spell`Gross receipts`} currency={currency} {...figure('gross')} />
            </fieldset>
            <ByPrice row={row} bands={form.values.nights[row.id]?.bands ?? []} prices={pricesOf(venues, row)}
              currency={currency} onChange={(bands) => setBands(row, bands)} />
          </li>
        );
      })}
    </ul>
  );
}

/** Seats by price on request: the gross of a night then follows from them. */
function ByPrice({ row, bands, prices, currency, onChange }: { row: Performance; bands: Band[]; prices: Band[];
  currency: string; onChange: (bands: Band[]) => void }) {
  const [open, setOpen] = useState(bands.length > 0);
  if (prices.length === 0 && bands.length === 0) return null;
  const night = nightName(row);
  return open
    ? <PriceRows bands={bands.length > 0 ? bands : prices} currency={currency} night={night} onChange={onChange} />
    : <Button variant="quiet" onClick={() => setOpen(true)} aria-label={`Enter seats by price, ${night}`}>
      Enter seats by price</Button>;
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

type FormProps = ProductionProps & { report: Report; nights: readonly Performance[]; onClose: () => void };

const MOVED = spell`Somebody of your organization or of ours changed this report while you had it open. Their figures
  are in the form now: look at them, then certify again.`;

/** A name stands under figures that were on the screen: what others changed meanwhile is looked at first. */
function useReportForm({ report, nights, production, portal, onClose }: FormProps) {
  const refresh = useRefresh([portalBoxOfficeEndpoints.list, portalEndpoints.license]);
  const certifying = useRef<number | null>(null);
  const form = useResourceForm<ReportValues>({
    initial: reportValues(report, nights), draftKey: `box-office/${report.id}`,
    record: { version: report.version, read: portalBoxOfficeEndpoints.show, changed_at: report.updated_at },
    async submit(values) {
      if (isEmptyReport(values)) throw new Error(EMPTY);
      if (certifying.current !== null && certifying.current !== report.version) throw new Error(MOVED);
      try {
        return await call(portalBoxOfficeEndpoints.update, {
          params: { id: portal.customerId, licenseId: production.id, reportId: report.id },
          body: reportBody(report, values, certifying.current !== null) });
      } catch (caught) {
        if (!(caught instanceof ApiError)) throw caught;
        const failure = new ApiError(caught.status, caught.message, { ...caught.body,
          errors: reportErrors(failureFields(caught), values) });
        // Figures kept for later wait for a connection; a name is put under them by a person, never by a wait.
        if (certifying.current === null) failure.repeatable = caught.repeatable;
        throw failure;
      }
    },
    onSaved: () => { void refresh(); onClose(); },
  });
  form.words.current = reportWords(nights, report.currency);
  const send = async (certify: boolean) => {
    certifying.current = certify ? report.version : null;
    await form.submit();
    certifying.current = null;
  };
  return { form, send };
}

function ReportForm(props: FormProps) {
  const { report, nights, portal } = props;
  const { form, send } = useReportForm(props);
  const empty = isEmptyReport(form.values);
  const missing = portal.held ?? (empty ? EMPTY : form.values.name.trim() === '' ? 'Type your name first' : undefined);
  return (
    <FormFrame form={form} labels={reportLabels(nights)} aria-label="Report">
      <div className={styles.stack}>
        {report.held ? <HeldReport {...props} /> : <Questions report={report} />}
        {nights.length > 0 ? <Grid form={form} nights={nights} currency={report.currency}
          venues={props.production.license_venues} />
          : <MoneyField label={spell`Gross receipts of the period`} required currency={report.currency}
            {...form.field('whole')} />}
        <p className={styles.price}><span>{report.currency}</span>{formatAmount(takingsOf(form.values))}</p>
        <Checkbox label="Gross includes ticket tax" {...form.field('taxed')} />
        <DeductionRows rows={form.values.deductions} currency={report.currency}
          onChange={(rows) => form.set('deductions', rows)} />
        {report.asks_running_costs && (
          <MoneyField label="Running costs of the week" required currency={report.currency} {...form.field('costs')}
            caption={spell`The authors share in the week’s operating profit: gross receipts less running costs.`} />
        )}
        <Attachments files={form.values.files} portal={portal} licenseId={props.production.id} reportId={report.id}
          onChange={(files) => form.set('files', files)} />
        {portal.maySee
          ? <TextField label="Your full name" required autoComplete="name" {...form.field('name')} maxLength={200}
              caption={CERTIFIES} />
          : <p className={styles.muted}>You may save the figures; an admin or signer certifies and sends them.</p>}
        <div className={styles.actions}>
          {portal.maySee && (
            <Button variant="primary" pending={form.pending} onClick={() => void send(true)}
              {...(missing && { reason: missing })}>Certify and send</Button>
          )}
          <Button pending={form.pending} onClick={() => void send(false)} {...(empty && { reason: EMPTY })}>
            Save for later</Button>
        </div>
      </div>
    </FormFrame>
  );
}

function Result({ report, production, portal }: ProductionProps & { report: Report }) {
  const money = (minor: number | null) => (minor === null ? null : formatAmount(minor, report.currency));
  const count = (seats: number | null) => seats?.toLocaleString('en-US') ?? null;
  return (
    <div className={styles.stack}>
      <KeyValue columns={3} facts={[
        { label: spell`Gross receipts`, value: money(report.gross_minor) },
        { label: 'Seats sold', value: count(report.paid_admissions) },
        { label: 'Comps', value: count(report.complimentary) },
        ...report.deductions.map((one) => ({
          label: one.type === 'other' ? 'Other deductions' : deductionLabel(one.type),
          value: report.status === 'accepted' && one.allowed_minor !== one.amount_minor
            ? `${money(one.amount_minor)}, ${money(one.allowed_minor)} allowed` : money(one.amount_minor) })),
        { label: 'Royalty earned', value: money(report.earned_minor) },
        { label: 'Set against the advance', value: money(report.recouped_minor || null) },
        { label: 'Royalty due', value: money(report.due_minor) },
        { label: 'Certified by', value: report.certified_name },
        { label: 'Sent', value: report.submitted_at && formatDay(report.submitted_at) },
      ].filter((fact) => fact.value !== null && fact.value !== '')} />
      {report.attachments.length > 0 && (
        <ul className={styles.plain} aria-label="Attached files">
          {report.attachments.map((file) => (
            <li key={file.file_id}><a className="gr-link"
              href={fileAddress(portal.customerId, production.id, report.id, file.file_id)}>{file.name}</a></li>
          ))}
        </ul>
      )}
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
      <QueryBoundary read={report}>
        {({ data }) => (
          <QueryBoundary read={rows}>
            {(performances) => (
              <Card title={daySpan(data.period_from, data.period_to)}>
                {data.allowed_events.includes('submit')
                  ? <ReportForm {...props} report={data} nights={nightsToReport(data, performances.data)} />
                  : <Result {...props} report={data} />}
              </Card>
            )}
          </QueryBoundary>
        )}
      </QueryBoundary>
    </>
  );
}
