/** A bill by hand, with the vendor's document beside it. */
import { useEffect, useState } from 'react';
import { call, urlOf } from '#kit/client.ts';
import { ApiError } from '#kit/transport.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { vendorEndpoints } from '#modules/operations/vendor/vendor.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { DIVISION_CURRENCY } from '#web/layout/division.ts';
import { Columns, PageContent, Section, SideColumn } from '#web/layout/page-content.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { bodyOf, formOf, totalsOf, type BillDraft } from './bill-draft.web.ts';
import { BillLines } from './bill-lines.web.tsx';
import { BillPaper } from './bill-paper.web.tsx';
import { KIND_LABELS } from './bill-words.web.tsx';
import { billEndpoints, type BillChoices, type BillDetail } from './bill.contract.ts';
import { FILE_TYPES, takeDropped } from './dropped-file.web.ts';
import styles from './bill-form.module.css';

type Form = ResourceForm<BillDraft>;
interface FormProps { bill: BillDetail | null; initial: BillDraft; onSaved: (bill: BillDetail) => void }

/** One answer for both ways of saving: with a file as a form, without one as JSON. */
function save(bill: BillDetail | null, values: BillDraft, file: File | null, idempotencyKey: string) {
  const shared = bodyOf(values);
  if (bill === null) {
    const body = { ...shared, kind: values.kind ?? 'bill' as const, division: values.division ?? 'US' as const };
    return call(billEndpoints.create, { body }, { idempotencyKey, ...(file ? { form: formOf(body, file) } : {}) });
  }
  const body = { ...shared, version: bill.version };
  return file ? call(billEndpoints.change, { params: { id: bill.id }, body }, { form: formOf(body, file) })
    : call(billEndpoints.update, { params: { id: bill.id }, body });
}

export function BillForm({ bill, initial, onSaved }: FormProps) {
  const [file, setFile] = useState<File | null>(() => (bill ? null : takeDropped()));
  const [question, setQuestion] = useState<string | null>(null);
  const [excess, setExcess] = useState<string | null>(null);
  const refresh = useRefresh([billEndpoints.list, billEndpoints.payable]);
  const form = useResourceForm<BillDraft, { data: BillDetail }>({
    initial,
    draftKey: bill ? undefined : 'bill/new',
    record: bill && { entity: 'bill', id: bill.id, version: bill.version, read: billEndpoints.show },
    async submit(values, { idempotencyKey }) {
      try {
        return await save(bill, values, file, idempotencyKey);
      } catch (error) {
        if (error instanceof ApiError && error.code === 'bill.likely_duplicate') setQuestion(error.message);
        if (error instanceof ApiError && error.code === 'bill.over_received') setExcess(error.message);
        throw error;
      }
    },
    onSaved: ({ data }) => { void refresh(); onSaved(data); },
  });
  const { values } = form;
  const choices = useEndpoint(billEndpoints.choices, { query: { division: values.division ?? 'US',
    on: values.billed_on ?? today() } }).data?.data ?? { accounts: [], tax_codes: [] };
  return (
    <Columns side={<SideColumn label="Document of the vendor" width={460}>
      <Beside bill={bill} file={file} onFile={setFile} form={form} choices={choices} /></SideColumn>}>
      <PageContent record>
        <FormFrame form={form} aria-label="Bill">
          {question !== null && (
            <Callout tone="warn" title="Entered already?" live>
              <p>{question}</p>
              <Checkbox label="This is another bill" {...form.field('duplicate_confirmed')} />
            </Callout>
          )}
          {excess !== null && (
            <Callout tone="warn" title="More than was received" live>
              <p>{excess}</p>
              <Checkbox label="Bill it all the same" {...form.field('over_received_confirmed')} />
            </Callout>
          )}
          <Section title="Vendor and dates"><Head form={form} bill={bill} /></Section>
          <Section title="Lines" count={values.lines.length}>
            <BillLines lines={values.lines} currency={values.currency ?? 'USD'} errors={form.errors} choices={choices}
              receiptsOf={values.kind === 'bill' && values.vendor_id !== null && values.division !== null
                ? { vendor_id: values.vendor_id, division: values.division } : null}
              onChange={(lines) => form.set('lines', lines)} />
          </Section>
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>
              {bill ? 'Save bill' : 'Save draft'}
            </Button>
          </FormActions>
        </FormFrame>
      </PageContent>
    </Columns>
  );
}

