/** Transfers in transit for bank matching: a line of the account they go to records that they have arrived. */
import type { OpenItem } from '#kernel/bank-matching/open-item.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { compact } from '#server/list.ts';
import type { ItemSearch, MatchAccount, OpenItems, SettledDocument, Settlement } from '#server/open-items.ts';
import { matches, sql, where } from '#server/sql.ts';
import { findTransfer, lockTransfer, receiveTransfer, reverseTransfer, takeBackArrival } from './transfer.server.ts';

const TRANSFER = 'bank_transfer';
/** The whole transfer where a match made it, its arrival where it was under way before. */
const ARRIVAL = 'bank_transfer_arrival';

interface InTransit {
  id: number;
  number: string;
  received_minor: number;
  sent_on: string;
  from_account: string;
}

async function find(ctx: WorkContext, account: MatchAccount, search: ItemSearch): Promise<OpenItem[]> {
  if ((search.by === 'line' || search.by === 'text') && search.direction === 'out') return [];
  const rows = await ctx.db.query<InTransit>(sql`
    select t.id, t.number, t.received_minor, t.sent_on::text as sent_on, b.name as from_account
    from bank_transfers t join bank_accounts b on b.id = t.from_bank_account_id
    ${where(compact([sql`t.status = 'in_transit'`, sql`t.to_bank_account_id = ${account.bank_account_id}`,
    search.by === 'ids' && sql`t.id = any (${[...search.ids]}::bigint[])`,
    search.by === 'text' && search.text !== '' && matches(sql`search_words(t.number, b.name)`, search.text),
    search.by === 'text' && search.from_minor !== null && sql`t.received_minor >= ${search.from_minor}`,
    search.by === 'text' && search.to_minor !== null && sql`t.received_minor <= ${search.to_minor}`]))}
    order by t.sent_on, t.id limit 200`);
  return rows.map((row) => ({ kind: TRANSFER, id: row.id, label: row.number, direction: 'in',
    currency: account.currency, open_minor: BigInt(row.received_minor), converted_minor: null,
    bank_account_id: account.bank_account_id, document_on: row.sent_on, due_on: null,
    party: { key: `bank_account:${row.from_account}`, name: row.from_account, accounts: [] },
    references: [{ type: 'number', value: row.number, label: 'transfer number' }], pool: null }));
}

async function settle(ctx: WorkContext, of: Settlement): Promise<SettledDocument[]> {
  const made: SettledDocument[] = [];
  for (const part of of.parts.toSorted((a, b) => a.id - b.id)) {
    const row = await lockTransfer(ctx, part.id);
    if (row.to_bank_account_id !== of.account.bank_account_id || row.status !== 'in_transit') {
      throw conflict('bank_match.item_taken', `Transfer ${row.number} is not in transit to this account.`);
    }
    if (part.amount_minor !== row.received_minor) {
      throw invalidField('parts', `Transfer ${row.number} is matched whole. ${row.from_currency === row.to_currency
        ? 'Enter what a bank kept as the bank fee of this match' : 'Record what arrived on the transfer first'}`);
    }
    await receiveTransfer(ctx, row, { received_on: of.on, received_minor: part.amount_minor });
    const { received_transaction_id } = await findTransfer(ctx, part.id);
    made.push({ type: ARRIVAL, id: part.id, transaction_id: received_transaction_id! });
  }
  return made;
}

async function takeBack(
  ctx: WorkContext, of: { type: string; id: number; on: string; reason: string },
): Promise<void> {
  const row = await lockTransfer(ctx, of.id);
  if (of.type === ARRIVAL) await takeBackArrival(ctx, row, of.reason, of.on);
  else await reverseTransfer(ctx, row, of.reason, of.on);
}

export const transferItems: OpenItems<WorkContext> = { kinds: [TRANSFER], outgoing: [],
  document_types: [TRANSFER, ARRIVAL], permissions: ['bank_transaction.create'], find, settle, takeBack };
