/** The bank account of a dialog about checks. */
import { bankAccountEndpoints } from '#modules/banking/bank-account/bank-account.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';

/** The default account of the first division unless another one is chosen; null before they are read. */
export function useCheckAccount(chosen: number | null) {
  const read = useEndpoint(bankAccountEndpoints.options, { query: {} });
  const rows = read.data?.data ?? [];
  return { rows, account: rows.find((row) => row.id === chosen)
    ?? rows.find((row) => row.division === 'US' && row.currency === 'USD') ?? rows[0] ?? null };
}

export function CheckAccountField({ chosen, onChange, error }: {
  chosen: number | null; onChange: (id: number | null) => void; error?: string | undefined;
}) {
  const { rows, account } = useCheckAccount(chosen);
  return (
    <AsyncSelect<number> label="Bank account" name="bank_account_id" required value={account?.id ?? null} error={error}
      onChange={onChange} options={rows.map((row) => ({ value: row.id, label: row.name,
        children: `${row.division} ${row.currency}` }))} />
  );
}
