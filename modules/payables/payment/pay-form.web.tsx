/** Pays one payee at once: what is owed, from which account and how. Also changes a payment that is not posted. */
import { useState } from 'react';
import { journalEntryEndpoints } from '#modules/accounting/transaction/journal-entry.contract.ts';
import { bankAccountLabel } from '#modules/banking/bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '#modules/banking/bank-account/bank-account.contract.ts';
import { PAY_METHODS, paymentEndpoints, type PaymentDetail }
  from '#modules/receivables/payments/payment.contract.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount, Money } from '#web/data/money.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { dueChoice, faultOf, onValueDate, partsError, partsOf, totalsOf, type Choice, type Totals }
  from '../run/run-choice.web.ts';
import { RunItems, withheldNote } from '../run/run-items.web.tsx';
import { payEndpoints, type Payables } from './pay.contract.ts';
import { METHOD_LABELS } from './payment-words.web.tsx';

type Method = (typeof PAY_METHODS)[number];
export interface PaymentSelection { account: number | null; type: 'vendor' | 'customer'; party: number | null;
  method: Method | null; division?: string; currency?: string;
  /** Day of the payment; left out: today. */
  on?: string }

/** Target of the payment: one bill, or everything due. */
export interface PaymentRequest { row: PaymentDetail | null; bill: number | null; asked: PaymentSelection }

type Values = { bank_account_id: number | null; party_id: number | null; method: string | null; on: string | null;
  memo: string; parts: object[] };

const KINDS = { vendor: 'Vendor', customer: 'Customer' } as const;
const partySource = (type: PaymentSelection['type']) => optionsFrom(journalEntryEndpoints.parties,
  (row) => ({ value: row.id, label: row.name, children: row.note }), { params: { type } });

/** Initial selection: the content of a payment, the bill, or everything due. */
function firstChoice({ row, bill }: PaymentRequest, answer: Payables | undefined): Choice {
  if (row !== null) {
    return Object.fromEntries(row.parts.filter((part) => part.open_item_id !== null).map((part) => [part.open_item_id!,
      { amount: part.amount_minor, discount: part.discount_minor, reason: part.discount_reason,
        isWhole: part.discount_minor > 0 && part.discount_reason === '' }]));
  }
  if (!answer?.payee || answer.payee.held !== null) return {};
  if (bill === null) return dueChoice([answer.payee]);
  return Object.fromEntries(answer.payee.items.filter((item) => item.document_kind === 'bill'
    && item.document_id === bill).map((item) => [item.open_item_id,
    { amount: item.amount_minor - item.discount_minor, discount: item.discount_minor, reason: '',
      isWhole: true }]));
}

function useAccounts(asked: PaymentSelection) {
  const options = useEndpoint(bankAccountEndpoints.options, { query: {} }).data?.data ?? [];
  const fitting = options.filter((one) => (asked.division === undefined || one.division === asked.division)
    && (asked.currency === undefined || one.currency === asked.currency));
  // Of a bill the division and currency are known; otherwise the person says from where it is paid.
  const proposed = asked.division === undefined ? undefined : fitting.find((one) => one.is_default) ?? fitting[0];
  const account = options.find((one) => one.id === asked.account) ?? proposed;
  return { options: fitting, account };
}

