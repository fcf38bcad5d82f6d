/** An invoice by hand: lines, tax as determined beside them, saved as a draft that is issued on its own page. */
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { spell } from '#kernel/text/english.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import { licenseEndpoints } from '#modules/licensing/licenses/license.contract.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY, useDivision } from '#web/layout/division.ts';
import { Columns, PageContent, Section, SideColumn } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useIdParam, useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { bodyOf, CLASS_OF_KIND, draftOf, emptyLine, netOf, type InvoiceDraft } from './invoice-draft.web.ts';
import { invoiceEndpoints, type InvoiceDetail } from './invoice.contract.ts';
import { LocalRateQuestion, useLocalRateQuestion } from './local-rate-question.web.tsx';
import { choicesOf, CLASS_LABELS, ITEM_LABELS, RELEASE_LABELS } from './invoice-labels.web.ts';
import { InvoicePreview } from './invoice-preview.web.tsx';
import styles from './invoice-form.module.css';

const LIST = '/admin/accounts-receivable/invoices';

export function InvoiceCreate() {
  const [division] = useDivision();
  const { values } = useQueryValues();
  const customer = Number(values.get('customer_id'));
  return (
    <>
      <PageHeader title="New invoice" back={LIST}
        subtitle="A draft takes no number and posts nothing until it is issued" />
      <DraftForm invoice={null} initial={{ customer_id: customer > 0 ? customer : null, license_id: null, division,
        currency: DIVISION_CURRENCY[division] as 'USD', issued_on: null, due_on: null, purchase_order_no: '', notes: '',
        items: [emptyLine()], local_rates: [] }} />
    </>
  );
}

export function InvoiceEdit() {
  const id = useIdParam('invoiceId');
  const read = useEndpoint(invoiceEndpoints.show, { params: { id } });
  const invoice = read.data?.data;
  if (read.isError && !invoice) {
    return <RecordProblem noun="invoice" list={LIST} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title="Change draft" back={`${LIST}/${id}`}
        crumbs={invoice && [{ label: invoice.number ?? `Draft for ${invoice.customer_name}`, href: `${LIST}/${id}` },
          { label: 'Change draft' }]}
        subtitle={invoice && [invoice.customer_name, invoice.license_number,
          `${invoice.division}, ${invoice.currency}`]} />
      {!invoice && <PageContent record><Skeleton width={420} height={18} /></PageContent>}
      {invoice && invoice.status !== 'draft' && (
        <PageContent record><EmptyState title="This invoice is not a draft"
          text="Only a credit note changes an issued invoice."
          action={<ButtonLink href={`${LIST}/${id}`}>Open invoice</ButtonLink>} /></PageContent>)}
      {invoice?.status === 'draft' && <DraftForm key={invoice.id} invoice={invoice} initial={draftOf(invoice)} />}
    </>
  );
}

function DraftForm({ invoice, initial }: { invoice: InvoiceDetail | null; initial: InvoiceDraft }) {
  const { go } = useNavigation();
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([invoiceEndpoints.list]);
  const question = useLocalRateQuestion();
  const form = useResourceForm({
    initial,
    draftKey: invoice ? undefined : 'invoice/new',
    record: invoice && { entity: 'invoice', id: invoice.id, version: invoice.version, read: invoiceEndpoints.show },
    submit: (values) => question.watch(invoice === null
      ? call(invoiceEndpoints.create, { body: bodyOf(values) }, { idempotencyKey: key })
      : call(invoiceEndpoints.update, { params: { id: invoice.id },
        body: { ...bodyOf(values), version: invoice.version } })),
    onSaved: (answer) => {
      toast('Draft saved');
      void refresh();
      go(`${LIST}/${answer.data.id}`, { replace: true });
    },
  });
  return (
    <Columns side={<SideColumn label="Preview"><InvoicePreview draft={form.values} /></SideColumn>}>
      <PageContent record>
        <FormFrame form={form} aria-label="Invoice">
          <Section title="Customer and dates"><Head form={form} fixed={invoice} /></Section>
          <Section title="Lines" count={form.values.items.length}><Lines form={form} /></Section>
          <Section title="On the document">
            <div className={styles.stack}>
              <TextField label="Purchase order" {...form.field('purchase_order_no')} />
              <TextField label="Notes" rows={3} {...form.field('notes')} caption="Printed under the lines." />
            </div>
          </Section>
          <LocalRateQuestion question={question} answers={form.values.local_rates}
            onChange={(answers) => form.set('local_rates', answers)} />
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>Save draft</Button>
          </FormActions>
        </FormFrame>
      </PageContent>
    </Columns>
  );
}

type Form = ResourceForm<InvoiceDraft>;

const customers = optionsFrom(customerEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));

