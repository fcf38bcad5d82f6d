/** A new entry between divisions: two divisions, one amount, an account in each set of books. */
import { useState } from 'react';
import type { IntercompanyKind } from '#kernel/ledger/intercompany.ts';
import type { Division } from '#kernel/money/division.ts';
import { CURRENCIES, type Currency } from '#kernel/money/money.ts';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import { vendorEndpoints } from '#modules/operations/vendor/vendor.contract.ts';
import { billEndpoints } from '#modules/payables/bill/bill.contract.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY, useDivision } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { classWord } from '../ledger-account/account-class.web.ts';
import { ledgerAccountEndpoints } from '../ledger-account/ledger-account.contract.ts';
import { INTERCOMPANY, KIND_LABELS } from './intercompany-words.web.tsx';
import { intercompanyEndpoints } from './intercompany.contract.ts';

interface Values extends Record<string, unknown> {
  kind: IntercompanyKind | null; debtor: Division | null; creditor: Division | null; currency: Currency | null;
  dated_on: string | null; amount_minor: number | null; debtor_account_id: number | null; debtor_label: string;
  creditor_account_id: number | null; creditor_label: string; customer_id: number | null;
  vendor_id: number | null; vendor_label: string; bill_id: number | null; bill_label: string;
  description: string;
}

export default function IntercompanyCreate() {
  const [division] = useDivision();
  const { go } = useNavigation();
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([intercompanyEndpoints.list, intercompanyEndpoints.balances, approvalEndpoints.list]);
  const form = useResourceForm<Values, { data: { id: number; number: string } }>({
    initial: { kind: 'charge', debtor: division, creditor: null, currency: DIVISION_CURRENCY[division] as Currency,
      dated_on: today(), amount_minor: null, debtor_account_id: null, debtor_label: '', creditor_account_id: null,
      creditor_label: '', customer_id: null, vendor_id: null, vendor_label: '', bill_id: null,
      bill_label: '', description: '' },
    draftKey: 'intercompany/new',
    submit: (values) => call(intercompanyEndpoints.create, { body: { kind: values.kind ?? 'charge',
      debtor: (values.debtor ?? '') as Division, creditor: (values.creditor ?? '') as Division,
      currency: values.currency ?? 'USD', dated_on: values.dated_on ?? '', amount_minor: values.amount_minor ?? 0,
      debtor_account_id: values.debtor_account_id ?? 0, creditor_account_id: values.creditor_account_id ?? 0,
      ...(values.kind === 'charge' ? { customer_id: values.customer_id, bill_id: values.bill_id } : {}),
      description: values.description } }, { idempotencyKey: key }),
    onSaved: ({ data }) => {
      toast(`${data.number} awaits approval`);
      void refresh();
      go(`${INTERCOMPANY}/${data.id}`, { replace: true });
    },
  });
  const { values } = form;
  return (
    <>
      <PageHeader title="New intercompany entry" back={INTERCOMPANY}
        subtitle="Posted in both divisions after a second person approves it" />
      <PageContent record>
        <FormFrame form={form} aria-label="Intercompany entry">
          <FormGrid>
            <AsyncSelect<IntercompanyKind> label="Type" required options={optionsOf(KIND_LABELS)}
              {...form.field('kind')}
              caption={values.kind === 'settlement' ? 'Reduces what one division owes the other.'
                : 'One division owes the other from this date.'} />
            <DateField label="Date" required {...form.field('dated_on')} />
            <MoneyField label="Amount" required currency={values.currency ?? ''} {...form.field('amount_minor')} />
            <AsyncSelect<Currency> label="Currency" required {...form.field('currency')}
              onChange={(next) => { form.set('currency', next); clearBill(form); }}
              options={CURRENCIES.map((code) => ({ value: code, label: code }))} />
          </FormGrid>
          <TextField label="Description" required {...form.field('description')} maxLength={300} />
          <Side form={form} side="debtor" />
          <Side form={form} side="creditor" />
          <FormActions>
            <Button type="submit" variant="primary" pending={form.pending}>
              {values.amount_minor ? `Request ${formatAmount(values.amount_minor, values.currency ?? undefined)}`
                : 'Request approval'}
            </Button>
          </FormActions>
        </FormFrame>
      </PageContent>
    </>
  );
}

function clearBill(form: ResourceForm<Values>) {
  form.set('bill_id', null);
  form.set('bill_label', '');
}

/** Use of the account of a side. */
function captionOf(side: 'debtor' | 'creditor', kind: IntercompanyKind | null): string {
  if (kind === 'settlement') {
    return side === 'debtor' ? 'Bank account the payment leaves from.' : 'Bank account the payment arrives in.';
  }
  return side === 'debtor' ? 'Debited: the expense it bears, the bank account it collected on, or 2000 for a bill the '
    + 'other division paid.'
    : 'Credited: the bank account it paid from, the income it is owed, or 1100 for a customer who paid the other '
      + 'division.';
}

