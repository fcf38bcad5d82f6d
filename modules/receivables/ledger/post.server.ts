/** Receivables' side of the ledger: a document's lines in its currency become one posting at one rate. */
import { missingRate } from '#kernel/money/exchange.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { convert, emptyAccount } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { ReceivableLine } from '#kernel/ledger/receivable-events.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import {
  allocate as ledgerAllocate, nextNumber, openItemsOf, postJournal, previewNumber as ledgerPreview,
  reverseTransaction, unallocate as ledgerUnallocate, type NumberSeries,
} from '#modules/accounting/accounting.public.server.ts';
import { bankAccountFor } from '#modules/banking/banking.public.server.ts';
import { refuseUnpayable, type IssuedDocument } from '../documents/ways-to-pay.server.ts';

export interface Rate {
  /** Functional units per unit of the document, as decimal text. */
  rate: string;
  on: string;
  source: 'ecb' | 'hmrc' | 'manual';
}

export interface Posting {
  division: string;
  kind: 'invoice' | 'credit_note' | 'release' | 'receipt' | 'bounce' | 'deposit' | 'deposit_return' | 'refund'
    | 'write_off' | 'payment' | 'processor_payout';
  on: string;
  description: string;
  /** Event that is posted, once: the ledger posts a source event only one time (accounting.md 1.5). */
  source: { type: string; id: number; event: string };
  currency: string;
  rate: string;
  lines: readonly ReceivableLine[];
  /** Base amounts where a line is carried at what is left of an older rate; absent: every line at `rate`. */
  bases?: readonly bigint[];
  /** An account that the posting empties, with the base that is left on it. */
  emptied?: { account: string; base: bigint };
  invoice_id?: number | null;
  license_id?: number | null;
  payment_id?: number | null;
}

/** Posts; answers the transaction, the earlier one where the same event is posted already. */
export async function post(ctx: WorkContext, posting: Posting): Promise<number> {
  const division = posting.division as Division;
  const currency = posting.currency as Currency;
  const refs = {
    ...(posting.invoice_id ? { invoice_id: posting.invoice_id } : {}),
    ...(posting.license_id ? { license_id: posting.license_id } : {}),
    ...(posting.payment_id ? { payment_id: posting.payment_id } : {}),
  };
  const lines = convert(posting.lines.map((line) => ({
    account: line.account, currency, amount: line.amount_minor, refs,
    ...(line.party === undefined ? {} : { party: line.party }),
    ...(line.tax_code_id === undefined ? {} : { tax_code_id: line.tax_code_id }),
    ...(line.tax_base_minor === undefined ? {} : { tax_base: line.tax_base_minor }),
    ...(line.due_on === undefined ? {} : { due_date: line.due_on }),
  })), division, posting.rate);
  const { bases, emptied } = posting;
  const atRate = emptied === undefined ? lines : emptyAccount(lines, emptied.account, emptied.base);
  const posted = await postJournal(ctx.db, {
    division, kind: posting.kind, transaction_at: posting.on, description: posting.description.slice(0, 500),
    source: { ...posting.source, attempt: 1 },
    lines: bases === undefined ? atRate : lines.map((line, k) => ({ ...line, base: bases[k]! })),
  }, ctx.actor.actor_id);
  return posted.transaction_id;
}

/** Rate of a document on a day: the last one published on or before it (domain.md 2.12). */
export async function rateFor(
  ctx: Pick<WorkContext, 'db'>, division: string, currency: string, on: string,
): Promise<Rate & { functional: boolean }> {
  const row = await ctx.db.maybeOne<{ functional: string; rate: string | null; on_date: string; source:
    Rate['source'] }>(
    sql`select d.functional_currency as functional, r.rate, r.on_date, r.source
      from divisions d left join lateral rate_on(${currency}, d.functional_currency, ${on}::date) r on true
      where d.code = ${division}`);
  if (!row) throw conflict('receivables.division', `There is no division ${division}.`);
  if (row.functional === currency) return { rate: '1', on, source: 'manual', functional: true };
  if (row.rate === null) {
    throw conflict('fx.no_rate', missingRate(currency, row.functional, on));
  }
  return { rate: row.rate, on: row.on_date, source: row.source, functional: false };
}

/** The item that a posting opened on an account; several lines of one account: the one with this amount. */
export async function openedItem(
  ctx: WorkContext, transactionId: number, account: string, amount: bigint,
): Promise<number> {
  const items = await openItemsOf(ctx.db, transactionId);
  const found = items.find((item) => item.account === account && BigInt(item.original_minor) === amount);
  if (!found) throw new Error(`transaction ${transactionId} opened no item of ${amount} on ${account}`);
  return found.id;
}

/** Item on receivables for the part a receipt settled without cash; it follows the item of its cash. */
export async function restItem(ctx: WorkContext, transactionId: number): Promise<number> {
  return (await ctx.db.one<{ id: number }>(sql`
    select i.id from open_items i join ledger_accounts a on a.id = i.ledger_account_id
    where i.transaction_id = ${transactionId} and a.code = '1100' order by i.journal_entry_id desc limit 1`)).id;
}

