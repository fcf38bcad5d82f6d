/** A new transfer, its arrival, its reversal. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { bankAccountLabel } from '../bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints, type BankAccountOption } from '../bank-account/bank-account.contract.ts';
import { transferEndpoints, type TransferRow } from './transfer.contract.ts';

const useTold = () => useRefresh([transferEndpoints.list, transferEndpoints.transit, bankAccountEndpoints.list]);

/** Whether the two accounts are kept in different currencies. */
function isCrossing(accounts: readonly BankAccountOption[], of: { from_bank_account_id: number | null;
  to_bank_account_id: number | null }): boolean {
  const from = accounts.find((row) => row.id === of.from_bank_account_id);
  const to = accounts.find((row) => row.id === of.to_bank_account_id);
  return from !== undefined && to !== undefined && from.currency !== to.currency;
}

export function TransferForm({ onClose }: { onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useTold();
  const read = useEndpoint(bankAccountEndpoints.options, { query: {} });
  const accounts = read.data?.data ?? [];
  const form = useResourceForm({
    initial: { from_bank_account_id: null as number | null, to_bank_account_id: null as number | null,
      amount_minor: null as number | null, received_minor: null as number | null, fee_minor: null as number | null,
      sent_on: today() as string | null, arrived: true, received_on: today() as string | null, memo: '' },
    submit: ({ arrived, ...values }) => call(transferEndpoints.create, { body: { ...values,
      from_bank_account_id: values.from_bank_account_id ?? 0, to_bank_account_id: values.to_bank_account_id ?? 0,
      amount_minor: values.amount_minor ?? 0,
      received_minor: isCrossing(accounts, values) ? values.received_minor : null,
      fee_minor: values.fee_minor ?? 0, sent_on: values.sent_on ?? '',
      received_on: arrived ? values.received_on : null } }, { idempotencyKey: key }),
    onSaved: ({ data }) => { toast(`${data.number} recorded`); void refresh(); onClose(); },
  });
  const from = accounts.find((row) => row.id === form.values.from_bank_account_id);
  const to = accounts.find((row) => row.id === form.values.to_bank_account_id);
  const isForeign = isCrossing(accounts, form.values);
  const optionsOf = (rows: typeof accounts) => rows.map((row) => ({ value: row.id, label: bankAccountLabel(row),
    children: `${row.division} ${row.currency}` }));
  const others = accounts.filter((row) => row.id !== from?.id && (!from || row.division === from.division));
  return (
    <Modal open onClose={onClose} title="New transfer" width={640}>
      <FormFrame form={form} aria-label="Transfer">
        <AsyncSelect<number> label="From" required options={optionsOf(accounts)} {...form.field('from_bank_account_id')}
          onChange={(id) => { form.set('from_bank_account_id', id); form.set('to_bank_account_id', null); }} />
        <AsyncSelect<number> label="To" required options={optionsOf(others)} {...form.field('to_bank_account_id')}
          caption={from && others.length === 0 ? `Division ${from.division} has no other open account.` : undefined} />
        <FormGrid>
          <MoneyField label="Amount sent" required currency={from?.currency ?? ''} {...form.field('amount_minor')} />
          {isForeign && (
            <MoneyField label="Amount received" required currency={to?.currency ?? ''} {...form.field('received_minor')}
              caption="The difference from the day’s rate is posted as an exchange difference." />
          )}
          <MoneyField label="Bank fee" currency={from?.currency ?? ''} {...form.field('fee_minor')}
            caption="Taken from the paying account beside the amount." />
          <DateField label="Sent on" required {...form.field('sent_on')} />
        </FormGrid>
        <Checkbox label="It has arrived" {...form.field('arrived')}
          caption="Otherwise it stays in transit until its arrival is recorded." />
        {form.values.arrived && <DateField label="Received on" required {...form.field('received_on')} />}
        <TextField label="Note" {...form.field('memo')} maxLength={1000} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Transfer {formatAmount(form.values.amount_minor ?? 0, from?.currency)}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

export function ReceiveForm({ row, onClose }: { row: TransferRow; onClose: () => void }) {
  const refresh = useTold();
  const isForeign = row.from_currency !== row.to_currency;
  const form = useResourceForm({
    initial: { received_on: today() as string | null, received_minor: row.received_minor as number | null },
    submit: (values) => call(transferEndpoints.receive, { params: { id: row.id }, body: { version: row.version,
      received_on: values.received_on ?? '', received_minor: isForeign ? values.received_minor : null } }),
    onSaved: () => { toast(`${row.number} has arrived`); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Arrival of ${row.number}`} width={480}>
      <FormFrame form={form} aria-label="Arrival">
        <p>{formatAmount(row.amount_minor, row.from_currency)} from {row.from_account} to {row.to_account}.</p>
        <DateField label="Received on" required {...form.field('received_on')} />
        {isForeign && (
          <MoneyField label="Amount received" required currency={row.to_currency} {...form.field('received_minor')} />
        )}
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Record arrival</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

/** Takes back what is posted, so that the number is typed first (U12). */
export function ReverseForm({ row, onClose }: { row: TransferRow; onClose: () => void }) {
  const refresh = useTold();
  const typed = useTypedName(row.number, true);
  const form = useResourceForm({
    initial: { reason: '' },
    submit: ({ reason }) => call(transferEndpoints.reverse, { params: { id: row.id },
      body: { version: row.version, reason } }),
    onSaved: () => { toast(`${row.number} was reversed`); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Reverse ${row.number}`} width={480}>
      <FormFrame form={form} aria-label="Reversal">
        <p>Its postings are taken back today; both accounts are as before.</p>
        <TextField label="Reason" required rows={2} {...form.field('reason')} maxLength={500} />
        {typed.field}
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending} reason={typed.held}>Reverse transfer</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