export function PayForm({ wanted, onSaved }: { wanted: PaymentRequest; onSaved: (row: PaymentDetail) => void }) {
  const { row } = wanted;
  const [asked, setAsked] = useState<PaymentSelection>(wanted.asked);
  const [own, setOwn] = useState<Choice | null>(null);
  const { options, account } = useAccounts(asked);
  const read = useEndpoint(payEndpoints.payables, { query: { bank_account_id: account?.id ?? 0,
    party_type: asked.type, party_id: asked.party ?? 0, ...(asked.method === null ? {} : { method: asked.method }),
    on: asked.on ?? row?.paid_on ?? today(), ...(row === null ? {} : { payment_id: row.id }) } },
  { enabled: account !== undefined && asked.party !== null });
  const answer = read.data?.data;
  const payees = answer?.payee ? [answer.payee] : [];
  const choice = onValueDate(own ?? firstChoice(wanted, answer), payees);
  const method = asked.method ?? answer?.method ?? null;
  const form = useResourceForm<Values, { data: PaymentDetail }>({
    record: row && { entity: 'payment', id: row.id, version: row.version, read: paymentEndpoints.show },
    initial: { bank_account_id: asked.account, party_id: asked.party, method: asked.method,
      on: row?.paid_on ?? today(), memo: row?.memo ?? '', parts: [] },
    submit: (values, { idempotencyKey }) => {
      const body = { bank_account_id: account?.id ?? 0, method: method ?? 'wire', on: values.on ?? '',
        memo: values.memo, parts: partsOf({ payees }, choice).parts };
      return row === null ? call(payEndpoints.create, { body: { ...body, party_type: asked.type,
        party_id: asked.party ?? 0 } }, { idempotencyKey })
        : call(paymentEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } });
    },
    onSaved: ({ data }) => onSaved(data),
  });
  const ask = (more: Partial<PaymentSelection>) => {
    setAsked({ ...asked, ...more });
    if (more.account !== undefined || more.party !== undefined) setOwn(null);
  };
  const currency = account?.currency ?? 'USD';
  const totals = totalsOf({ payees }, choice, form.values.on);
  const total = totals.cash;
  const wrong = partsError(form.errors);
  return (
    <FormFrame form={form} aria-label="Payment">
      <Fields {...{ form, row, asked, ask, account, options, answer, method }} />
      {read.isLoading && asked.party !== null && <Skeleton height={120} />}
      {read.error && <Callout tone="error" title="Open items could not be loaded"
        action={<Button size="small" onClick={() => void read.refetch()}>Try again</Button>}>
        {read.error.message}</Callout>}
      {answer && payees.length === 0 && (
        <Callout tone="info" title="Nothing to pay">
          Nothing is owed to this payee in the division and currency of the account. Bills on hold are not paid.
        </Callout>)}
      {answer && payees.length > 0 && (
        <>
          <Cash answer={answer} currency={currency} totals={totals} />
          <RunItems payees={payees} currency={currency} choice={choice} on={form.values.on} onChoose={setOwn} />
        </>)}
      {wrong && <Callout tone="error">{wrong}</Callout>}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}
          reason={faultOf({ payees }, choice) ?? undefined}>
          {[row === null ? 'Create payment' : 'Save payment', account && formatAmount(total, currency)]
            .filter(Boolean).join(', ')}
        </Button>
      </FormActions>
    </FormFrame>
  );
}

interface FieldsProps {
  form: ResourceForm<Values>; row: PaymentDetail | null; asked: PaymentSelection;
  ask: (more: Partial<PaymentSelection>) => void;
  account: ReturnType<typeof useAccounts>['account']; options: ReturnType<typeof useAccounts>['options'];
  answer: Payables | undefined; method: Method | null;
}

function Fields({ form, row, asked, ask, account, options, answer, method }: FieldsProps) {
  return (
    <FormGrid>
      {row === null && (
        <>
          <AsyncSelect<PaymentSelection['type']> label="Pay to" required value={asked.type} options={optionsOf(KINDS)}
            onChange={(type) => ask({ type: type ?? 'vendor', party: null })} />
          <AsyncSelect<number> key={asked.type} label={KINDS[asked.type]} required {...form.field('party_id')}
            value={asked.party} source={partySource(asked.type)} selectedLabel={answer?.payee?.name}
            onChange={(id) => { form.set('party_id', id); ask({ party: id }); }} />
        </>)}
      <AsyncSelect<number> label="Bank account" required {...form.field('bank_account_id')}
        value={account?.id ?? null} options={options.map((one) => ({ value: one.id, label: bankAccountLabel(one),
          children: `${one.division} ${one.currency}` }))}
        onChange={(id) => { form.set('bank_account_id', id); ask({ account: id, method: null }); }} />
      <AsyncSelect<Method> label="Method" name="method" required error={form.field('method').error} value={method}
        options={(answer?.methods ?? []).map((way) => ({ value: way, label: METHOD_LABELS[way] }))}
        onChange={(way) => { form.set('method', way); ask({ method: way }); }}
        caption={method === null ? undefined : WAYS[method]} />
      <DateField label="Date" required {...form.field('on')}
        onChange={(on) => { form.set('on', on); if (on) ask({ on }); }} />
      <TextField label="Note" maxLength={1000} {...form.field('memo')} />
    </FormGrid>
  );
}

/** Next step after the approval. */
const BY_HAND = 'Make it on the bank’s site once it is approved, then post it here.';
const WAYS: Readonly<Record<Method, string>> = { ach: BY_HAND, wire: BY_HAND, bacs: BY_HAND, sepa: BY_HAND,
  check: 'Printed once it is approved. Printing posts it.', card: 'Charged to your card. Post it on the day.' };

function Cash({ answer, currency, totals }: { answer: Payables; currency: string; totals: Totals }) {
  const left = answer.balance_minor - answer.promised_minor - totals.cash;
  return (
    <StatStrip label="Cash of the account" stats={[
      { label: `On the account, ${currency}`, value: <Money minor={answer.balance_minor} /> },
      { label: 'Other payments waiting', sign: '−', value: <Money minor={answer.promised_minor} /> },
      { label: 'This payment', sign: '−', value: <Money minor={totals.cash} />, ...withheldNote(totals, currency) },
      { label: 'Left afterwards', sign: '=', strong: true, value: <Money minor={left} />,
        ...(left < 0 ? { note: 'The account would be overdrawn' } : {}) },
    ]} />
  );
}
