/**
 * The sub-ledger. Items are made by the posting itself, one for each line with an amount on receivables (1100),
 * payables (2000) and deposits (2150); this finds them and applies them to each other.
 */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { asLedgerCall } from './ledger-error.server.ts';

export interface OpenItem {
  id: number;
  journal_entry_id: number;
  transaction_id: number;
  division: string;
  account: string;
  party_type: string;
  party_id: number;
  currency: string;
  document_type: string | null;
  document_id: number | null;
  opened_on: string;
  due_date: string;
  /** Signed like the line: + what they owe us, - what we owe them. */
  original_minor: number;
  original_base_minor: number;
  open_minor: number;
  open_base_minor: number;
}

/** The items of a posted transaction, in the order of its lines. */
export async function openItemsOf(db: Queryable, transactionId: number): Promise<OpenItem[]> {
  return await db.query<OpenItem>(sql`
    select i.id, i.journal_entry_id, i.transaction_id, i.division, a.code as account, i.party_type, i.party_id,
      i.currency, i.document_type, i.document_id, i.opened_on, i.due_date, i.original_minor, i.original_base_minor,
      i.open_minor, i.open_base_minor
    from journal_entries e join open_items i on i.journal_entry_id = e.id
      join ledger_accounts a on a.id = i.ledger_account_id
    where e.transaction_id = ${transactionId} order by e.line_no`);
}

/** The one item of a posted transaction on an account; throws where there is not exactly one. */
export async function openItem(db: Queryable, of: { transaction_id: number; account: string }): Promise<OpenItem> {
  const found = (await openItemsOf(db, of.transaction_id)).filter((item) => item.account === of.account);
  if (found.length !== 1) {
    throw new Error(`transaction ${of.transaction_id} has ${found.length} items on ${of.account}, expected one`);
  }
  return found[0]!;
}

/**
 * Applies `amount_minor` (> 0) of a credit item to a debit item of the same account,
   party and currency. Where the two
 * carry different rates an exchange difference is posted (kind fx, event 19). Over-applying is refused with 409.
 */
export async function allocate(
  db: Queryable,
  of: {
    debit_item_id: number; credit_item_id: number; amount_minor: bigint; allocated_at: string; actor_id: number |
      null;
  },
): Promise<{ allocation_id: number; fx_transaction_id: number | null }> {
  const made = await asLedgerCall(db.one<{ id: number }>(sql`
    select ledger_allocate(${of.debit_item_id}::bigint, ${of.credit_item_id}::bigint, ${of.amount_minor}::bigint,
      ${of.allocated_at}::date, ${of.actor_id}::bigint) as id`));
  return await allocationResult(db, made.id);
}

/** Takes an application back: the inverse row, dated, and the reversal of its exchange difference. */
export async function unallocate(
  db: Queryable, of: { allocation_id: number; allocated_at: string; actor_id: number | null },
): Promise<{ allocation_id: number; fx_transaction_id: number | null }> {
  const made = await asLedgerCall(db.one<{ id: number }>(sql`
    select ledger_unallocate(${of.allocation_id}::bigint, ${of.allocated_at}::date, ${of.actor_id}::bigint) as id`));
  return await allocationResult(db, made.id);
}

async function allocationResult(db: Queryable, id: number) {
  return await db.one<{ allocation_id: number; fx_transaction_id: number | null }>(sql`
    select id as allocation_id, fx_transaction_id from allocations where id = ${id}`);
}