function Head({ form, fixed }: { form: Form; fixed: InvoiceDetail | null }) {
  const { values } = form;
  return (
    <FormGrid>
      <AsyncSelect<number> label="Customer" required disabled={fixed !== null} {...form.field('customer_id')}
        selectedLabel={fixed?.customer_name}
        onChange={(id) => { form.set('customer_id', id); form.set('license_id', null); }}
        source={customers} />
      <AsyncSelect<number> label={spell`License`} clearable disabled={fixed !== null || values.customer_id === null}
        key={values.customer_id ?? 0} {...form.field('license_id')}
        selectedLabel={fixed?.license_number ?? undefined} caption="Leave empty if the bill is for no production."
        source={optionsFrom(licenseEndpoints.list, (row) => ({ value: row.id, label: numbersInWords(row),
          children: row.title_on_license }),
        { query: { division: values.division, customer_id: values.customer_id ?? 0 } })} />
      <AsyncSelect label="Division" required disabled={fixed !== null} {...form.field('division')}
        options={choicesOf({ US: 'US', EU: 'EU', UK: 'UK', PROD: 'Production' })}
        onChange={(division) => {
          if (division === null) return;
          form.set('division', division);
          form.set('currency', DIVISION_CURRENCY[division] as 'USD');
          form.set('license_id', null);
        }} />
      <AsyncSelect label="Currency" required disabled={fixed !== null} {...form.field('currency')}
        options={choicesOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })} />
      <DateField label="Issued on" {...form.field('issued_on')}
        caption="The tax point. Leave blank to date it when it is issued." />
      <DateField label="Due on" {...form.field('due_on')}
        caption="Leave blank to follow the customer's terms from the day of issue." />
    </FormGrid>
  );
}

function Lines({ form }: { form: Form }) {
  const { items } = form.values;
  return (
    <>
      <div>{items.map((_, k) => (
        // oxlint-disable-next-line no-array-index-key -- a line that is typed has no identity but its place
        <Line key={k} form={form} k={k} />
      ))}</div>
      {form.errors.items && <p role="alert" className={styles.missing}>{form.errors.items}</p>}
      <Button className={styles.add} icon={<Plus size={15} aria-hidden="true" />}
        onClick={() => form.set('items', [...items, emptyLine()])}>Add line</Button>
    </>
  );
}

function Line({ form, k }: { form: Form; k: number }) {
  const { items, currency, license_id } = form.values;
  const line = items[k]!;
  const change = (part: Partial<typeof line>) =>
    form.set('items', items.map((one, n) => (n === k ? { ...one, ...part } : one)));
  const at = (name: string) => ({ name: `items.${k}.${name}`, error: form.errors[`items.${k}.${name}`] });
  return (
    <div className={styles.line} role="group" aria-label={`Line ${k + 1}`}>
      <div className={styles.top}>
        <AsyncSelect label="Kind" required options={choicesOf(ITEM_LABELS)} value={line.kind} {...at('kind')}
          onChange={(kind) => change({ kind, ...(kind === null ? {} : { item_class: CLASS_OF_KIND[kind] }) })} />
        <TextField label="Description" required value={line.description} {...at('description')}
          onChange={(description) => change({ description })} />
        <IconButton className={styles.remove} label={`Remove line ${k + 1}`} icon={<Trash2 size={16} />}
          reason={items.length === 1 ? 'An invoice has at least one line' : undefined}
          onClick={() => form.set('items', items.filter((_, n) => n !== k))} />
      </div>
      <div className={styles.figures}>
        <AsyncSelect label="Taxed as" required options={choicesOf(CLASS_LABELS)} value={line.item_class}
          {...at('item_class')} onChange={(item_class) => change({ item_class })} />
        <NumberField label="Quantity" required value={line.quantity} {...at('quantity')}
          onChange={(quantity) => change({ quantity })} />
        <MoneyField label="Unit price" required currency={currency ?? 'USD'} value={line.unit_minor}
          {...at('unit_minor')} error={at('unit_minor').error ?? at('net_minor').error}
          onChange={(unit_minor) => change({ unit_minor })} />
        <p className={styles.net}>
          <span>Net</span><strong>{formatAmount(netOf(line))}</strong>
        </p>
      </div>
      <div className={styles.income}>
        <AsyncSelect label="Becomes income" clearable placeholder="As usual for its kind" value={line.release_rule}
          options={choicesOf(RELEASE_LABELS)} {...at('release_rule')}
          onChange={(release_rule) => change({ release_rule })} />
        {license_id !== null && (
          <Checkbox label="Shared with the show's royaltors" value={line.royalty_bearing}
            onChange={(royalty_bearing) => change({ royalty_bearing })} />
        )}
      </div>
    </div>
  );
}
