/** The bank account of a form where money moves: the default of its division and currency unless another is chosen. */
import type { Currency } from '#kernel/money/money.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { bankAccountEndpoints, type BankAccountOption } from './bank-account.contract.ts';

/** "Operating, First Harbor •••• 5678". */
export function bankAccountLabel(row: Pick<BankAccountOption, 'name' | 'bank_name' | 'bank_account_last4'>): string {
  return `${row.name}, ${row.bank_name}${row.bank_account_last4 === null ? '' : ` •••• ${row.bank_account_last4}`}`;
}

interface Props {
  division: BankAccountOption['division'];
  currency: Currency;
  label?: string;
  /** Null: the default of the currency. */
  value: number | null;
  onChange: (id: number | null) => void;
  name?: string;
  error?: string | undefined;
}

export function BankAccountField({ division, currency, label = 'Bank account', value, ...field }: Props) {
  const read = useEndpoint(bankAccountEndpoints.options, { query: { division, currency } });
  const rows = read.data?.data;
  const chosen = rows?.find((row) => row.id === value) ?? rows?.[0];
  return (
    <AsyncSelect<number> label={label} required {...field} value={chosen?.id ?? null}
      options={(rows ?? []).map((row) => ({ value: row.id, label: bankAccountLabel(row),
        children: row.is_default ? 'default' : '' }))}
      caption={rows?.length === 0 ? `No bank account in ${currency} yet. Add one under Banking.` : undefined} />
  );
}
