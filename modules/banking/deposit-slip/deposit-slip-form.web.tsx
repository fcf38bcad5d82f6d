/** The bank account, the day, and the checks and cash of a slip; all that waits is chosen at first. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { bankAccountLabel } from '../bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { depositSlipEndpoints, SLIP_LIMIT, type DepositItem, type DepositSlipDetail } from './deposit-slip.contract.ts';
import { METHOD_WORDS } from './slip-words.web.tsx';

const lineOf = (one: DepositItem): string => [METHOD_WORDS[one.method], one.reference.replace(/^check\s+/i, ''),
  one.party_name, formatDay(one.received_on), one.number].filter(Boolean).join(', ');

/** Receipts that the slip may take: those on it, and those that wait for its account. */
function useItems(accountId: number | null, row: DepositSlipDetail | null) {
  const read = useEndpoint(depositSlipEndpoints.waiting, { query: { bank_account_id: accountId ?? 0 } },
    { enabled: accountId !== null });
  return { ready: read.data !== undefined, items: [...row?.items ?? [], ...read.data?.data ?? []] };
}

interface Props { row: DepositSlipDetail | null; onSaved: (row: DepositSlipDetail) => void }

export function DepositSlipForm({ row, onSaved }: Props) {
  const [key] = useState(() => crypto.randomUUID());
  const accounts = useEndpoint(bankAccountEndpoints.options, { query: row === null ? {}
    : { division: row.division, currency: row.currency } });
  const [accountId, setAccountId] = useState(row?.bank_account_id ?? null);
  const { items, ready } = useItems(accountId, row);
  // On a new slip everything is chosen but what is taken off; on a draft, what is on it.
  const [off, setOff] = useState<ReadonlySet<number> | null>(null);
  const onSlip = new Set(row?.items.map((one) => one.payment_id));
  const chosen = items.filter((one, k) => (off ? !off.has(one.payment_id)
    : row === null ? k < SLIP_LIMIT : onSlip.has(one.payment_id)));
  const form = useResourceForm({
    record: row && { entity: 'deposit_slip', id: row.id, version: row.version, read: depositSlipEndpoints.show },
    initial: { bank_account_id: accountId, deposited_on: (row?.deposited_on ?? today()) as string | null,
      memo: row?.memo ?? '', payment_ids: [] as number[] },
    submit: (values) => {
      const body = { ...values, bank_account_id: values.bank_account_id ?? 0, deposited_on: values.deposited_on ?? '',
        payment_ids: chosen.map((one) => one.payment_id) };
      return row === null ? call(depositSlipEndpoints.create, { body }, { idempotencyKey: key })
        : call(depositSlipEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } });
    },
    onSaved: ({ data }) => onSaved(data),
  });
  const options = accounts.data?.data ?? [];
  const account = options.find((one) => one.id === accountId);
  const take = (one: DepositItem, on: boolean) => setOff(new Set(items.filter((other) => (
    other.payment_id === one.payment_id ? !on : !chosen.includes(other))).map((other) => other.payment_id)));
  const wrong = form.field('payment_ids').error;
  return (
    <FormFrame form={form} aria-label="Deposit slip">
      <FormGrid>
        <AsyncSelect<number> label="Bank account" required {...form.field('bank_account_id')}
          options={options.map((one) => ({ value: one.id, label: bankAccountLabel(one),
            children: `${one.division} ${one.currency}` }))}
          onChange={(id) => { form.set('bank_account_id', id); setAccountId(id); if (row === null) setOff(null); }} />
        <DateField label="Date of deposit" required {...form.field('deposited_on')} />
      </FormGrid>
      {items.length > 0 && (
        <fieldset className="gr-fieldset">
          <legend>Checks and cash</legend>
          {items.map((one) => (
            <Checkbox key={one.payment_id} name={`receipt-${one.payment_id}`} value={chosen.includes(one)}
              onChange={(on) => take(one, on)}
              label={`${formatAmount(one.amount_minor, one.currency)}, ${lineOf(one)}`} />
          ))}
        </fieldset>
      )}
      {wrong && <Callout tone="error">{wrong}</Callout>}
      {account && ready && items.length === 0 && (
        <Callout tone="info" title="Nothing to deposit">
          {spell`No check or cash of division ${account.division} in ${account.currency} is waiting.`}
        </Callout>
      )}
      <TextField label="Note" {...form.field('memo')} maxLength={1000} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>
          {`${row === null ? 'Create slip' : 'Save slip'}, ${formatAmount(
            chosen.reduce((all, one) => all + one.amount_minor, 0), account?.currency ?? row?.currency)}`}
        </Button>
      </FormActions>
    </FormFrame>
  );
}
