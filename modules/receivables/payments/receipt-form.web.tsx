/** A receipt is recorded with what it pays: invoices, a pro forma or a deposit that was asked for. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { BankAccountField } from '#modules/banking/bank-account/bank-account-field.web.tsx';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import { choicesOf, METHOD_LABELS } from '../invoices/invoice-labels.web.ts';
import { DuplicateQuestion, useDuplicateQuestion } from './duplicate-question.web.tsx';
import { paymentEndpoints, type OpenDocument, type PaymentRow } from './payment.contract.ts';

const BASE = '/admin/accounts-receivable/payments';
const CURRENCY = { US: 'USD', EU: 'EUR', UK: 'GBP', PROD: 'USD' } as const;
const customers = optionsFrom(customerEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));
const NAMES = { invoice: 'Invoice', proforma: 'Pro forma', deposit: 'Deposit for' } as const;

const keyOf = (document: OpenDocument): string => `${document.kind}-${document.id}`;
const sumOf = (documents: readonly OpenDocument[]): number =>
  documents.reduce((all, one) => all + one.balance_minor, 0);

/** Each document takes what is open on it, in the order shown, until the receipt is used up. */
function applied(documents: readonly OpenDocument[], amount: number) {
  let left = amount;
  return documents.filter((one) => one.kind !== 'deposit').flatMap((one) => {
    const part = one.kind === 'proforma' ? one.balance_minor : Math.min(one.balance_minor, left);
    left -= part;
    return part > 0 ? [{ invoice_id: one.id, amount_minor: part }] : [];
  });
}

/** A check and cash wait among undeposited funds until they are brought to the bank. */
const isDeposited = (method: PaymentRow['method'] | null): boolean => method !== 'check' && method !== 'cash';

export function ReceiptForm({ division, onClose }: { division: keyof typeof CURRENCY; onClose: () => void }) {
  const { go } = useNavigation();
  const [key] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<readonly OpenDocument[]>([]);
  const question = useDuplicateQuestion();
  const form = useResourceForm({
    initial: { customer_id: null as number | null, currency: CURRENCY[division] as 'USD' | 'EUR' | 'GBP' | null,
      amount_minor: null as number | null, method: 'wire' as PaymentRow['method'] | null,
      bank_account_id: null as number | null, received_on: null as string | null, reference: '', memo: '',
      duplicate_confirmed: false },
    submit: (values) => question.watch(call(paymentEndpoints.create, { body: { ...values, division,
      customer_id: values.customer_id ?? 0, currency: values.currency ?? CURRENCY[division],
      method: values.method ?? 'wire', bank_account_id: isDeposited(values.method) ? values.bank_account_id : null,
      amount_minor: values.amount_minor ?? 0, received_on: values.received_on ?? '',
      apply_to: applied(chosen, values.amount_minor ?? 0),
      deposit_id: chosen.find((one) => one.kind === 'deposit')?.id ?? null } }, { idempotencyKey: key })),
    onSaved: (answer) => {
      toast(`${answer.data.number} recorded`);
      go(`${BASE}/${answer.data.id}`);
    },
  });
  const { customer_id: customerId, currency, amount_minor: amount } = form.values;
  const choose = (next: readonly OpenDocument[]) => {
    if (amount === null || amount === sumOf(chosen)) form.set('amount_minor', sumOf(next) || null);
    setChosen(next);
  };
  return (
    <Modal open onClose={onClose} title="Record receipt" width={600}>
      <FormFrame form={form} aria-label="Receipt">
        <AsyncSelect label="Customer" required {...form.field('customer_id')} source={customers}
          onChange={(id) => { form.set('customer_id', id); setChosen([]); }} />
        {customerId !== null && currency !== null && (
          <Documents key={`${customerId} ${currency}`} of={{ customer_id: customerId, division, currency }}
            chosen={chosen} onChoose={choose} />
        )}
        <FormGrid>
          <MoneyField label="Amount" required currency={currency ?? CURRENCY[division]}
            {...form.field('amount_minor')} />
          <AsyncSelect label="Currency" required {...form.field('currency')}
            options={choicesOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })}
            onChange={(next) => { form.set('currency', next); form.set('bank_account_id', null); setChosen([]); }} />
          <DateField label="Received on" required {...form.field('received_on')}
            caption={form.values.method === 'check' ? spell`A post-dated check is posted on its date.` : undefined} />
          <AsyncSelect label="Payment method" required options={choicesOf(METHOD_LABELS)} {...form.field('method')} />
        </FormGrid>
        {isDeposited(form.values.method) && (
          <BankAccountField division={division} currency={currency ?? CURRENCY[division]}
            {...form.field('bank_account_id')} />
        )}
        <TextField label="Reference" {...form.field('reference')} caption="As it appears on the bank statement" />
        <TextField label="Note" {...form.field('memo')} />
        <DuplicateQuestion question={question} {...form.field('duplicate_confirmed')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Record {formatAmount(amount ?? 0, currency ?? CURRENCY[division])}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

interface DocumentsProps {
  of: { customer_id: number; division: keyof typeof CURRENCY; currency: 'USD' | 'EUR' | 'GBP' };
  chosen: readonly OpenDocument[];
  onChoose: (next: readonly OpenDocument[]) => void;
}

/** Documents the customer owes or was asked to pay. A deposit is received whole, with nothing else. */
function Documents({ of, chosen, onChoose }: DocumentsProps) {
  const read = useEndpoint(paymentEndpoints.openDocuments, { query: of });
  const documents = read.data?.data ?? [];
  if (documents.length === 0) return null;
  const has = (one: OpenDocument) => chosen.some((other) => keyOf(other) === keyOf(one));
  const toggle = (one: OpenDocument, on: boolean) => {
    const kept = on && one.kind === 'deposit' ? [] : chosen.filter((other) => other.kind !== 'deposit'
      && keyOf(other) !== keyOf(one));
    onChoose(documents.filter((other) => (on && keyOf(other) === keyOf(one))
      || kept.some((own) => keyOf(own) === keyOf(other))));
  };
  return (
    <fieldset className="gr-fieldset">
      <legend>Apply to</legend>
      {documents.map((one) => (
        <Checkbox key={keyOf(one)} name={keyOf(one)} value={has(one)} onChange={(on) => toggle(one, on)}
          label={[`${NAMES[one.kind]} ${one.number}`, one.title, formatAmount(one.balance_minor, of.currency),
            one.due_on && `due ${formatDay(one.due_on)}`].filter(Boolean).join(', ')} />
      ))}
    </fieldset>
  );
}