function Side({ form, side }: { form: ResourceForm<Values>; side: 'debtor' | 'creditor' }) {
  const { values } = form;
  const division = values[side];
  const owes = side === 'debtor';
  return (
    <Section title={owes ? 'Division that owes' : 'Division that is owed'}>
      <FormGrid>
        <AsyncSelect<Division> label={owes ? 'Owed by' : 'Owed to'} required options={optionsOf(DIVISION_LABELS)}
          {...form.field(side)} onChange={(next) => {
            form.set(side, next);
            form.set(`${side}_account_id`, null);
            form.set(`${side}_label`, '');
            if (owes) clearBill(form);
          }} />
        <AsyncSelect<number> key={division ?? ''} label="Account" required disabled={division === null}
          {...form.field(`${side}_account_id`)} selectedLabel={values[`${side}_label`]}
          caption={captionOf(side, values.kind)}
          onChange={(id, option) => {
            form.set(`${side}_account_id`, id);
            form.set(`${side}_label`, option?.label ?? '');
            if (!owes) form.set('customer_id', null);
            else clearBill(form);
          }}
          source={async (search, page, signal) => {
            const { data, meta } = await call(ledgerAccountEndpoints.list, { query: { division: division ?? 'US', page,
              per_page: 25, active: 'true', ...(search ? { search } : {}) } }, { signal });
            return { meta, data: data.map((row) => ({ value: row.id, label: `${row.code} ${row.name}`,
              ...accountChoice(row, values.currency, values.kind === 'charge' ? side : null) })) };
          }} />
        {!owes && values.kind === 'charge' && values.creditor_label.startsWith(`${RECEIVABLE} `) && (
          <AsyncSelect label="Customer" required source={customers} {...form.field('customer_id')}
            caption="The money stands on this customer’s account. Apply it to an invoice from its receipt." />)}
        {owes && values.kind === 'charge' && values.debtor_label.startsWith(`${PAYABLE} `) && <Bill form={form} />}
      </FormGrid>
    </Section>
  );
}

/** The bill of the division that owes: its open amount is proposed. */
function Bill({ form }: { form: ResourceForm<Values> }) {
  const { values } = form;
  const { vendor_id, debtor, currency } = values;
  /** Open amount by bill, of the options that were read. */
  const [openOf] = useState(() => new Map<number, number>());
  return (
    <>
      <AsyncSelect<number> label="Vendor" required source={vendors} selectedLabel={values.vendor_label}
        {...form.field('vendor_id')} onChange={(id, option) => {
          form.set('vendor_id', id);
          form.set('vendor_label', option?.label ?? '');
          clearBill(form);
        }} />
      <AsyncSelect<number> key={`${vendor_id} ${debtor} ${currency}`} label="Bill" required
        disabled={vendor_id === null} selectedLabel={values.bill_label} {...form.field('bill_id')}
        caption="Approved bills in the currency of this entry. It is paid once the entry is posted."
        onChange={(id, option) => {
          form.set('bill_id', id);
          form.set('bill_label', option?.label ?? '');
          const open = openOf.get(id ?? 0);
          if (open !== undefined) form.set('amount_minor', open);
        }}
        source={async (search, page, signal) => {
          const { data, meta } = await call(billEndpoints.payable, { query: { division: debtor ?? 'US', kind: 'bill',
            on_hold: 'false', vendor_id: vendor_id ?? 0, currency: currency ?? 'USD', sort_by: 'due_on', page,
            per_page: 20, ...(search ? { search } : {}) } }, { signal });
          for (const row of data) openOf.set(row.id, row.open_minor);
          return { meta, data: data.map((row) => ({ value: row.id, label: row.number,
            children: [row.vendor_number, `${formatAmount(row.open_minor, row.currency)} open`]
              .filter((part) => part !== '').join(', ') })) };
        }} />
    </>
  );
}

/** Accounts receivable, accounts payable. */
const RECEIVABLE = '1100';
const PAYABLE = '2000';
const vendors = optionsFrom(vendorEndpoints.list, (row) => ({ value: row.id, label: row.name, children: row.number }));
const customers = optionsFrom(customerEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));

interface AccountOption { code: string; is_bank: boolean; is_cash: boolean; allow_manual: boolean;
  party_types: string[] | null;
  currency: string | null; class: 'asset' | 'liability' | 'equity' | 'income' | 'expense' }

function accountChoice(row: AccountOption, currency: string | null, charged: 'debtor' | 'creditor' | null):
{ children: string; disabled: boolean } {
  if (charged === 'creditor' && row.code === RECEIVABLE) return { children: 'money of a customer', disabled: false };
  if (charged === 'debtor' && row.code === PAYABLE) return { children: 'bill of a vendor', disabled: false };
  if (row.party_types !== null || !row.is_bank && (!row.allow_manual || row.is_cash)) {
    return { children: 'kept by documents', disabled: true };
  }
  if (row.currency !== null && row.currency !== currency) {
    return { children: `kept in ${row.currency}`, disabled: true };
  }
  return { children: row.is_bank ? 'bank account' : classWord(row.class), disabled: false };
}
