/** Deposits of a licence: asked for, and what becomes of them: applied, given back, kept with reason and tax. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { invoiceEndpoints } from '#modules/receivables/invoices/invoice.contract.ts';
import { depositEndpoints } from '#modules/receivables/payments/payment.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { BankAccountField } from '#modules/banking/bank-account/bank-account-field.web.tsx';
import { licenseEndpoints } from '../licenses/license.contract.ts';

export type DepositRow = ResponseOf<typeof depositEndpoints.list>['data'][number];

const KINDS = [
  { value: 'security', label: 'Security', children: 'Held for damage and return, given back' },
  { value: 'on_account', label: 'On account', children: spell`Set off against the invoices of the license` },
] as const;

export function RequestDeposit({ licenseId, currency, onClose }: {
  licenseId: number; currency: 'USD' | 'EUR' | 'GBP'; onClose: () => void;
}) {
  const refresh = useRefresh([depositEndpoints.list, licenseEndpoints.show]);
  const [key] = useState(() => crypto.randomUUID());
  const form = useResourceForm({
    initial: { kind: 'security' as DepositRow['kind'] | null, amount_minor: null as number | null,
      due_on: null as string | null },
    submit: (values) => call(depositEndpoints.create, { params: { licenseId }, body: { kind: values.kind ?? 'security',
      amount_minor: values.amount_minor ?? 0, due_on: values.due_on } }, { idempotencyKey: key }),
    onSaved: () => { toast('Deposit asked for'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="Request deposit">
      <FormFrame form={form} aria-label="Deposit">
        <AsyncSelect label="Kind" required options={[...KINDS]} {...form.field('kind')} />
        <MoneyField label="Amount" required currency={currency} {...form.field('amount_minor')}
          caption="A request posts nothing; its payment does." />
        <DateField label="Due on" {...form.field('due_on')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Ask for {formatAmount(form.values.amount_minor ?? 0, currency)}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

const CAUSES = [
  { value: 'rental', label: 'Rental that ran on' }, { value: 'printed_music', label: 'Music not returned' },
  { value: 'printed_script', label: 'Scripts not returned' }, { value: 'fee', label: 'A fee of ours' },
] as const;

type Values = { invoice_id: number | null; apply: number | null; refund: number | null; keep: number | null;
  reason: string; bank_account_id: number | null; taxed_as: (typeof CAUSES)[number]['value'] | null };

/** Only the parts that were given, in this order; the server's places follow the same order. */
function partsOf(values: Values) {
  return [
    ...(values.apply ? [{ part: 'apply' as const, body: { type: 'apply' as const, amount_minor: values.apply,
      invoice_id: values.invoice_id } }] : []),
    ...(values.refund ? [{ part: 'refund' as const, body: { type: 'refund' as const, amount_minor: values.refund,
      bank_account_id: values.bank_account_id } }] : []),
    ...(values.keep ? [{ part: 'keep' as const, body: { type: 'forfeit' as const, amount_minor: values.keep,
      reason: values.reason, taxed_as: values.taxed_as } }] : []),
  ];
}

export function SettleDeposit({ deposit, onClose }: { deposit: DepositRow; onClose: () => void }) {
  const { currency, license_id: licenseId } = deposit;
  const refresh = useRefresh([depositEndpoints.list, invoiceEndpoints.list, licenseEndpoints.show]);
  const open = useEndpoint(invoiceEndpoints.list, { query: { license_id: licenseId, open: 'true', per_page: 100 } });
  const form = useResourceForm({
    initial: { invoice_id: null, apply: null, refund: deposit.remaining_minor, keep: null, reason: '',
      bank_account_id: null, taxed_as: null } as Values,
    submit: (values) => call(depositEndpoints.dispose, { params: { licenseId, id: deposit.id },
      body: { version: deposit.version, dispositions: partsOf(values).map(({ body }) => body) } }),
    onSaved: () => { toast('Deposit settled'); void refresh(); onClose(); },
  });
  const { values } = form;
  const given = (values.apply ?? 0) + (values.refund ?? 0) + (values.keep ?? 0);
  const parts = partsOf(values).map(({ part }) => part);
  const error = (part: (typeof parts)[number], name: string): string | undefined =>
    form.errors[`dispositions.${parts.indexOf(part)}.${name}`];
  const invoices = (open.data?.data ?? []).map((row) => ({ value: row.id, label: row.number ?? `Invoice ${row.id}`,
    children: `${formatAmount(row.balance_minor, row.currency)} open` }));
  return (
    <Modal open onClose={onClose} title={`Deposit of ${formatAmount(deposit.amount_minor, currency)}`} width={600}>
      <FormFrame form={form} aria-label="Deposit">
        <p>{formatAmount(deposit.remaining_minor, currency)} is held. Any part of it can stay held.</p>
        <MoneyField label="Give back" currency={currency} {...form.field('refund')}
          error={error('refund', 'amount_minor')}
          caption="It leaves once another person has approved the refund." />
        {(values.refund ?? 0) > 0 && (
          <BankAccountField label="Given back from" division={deposit.division} currency={currency}
            {...form.field('bank_account_id')} error={error('refund', 'bank_account_id')} />
        )}
        {invoices.length > 0 && (
          <FormGrid>
            <MoneyField label="Apply to an invoice" currency={currency} {...form.field('apply')}
              error={error('apply', 'amount_minor')} />
            <AsyncSelect<number> label="Invoice" clearable options={invoices} {...form.field('invoice_id')}
              error={error('apply', 'invoice_id')} />
          </FormGrid>
        )}
        {deposit.kind === 'security' && (
          <>
            <FormGrid>
              <MoneyField label="Keep" currency={currency} {...form.field('keep')}
                error={error('keep', 'amount_minor')} />
              <AsyncSelect label="Taxed as" clearable placeholder="Damage: no tax" options={[...CAUSES]}
                {...form.field('taxed_as')} caption="The tax is inside what is kept." />
            </FormGrid>
            <TextField label="Reason for keeping" rows={2} {...form.field('reason')} error={error('keep', 'reason')} />
          </>
        )}
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}
            reason={given === 0 ? 'Enter what becomes of it' : given > deposit.remaining_minor
              ? 'Together more than is held' : undefined}>Settle {formatAmount(given, currency)}</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
