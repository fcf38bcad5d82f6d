/** Amounts open when an agreement came into this system; read-only once posted. */
import type { ReactNode } from 'react';
import { FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import type { ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import type { AgreementRow } from './agreement.contract.ts';

interface BroughtForwardProps {
  row: AgreementRow;
  form: ResourceForm<Record<string, unknown>>;
  show: (name: 'opening_unrecouped_minor' | 'opening_on') => ReactNode;
  mayWrite: boolean;
}

export function BroughtForward({ row, form, show, mayWrite }: BroughtForwardProps) {
  const posted = row.opening_transaction_id;
  const balance = form.field('opening_balance_minor') as { value: number | null; onChange: (v: number | null) => void };
  return (
    <Section title="Brought forward" description={posted !== null
      ? 'In the ledger since the agreement is in force. A correction changes it from here on.'
      : 'The balance when the agreement was moved into this system. It is posted once it is in force.'}>
      <FormGrid>
        <MoneyField label="Opening balance" allowNegative currency={String(form.values.currency)}
          disabled={!mayWrite || posted !== null} caption="Amount we owe; negative if the royaltor owes us."
          name="opening_balance_minor" error={form.errors.opening_balance_minor} {...balance} />
        {show('opening_unrecouped_minor')}{show('opening_on')}
      </FormGrid>
      {posted !== null && (
        <AppLink className="gr-link" href={`/admin/accounting/transactions/${posted}`}>Its posting</AppLink>
      )}
    </Section>
  );
}