const vendors = optionsFrom(vendorEndpoints.list, (row) => ({ value: row.id, label: row.name, children: row.number }),
  { query: { active: 'true' } });

function Head({ form, bill }: { form: Form; bill: BillDetail | null }) {
  const { values } = form;
  const isCredit = values.kind === 'credit';
  return (
    <FormGrid>
      <AsyncSelect label="Kind" required disabled={bill !== null} options={optionsOf(KIND_LABELS)}
        {...form.field('kind')} />
      <AsyncSelect<number> label="Vendor" required source={vendors} selectedLabel={bill?.vendor_name}
        {...form.field('vendor_id')} />
      <TextField label="Vendor’s number" caption="As on the document" maxLength={60}
        {...form.field('vendor_number')} />
      <AsyncSelect label="Division" required disabled={bill !== null} options={optionsOf(DIVISION_LABELS)}
        {...form.field('division')} onChange={(division) => {
          form.set('division', division);
          if (division !== null) form.set('currency', DIVISION_CURRENCY[division] as 'USD');
          form.set('lines', values.lines.map((line) => ({ ...line, ledger_account_id: null, tax_code_id: null })));
        }} />
      <AsyncSelect label="Currency" required options={optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })}
        {...form.field('currency')} />
      <DateField label="Date of the bill" required {...form.field('billed_on')} />
      <DateField label="Due on" caption="Leave blank to follow the vendor’s terms" {...form.field('due_on')} />
      <DateField label="Received on" {...form.field('received_on')} />
      {!isCredit && <PercentField label="Early payment discount" {...form.field('discount_ppm')} />}
      {!isCredit && <NumberField label="Within days" {...form.field('discount_days')} />}
      <TextField label="Note" rows={2} maxLength={2_000} {...form.field('memo')} />
    </FormGrid>
  );
}

interface BesideProps {
  bill: BillDetail | null; file: File | null; onFile: (file: File | null) => void; form: Form; choices: BillChoices;
}

function Beside({ bill, file, onFile, form, choices }: BesideProps) {
  const totals = totalsOf(form.values, choices.tax_codes);
  const url = useFileUrl(file);
  const stored = bill?.file ?? null;
  return (
    <div className={styles.stack}>
      <dl className={styles.facts} aria-live="polite">
        <Fact label={`Net, ${form.values.currency ?? ''}`} minor={totals.net} />
        <Fact label="Tax" minor={totals.tax} />
        <Fact label="Owed to the vendor" minor={totals.total} sum />
        {totals.own !== 0 && <Fact label="Tax that we account for" minor={totals.own} />}
      </dl>
      {file && url ? <BillPaper url={url} name={file.name} type={file.type} />
        : bill && stored && <BillPaper url={urlOf(billEndpoints.file, { id: bill.id })} name={stored.name}
          type={stored.mime_type} />}
      <FileDrop label={file || stored ? 'Replace the file' : 'Add the vendor’s document'} types={FILE_TYPES}
        taken="chosen" onUpload={async (chosen) => { onFile(chosen); await Promise.resolve(); }} />
    </div>
  );
}

/** Address of a file that is not sent yet, as long as it is shown. */
function useFileUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => { URL.revokeObjectURL(made); setUrl(null); };
  }, [file]);
  return url;
}

function Fact({ label, minor, sum = false }: { label: string; minor: number; sum?: boolean }) {
  return <div className={sum ? styles.sum : undefined}><dt>{label}</dt><dd>{formatAmount(minor)}</dd></div>;
}
