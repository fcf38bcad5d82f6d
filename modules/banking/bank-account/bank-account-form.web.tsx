/** The fields of a bank account, as it is added and as it is changed. */
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm, type FieldBinding } from '#web/controls/form/use-resource-form.ts';
import { Section } from '#web/layout/page-content.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { bankEndpoints } from '../bank/bank.contract.ts';
import { bankAccount, bankAccountEndpoints, type BankAccountRow } from './bank-account.contract.ts';

const { fields } = bankAccount;
const FORMATS = { ofx: 'OFX or QFX', qif: 'QIF', csv: 'CSV', camt: 'CAMT.053', mt940: 'MT940', bai2: 'BAI2' };
const ORDERS = { mdy: 'Month, day, year', dmy: 'Day, month, year', ymd: 'Year, month, day' };
const banks = optionsFrom(bankEndpoints.list, (row) => ({ value: row.id, label: row.name, children: row.bic ?? '' }));

interface Props { row: BankAccountRow | null; mayWrite: boolean; onSaved: (row: BankAccountRow) => void }

/** Fields fixed once a bank account exists, and its opening balance once that is posted. */
function heldFields(row: BankAccountRow | null, mayWrite: boolean): string[] {
  if (!mayWrite) return Object.keys(fields);
  if (!row) return [];
  return ['division', 'currency', ...(row.opening_transaction_id === null ? [] : ['opening_minor', 'opening_on']),
    ...(row.closed_on === null ? [] : ['is_default'])];
}

export function BankAccountForm({ row, mayWrite, onSaved }: Props) {
  const form = useResourceForm<Record<string, unknown>, { data: BankAccountRow }>({
    initial: formValues(fields, row),
    record: row && { entity: 'bank_account', id: row.id, version: row.version, read: bankAccountEndpoints.show },
    submit: (values, sending) => {
      const body = bodyValues(fields, values);
      return row
        ? call(bankAccountEndpoints.update, { params: { id: row.id },
          body: { ...body, version: row.version } })
        : call(bankAccountEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
    draftKey: row ? `bank_account/${row.id}` : 'bank_account/new',
  });
  const disabled = heldFields(row, mayWrite);
  const show = fieldsOf(form, fields, { disabled, sources: { bank_id: banks },
    selected: { bank_id: row?.bank_name }, ungrouped: ['next_check_number'],
    choices: { currency: { USD: 'USD', EUR: 'EUR', GBP: 'GBP' }, statement_format: FORMATS,
      statement_date_order: ORDERS } });
  return (
    <FormFrame form={form} labels={labelsOf(fields)}>
      <Section title="The account">
        <FormGrid>
          {show('bank_id')}{show('name')}{show('division')}{show('currency')}{show('holder')}
          {show('next_check_number')}
        </FormGrid>
        {show('is_default')}
      </Section>
      <Section title="Opening balance" description={row?.opening_transaction_id == null
        ? 'Posted against Opening balances on its date, once.' : 'Posted. Correct it with a bank entry.'}>
        <FormGrid>
          <MoneyField label={fields.opening_minor.label} allowNegative currency={String(form.values.currency)}
            {...form.field('opening_minor') as FieldBinding<number | null>}
            disabled={disabled.includes('opening_minor')} />
          {show('opening_on')}
        </FormGrid>
      </Section>
      <Section title="Statements" description="Settings for reading the bank’s files. Most formats need none.">
        <FormGrid>{show('statement_format')}{show('statement_date_order')}</FormGrid>
      </Section>
      <Section title="Notes">{show('notes')}{show.others('opening_minor')}</Section>
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {row ? 'Save bank account' : 'Add bank account'}
          </Button>
        </FormActions>
      )}
    </FormFrame>
  );
}
