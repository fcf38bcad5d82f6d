/** Before the approval: payees whose account is not the one that the last payment went to, with both accounts. */
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { partyHref } from '../payment/payment-words.web.tsx';
import { runEndpoints, type RunPayment } from './payment-run.contract.ts';

type Changed = RunPayment & { bank_change: NonNullable<RunPayment['bank_change']> };

const account = (last4: string | null, country: string | null, holder: string | null): string =>
  (last4 === null ? 'Not paid before' : [`…${last4}`, country, holder].filter(Boolean).join(', '));

function Person({ name, at }: { name: string | null; at: string | null }) {
  if (name === null && at === null) return null;
  return <>{name}{at !== null && <>, <DateText value={at} /></>}</>;
}

function Payee({ row }: { row: Changed }) {
  const href = partyHref(row as Parameters<typeof partyHref>[0]);
  return href === null ? row.party_name : <AppLink className="gr-link" href={href}>{row.party_name}</AppLink>;
}

const columns: readonly Column<Changed>[] = [
  { id: 'payee', header: 'Payee', kind: 'title', cell: (row) => <Payee row={row} />, fixed: true, width: 180 },
  { id: 'before', header: 'Last paid to', kind: 'muted', width: 190, cell: ({ bank_change: one }) =>
    account(one.old_last4, one.old_country, one.old_holder) },
  { id: 'now', header: 'Now paid to', width: 190, cell: ({ bank_change: one }) =>
    account(one.new_last4, one.new_country, one.new_holder) },
  { id: 'changed', header: 'Changed by', kind: 'muted', width: 190, cell: ({ bank_change: one }) =>
    <Person name={one.changed_by_name} at={one.changed_at} /> },
  { id: 'verified', header: 'Verified by', kind: 'muted', width: 190, cell: ({ bank_change: one }) =>
    (one.verified_at === null ? 'Not verified' : <Person name={one.verified_by_name} at={one.verified_at} />) },
  { id: 'note', header: 'Call-back', kind: 'muted', width: 240, cell: ({ bank_change: one }) =>
    (one.verified_at === null ? null : one.note) },
];

/** The royaltors of a run, on the page of their batch. */
export function RoyaltorBankChanges({ runId }: { runId: number }) {
  const read = useEndpoint(runEndpoints.show, { params: { id: runId } });
  return <BankChanges payments={(read.data?.data.payments ?? []).filter((one) => one.party_type === 'royaltor')} />;
}

export function BankChanges({ payments }: { payments: readonly RunPayment[] }) {
  // A payee with several refunds has a payment for each, and one account.
  const rows = [...new Map(payments.filter((one): one is Changed => one.bank_change !== null)
    .map((one) => [`${one.party_type} ${one.party_id}`, one])).values()];
  if (rows.length === 0) return null;
  return (
    <Section title="New bank details" count={rows.length} description="These payees were last paid to another account.">
      <DataTable label="New bank details" variant="record" rows={rows} rowKey={(row) => row.id} columns={columns}
        empty={{ title: 'No new bank details' }} />
    </Section>
  );
}
