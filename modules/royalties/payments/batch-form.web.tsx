/** A new batch: what the division pays in one currency and by one method, by payee; what is due is ticked. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY, type Division } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { BankAccountField } from '#modules/banking/bank-account/bank-account-field.web.tsx';
import { advanceEndpoints } from '../advances/advance.contract.ts';
import { BATCHES, METHOD_WORDS } from '../royalty-words.web.ts';
import { statementEndpoints } from '../statements/statement.contract.ts';
import { keyOf, linesTotal, tickedAtFirst } from './payable-lines.web.ts';
import { PayeeChoices } from './payee-choices.web.tsx';
import { batchEndpoints, type BatchRow, type Payables } from './payment-batch.contract.ts';

type Currency = BatchRow['currency'];

function usePayables(
  division: Division, currency: Currency, { method, pay_on }: { method: BatchRow['method'] | null;
    pay_on: string | null },
) {
  const read = useEndpoint(batchEndpoints.payables, { query: { division, currency, pay_on: pay_on ?? today(),
    ...(method === null ? {} : { method }) } });
  return { read, answer: read.data?.data };
}

export function BatchForm({ division, statement, run, onClose }: {
  division: Division; statement: number | null; run: number | null; onClose: () => void;
}) {
  const { go } = useNavigation();
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([batchEndpoints.list, statementEndpoints.list, advanceEndpoints.list]);
  const [currency, setCurrency] = useState(DIVISION_CURRENCY[division] as Currency);
  /** Null until the person ticks something: what is due is ticked. */
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [asked, setAsked] = useState<{ method: BatchRow['method'] | null; pay_on: string | null }>(
    { method: null, pay_on: today() });
  const { read, answer } = usePayables(division, currency, asked);
  const ticked = chosen ?? tickedAtFirst(answer?.payees ?? [], { statement, run });
  const taken = (answer?.payees ?? []).flatMap((payee) => payee.lines)
    .filter((line) => line.held === null && ticked.includes(keyOf(line)));
  const form = useResourceForm({
    initial: { method: null as BatchRow['method'] | null, pay_on: today() as string | null,
      bank_account_id: null as number | null },
    submit: (values) => call(batchEndpoints.create, { body: { division, currency,
      bank_account_id: values.bank_account_id, method: values.method ?? answer?.method ?? 'wire',
      pay_on: values.pay_on ?? '',
      statement_ids: taken.flatMap((line) => line.statement_id ?? []),
      advance_ids: taken.flatMap((line) => line.advance_id ?? []) } }, { idempotencyKey: key }),
    onSaved: ({ data }) => {
      toast(`Batch ${data.number} made; another person approves it`);
      void refresh();
      go(`${BATCHES}/${data.id}`);
    },
  });
  const ask = <F extends keyof typeof asked>(field: F, value: (typeof asked)[F]) => {
    setAsked({ ...asked, [field]: value });
    setChosen(null);
  };
  const total = linesTotal(taken, currency);
  const change = (to: Currency) => {
    setCurrency(to);
    form.set('method', null);
    form.set('bank_account_id', null);
    ask('method', null);
  };
  return (
    <Modal open onClose={onClose} title="New payment batch" width={720}>
      <FormFrame form={form} aria-label="Payment batch" guard={false}>
        <Terms {...{ form, division, currency, answer, ask, change }} method={asked.method} />
        {read.error && <Callout tone="error" title="Payables could not be loaded"
          action={<Button size="small" onClick={() => void read.refetch()}>Try again</Button>}>
          {read.error.message}</Callout>}
        {!answer && !read.error && <Skeleton height={120} />}
        {answer && <Elsewhere answer={answer} run={run} onChange={change} />}
        {answer && <PayeeChoices payees={answer.payees} ticked={ticked} currency={currency} onTick={setChosen} />}
        {total === null && <Callout tone="info" title={`Some of this is owed in another currency than ${currency}`}>
          The batch shows it at the last known rate; the rate of the day of payment counts.
        </Callout>}
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}
            reason={taken.length === 0 ? 'Choose at least one statement or advance' : undefined}>
            {total === null ? `Create batch: ${taken.length === 1 ? 'one line' : `${taken.length} lines`}`
              : `Create batch: ${formatAmount(total, currency)}`}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

type TermsForm = { method: BatchRow['method'] | null; pay_on: string | null; bank_account_id: number | null };

/** In what, how, when and from where it is paid. */
function Terms({ form, division, currency, answer, method, ask, change }: {
  form: ResourceForm<TermsForm>; division: Division; currency: Currency; answer: Payables | undefined;
  method: BatchRow['method'] | null; change: (to: Currency) => void;
  ask: <F extends 'method' | 'pay_on'>(field: F, value: TermsForm[F]) => void;
}) {
  return (
    <FormGrid>
      <AsyncSelect label="Currency" required options={optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })}
        value={currency} onChange={(value) => { if (value) change(value); }} />
      <AsyncSelect label="Method" required {...form.field('method')} value={method ?? answer?.method ?? null}
        options={(answer?.methods ?? []).map((way) => ({ value: way, label: METHOD_WORDS[way] }))}
        onChange={(value) => { form.set('method', value); ask('method', value); }} />
      <DateField label="Payment date" required {...form.field('pay_on')}
        onChange={(value) => { form.set('pay_on', value); ask('pay_on', value); }}
        caption="With a future date, the batch is scheduled and posted on that date." />
      <BankAccountField label="Paid from" division={division} currency={currency}
        {...form.field('bank_account_id')} />
    </FormGrid>
  );
}

/** Amounts to pay in other currencies, each a batch of its own. */
function Elsewhere({ answer, run, onChange }: {
  answer: Payables; run: number | null; onChange: (to: Currency) => void;
}) {
  const others = answer.elsewhere.filter((other) => run === null || other.run_ids.includes(run));
  return others.map((other) => (
    <Callout key={other.currency} tone="info" action={
      <Button size="small" onClick={() => onChange(other.currency)}>Show {other.currency}</Button>}
      title={run === null ? `More to pay in ${other.currency}` : `Part of this run is paid in ${other.currency}`}>
      Create a separate batch for {other.currency}.
    </Callout>
  ));
}
