/** The account that customers of a division transfer to: shown with the division, written after a confirmation. */
import { call } from '#kit/client.ts';
import { grouped, routingName } from '#kernel/receivables/bank-numbers.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { systemEndpoints, type DivisionRow } from './system.contract.ts';

/** Code that the division's own banks ask for, while none is typed yet. */
const routingWord = (row: DivisionRow): string => (row.home_country === 'US' ? 'Routing number' : 'Sort code');

export function paymentFacts(row: DivisionRow) {
  const account = row.payment_details;
  if (!account) return [{ label: 'Paid by transfer to', value: 'Not set: no invoice names an account', wide: true }];
  const numbers = [account.payee, account.bank_name, account.iban && grouped(account.iban),
    account.bic && `BIC ${account.bic}`,
    account.routing_number && `${routingName(account.routing_number)} ${account.routing_number}`,
    account.account_number && `account ${account.account_number}`];
  return [{ label: 'Paid by transfer to', value: numbers.filter(Boolean).join(', '), wide: true }];
}

export function PaymentForm({ row, onClose }: { row: DivisionRow; onClose: () => void }) {
  const refresh = useRefresh([systemEndpoints.divisions]);
  const stored = row.payment_details;
  const form = useResourceForm({
    initial: { payee: stored?.payee ?? '', bank_name: stored?.bank_name ?? '',
      iban: stored?.iban ? grouped(stored.iban) : '', bic: stored?.bic ?? '',
      account_number: stored?.account_number ?? '', routing_number: stored?.routing_number ?? '' },
    record: { version: row.version, read: systemEndpoints.divisions },
    submit: (values) => call(systemEndpoints.paymentDetails, { params: { code: row.code },
      body: { ...values, version: row.version } }),
    onSaved: () => { toast('Bank details saved'); void refresh(); onClose(); },
  });
  const labels = { payee: 'Account holder', bank_name: 'Bank', iban: 'IBAN', bic: 'BIC',
    account_number: 'Account number', routing_number: routingWord(row) };
  return (
    <Modal open onClose={onClose} title={`Bank details of ${row.name}`} width={640}>
      <FormFrame form={form} labels={labels} aria-label={`Bank details of ${row.name}`}>
        <p>Printed on invoices from now on and shown to customers who pay by transfer, for amounts
          in {row.functional_currency}. Without IBAN and account number they are cleared.</p>
        <FormGrid>
          <TextField label={labels.payee} caption="As the bank has it." {...form.field('payee')} maxLength={70} />
          <TextField label={labels.bank_name} {...form.field('bank_name')} maxLength={120} />
          <TextField label={labels.iban} autoComplete="off" {...form.field('iban')} maxLength={42} />
          <TextField label={labels.bic} autoComplete="off" {...form.field('bic')} maxLength={20} />
          <TextField label={labels.routing_number} autoComplete="off" {...form.field('routing_number')}
            maxLength={20} />
          <TextField label={labels.account_number} autoComplete="off" {...form.field('account_number')}
            maxLength={40} />
        </FormGrid>
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save bank details</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
