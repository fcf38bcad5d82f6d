/** A new entry between divisions: two divisions, one amount, an account in each set of books. */
import { useState } from 'react';
import type { IntercompanyKind } from '#kernel/ledger/intercompany.ts';
import type { Division } from '#kernel/money/division.ts';
import { CURRENCIES, type Currency } from '#kernel/money/money.ts';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
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
      creditor_label: '', customer_id: null, description: '' },
    draftKey: 'intercompany/new',
    submit: (values) => call(intercompanyEndpoints.create, { body: { kind: values.kind ?? 'charge',
      debtor: (values.debtor ?? '') as Division, creditor: (values.creditor ?? '') as Division,
      currency: values.currency ?? 'USD', dated_on: values.dated_on ?? '', amount_minor: values.amount_minor ?? 0,
      debtor_account_id: values.debtor_account_id ?? 0, creditor_account_id: values.creditor_account_id ?? 0,
      customer_id: values.customer_id,
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

/** Use of the account of a side. */
function captionOf(side: 'debtor' | 'creditor', kind: IntercompanyKind | null): string {
  if (kind === 'settlement') {
    return side === 'debtor' ? 'Bank account the payment leaves from.' : 'Bank account the payment arrives in.';
  }
  return side === 'debtor' ? 'Debited: the expense it bears, or the bank account it collected on.'
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
          }} />
        <AsyncSelect<number> key={division ?? ''} label="Account" required disabled={division === null}
          {...form.field(`${side}_account_id`)} selectedLabel={values[`${side}_label`]}
          caption={captionOf(side, values.kind)}
          onChange={(id, option) => {
            form.set(`${side}_account_id`, id);
            form.set(`${side}_label`, option?.label ?? '');
            if (!owes) form.set('customer_id', null);
          }}
          source={async (search, page, signal) => {
            const { data, meta } = await call(ledgerAccountEndpoints.list, { query: { division: division ?? 'US', page,
              per_page: 25, active: 'true', ...(search ? { search } : {}) } }, { signal });
            return { meta, data: data.map((row) => ({ value: row.id, label: `${row.code} ${row.name}`,
              ...accountChoice(row, values.currency, !owes && values.kind === 'charge') })) };
          }} />
        {!owes && values.kind === 'charge' && values.creditor_label.startsWith(`${RECEIVABLE} `) && (
          <AsyncSelect label="Customer" required source={customers} {...form.field('customer_id')}
            caption="The money stands on this customer’s account. Apply it to an invoice from its receipt." />)}
      </FormGrid>
    </Section>
  );
}

/** Accounts receivable. */
const RECEIVABLE = '1100';
const customers = optionsFrom(customerEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));

interface AccountOption { code: string; is_bank: boolean; is_cash: boolean; allow_manual: boolean;
  party_types: string[] | null;
  currency: string | null; class: 'asset' | 'liability' | 'equity' | 'income' | 'expense' }

function accountChoice(row: AccountOption, currency: string | null, takesCustomer: boolean):
{ children: string; disabled: boolean } {
  if (takesCustomer && row.code === RECEIVABLE) return { children: 'money of a customer', disabled: false };
  if (row.party_types !== null || !row.is_bank && (!row.allow_manual || row.is_cash)) {
    return { children: 'kept by documents', disabled: true };
  }
  if (row.currency !== null && row.currency !== currency) {
    return { children: `kept in ${row.currency}`, disabled: true };
  }
  return { children: row.is_bank ? 'bank account' : classWord(row.class), disabled: false };
}