/** Applies part of a credit to a debit; the ledger books the exchange difference itself (event 19). */
export async function allocate(
  ctx: WorkContext, debitItem: number, creditItem: number, amount: bigint, on: string,
): Promise<number> {
  const made = await ledgerAllocate(ctx.db, {
    debit_item_id: debitItem, credit_item_id: creditItem, amount_minor: amount, allocated_at: on,
    actor_id: ctx.actor.actor_id,
  });
  return made.allocation_id;
}

/** Takes an allocation back by its inverse row. */
export async function unallocate(ctx: WorkContext, allocationId: number, on: string): Promise<void> {
  await ledgerUnallocate(ctx.db, { allocation_id: allocationId, allocated_at: on, actor_id: ctx.actor.actor_id });
}

/** Posts the mirror of what a payment posted, dated `on`. */
export function reverse(ctx: WorkContext, transactionId: number, paymentId: number, on: string, reason: string):
Promise<number> {
  return reverseOf(ctx, transactionId, { type: 'payment', id: paymentId }, on, reason);
}

/** The same of any document: only the path of the document itself takes back what it posted. */
export async function reverseOf(
  ctx: WorkContext, transactionId: number, document: { type: string; id: number }, on: string, reason: string,
): Promise<number> {
  const mirror = await reverseTransaction(ctx.db, {
    transaction_id: transactionId, transaction_at: on, reason, actor_id: ctx.actor.actor_id, document,
  });
  return mirror.transaction_id;
}

const PREFIX = { invoice: 'INV', credit_note: 'CN' } as const;

/** The fiscal year of a date is the scope of the gapless series; the year is the one in which it ends. */
async function seriesScope(ctx: Pick<WorkContext, 'db'>, division: string, on: string): Promise<string> {
  const { start } = await ctx.db.one<{ start: number }>(sql`
    select fiscal_year_start_month as start from divisions where code = ${division}`);
  const year = Number(on.slice(0, 4));
  return String(start > 1 && Number(on.slice(5, 7)) >= start ? year + 1 : year);
}

interface NumberedDocument extends IssuedDocument { on: string }

/**
 * Gapless number; call it last, its row stays locked until the transaction ends (accounting.md 1.4). 409
 * `invoice.no_way_to_pay`: a document that asks for money has no number before it can be paid.
 */
export async function takeNumber(
  ctx: WorkContext, kind: 'invoice' | 'credit_note', document: NumberedDocument,
): Promise<string> {
  await refuseUnpayable(ctx, [document]);
  const { division, on } = document;
  const taken = await nextNumber(ctx.db, series(division, kind, await seriesScope(ctx, division, on)));
  return taken.number;
}

/** Numbers for many documents of one kind, in their order; call it last, as {@link takeNumber}. */
export async function takeNumbers(
  ctx: WorkContext, kind: 'invoice' | 'credit_note', documents: readonly NumberedDocument[],
): Promise<string[]> {
  await refuseUnpayable(ctx, documents);
  const scopes = new Map<string, string>();
  for (const { division, on } of documents) {
    const key = `${division} ${on}`;
    if (!scopes.has(key)) scopes.set(key, await seriesScope(ctx, division, on));
  }
  const scope = documents.map(({ division, on }) => scopes.get(`${division} ${on}`)!);
  const rows = await ctx.db.query<{ number: string }>(sql`
    select t.number from unnest(${documents.map((one) => one.division)}::text[], ${scope}::text[]) with ordinality
      u (division, scope, n), lateral ledger_take_number(u.division, ${kind}, u.scope,
        ${PREFIX[kind]} || '-' || u.division || '-' || u.scope || '-') t order by u.n`);
  return rows.map((row) => row.number);
}

/** Returns the next number without reserving it. */
export async function previewNumber(
  ctx: Pick<WorkContext, 'db'>, division: string, kind: 'invoice' | 'credit_note', on: string,
): Promise<string> {
  return ledgerPreview(ctx.db, series(division, kind, await seriesScope(ctx, division, on)));
}

function series(division: string, kind: 'invoice' | 'credit_note', scope: string): NumberSeries {
  return { division: division as Division, kind, scope, prefix: `${PREFIX[kind]}-${division}-${scope}-` };
}

/**
 * Cash account of a division that takes this currency by this method: cheques and cash wait undeposited, what was paid
 * to a processor waits for its payout (event 5).
 */
export async function cashAccount(
  ctx: Pick<WorkContext, 'db'>, of: { division: string; currency: string; method: string;
    bank_account_id?: number | null | undefined; provider?: string | null | undefined },
): Promise<{ id: number; code: string }> {
  if (of.provider) {
    return ctx.db.one<{ id: number; code: string }>(sql`
      select id, code from ledger_accounts where division = ${of.division} and system_key = 'card_clearing'`);
  }
  if (of.method === 'check' || of.method === 'cash') {
    if (of.bank_account_id) {
      throw invalidField('bank_account_id', spell`A check or cash is deposited later. Leave the bank account empty`);
    }
    return ctx.db.one<{ id: number; code: string }>(sql`
      select id, code from ledger_accounts where division = ${of.division} and system_key = 'undeposited'`);
  }
  const { ledger_account_id, code } = await bankAccountFor(ctx, of);
  return { id: ledger_account_id, code };
}
