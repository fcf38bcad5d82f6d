/** Items a payment run may pay: open items of accounts payable, waiting refunds and royalties, by payee. */
import { handInBy, railOf, settlementDay, valueDay, type ValueDay } from '#kernel/payment-files/rail-days.ts';
import { payoutMethods, type PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { dueRoyalties } from '#modules/royalties/royalties.public.server.ts';
import { currentVendor, vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { openDiscount } from '../disbursement/settled-documents.server.ts';
import { withheldOf } from '../disbursement/withhold.server.ts';
import { prenoteHints } from '../prenote/prenote-store.server.ts';
import { heldBecause, keyOf, otherMethod, payeesOf } from './payees.server.ts';
import { extraHolidays } from './rail-holidays.server.ts';
import type { DueItem, DuePayee, runEndpoints, RunPayables } from './payment-run.contract.ts';

export interface RunAccount { id: number; division: Division; currency: Currency; ledger_account_id: number }

export async function runAccount(ctx: Pick<WorkContext, 'db'>, id: number): Promise<RunAccount> {
  const row = await ctx.db.maybeOne<RunAccount>(sql`
    select id, division, currency, ledger_account_id from bank_accounts
    where id = ${id} and closed_on is null and deleted_at is null`);
  if (!row) throw invalidField('bank_account_id', 'Choose an open bank account');
  return row;
}

type Row = DueItem & { party_type: 'vendor' | 'customer'; party_id: number; name: string };

export interface FreeFor {
  due_by: string;
  /** Day on which the money arrives: discounts that are open then are proposed. */
  on: string;
  /** Items held by this run or this payment count as free for it. */
  run_id?: number | undefined;
  payment_id?: number | undefined;
  party?: { party_type: string; party_id: number } | undefined;
}

/**
 * The settlement day of the rail: what the screens, the payments and the discounts say is what the file will say. Of a
 * file of ours, the earliest on which it can settle if it is written today; entered at the bank by hand: null.
 */
export async function settlesOn(ctx: Pick<WorkContext, 'db'>, method: PayoutMethod, wanted: string,
  file: { on: string; same_day: boolean } | null): Promise<ValueDay> {
  const rail = railOf(method);
  if (rail === null) return { value_on: wanted, moved: null };
  const extra = await extraHolidays(ctx, method, wanted);
  return file === null ? settlementDay(rail, wanted, extra) : valueDay(rail, wanted, file.on, { ...file, extra });
}

/** Free items in the division and currency. */
export async function freeItems(ctx: WorkContext, of: RunAccount, free: FreeFor): Promise<Row[]> {
  const { due_by, on, run_id: runId = null, payment_id: paymentId = null, party } = free;
  const only = party ? sql`i.party_type = ${party.party_type} and i.party_id in ${party.party_type === 'vendor'
    ? vendorAndMerged(party.party_id) : sql`(${party.party_id})`}` : sql`i.party_type in ('vendor', 'customer')`;
  return ctx.db.query<Row>(sql`
    select i.id as open_item_id, i.refund_id, i.party_type, i.party_id, coalesce(v.name, c.name) as name,
      coalesce(d.number, t.description) as document, d.kind as document_kind, d.id as document_id, i.opened_on,
      i.due_date as due_on, ${openDiscount(on, sql`coalesce(m.held, 0)`)} as discount_minor,
      i.due_date <= ${due_by}::date or i.free_minor < 0 as is_due,
      case when i.refund_id is not null then r.amount_minor else i.free_minor + coalesce(m.held, 0) end::bigint
        as amount_minor
    from payable_items i join transactions t on t.id = i.transaction_id
      left join vendors v on i.party_type = 'vendor' and v.id = ${currentVendor(sql`i.party_id`)}
      left join customers c on i.party_type = 'customer' and c.id = i.party_id
      left join payments r on r.id = i.refund_id
      left join bills b on i.document_type = 'bill' and b.id = i.document_id
      left join lateral ledger_document(i.document_type, i.document_id) d on true
      left join lateral (select sum(x.amount_minor + x.discount_minor) as held from payment_parts x
        join payments p on p.id = x.payment_id where x.open_item_id = i.id and x.state = 'reserved'
        and (p.payment_run_id = ${runId} or p.id = ${paymentId})) m on true
    where i.division = ${of.division} and i.currency = ${of.currency} and ${only}
      and b.hold_reason is null
      -- What goes back to a card leaves with the card processor; what left there already is not set off here.
      and r.provider is null and not exists (select 1 from processor_refunds x where x.attention <> ''
        and i.document_type = 'payment' and x.payment_id = i.document_id)
      and (r.id is null or (r.status = 'approved' and (r.payment_run_id is null or r.payment_run_id = ${runId})))
      and (i.refund_id is not null or i.free_minor + coalesce(m.held, 0) <> 0)
    order by coalesce(v.name, c.name) collate "und-x-icu", i.party_type, i.party_id, i.due_date, i.id`);
}

/** Ledger balance of the account, and the amount that waiting payments will take, except this run or payment. */
export async function cashOf(ctx: WorkContext, of: RunAccount, own: Pick<FreeFor, 'run_id' | 'payment_id'>):
Promise<{ balance_minor: number; promised_minor: number }> {
  const { minor } = await ctx.db.one<{ minor: number }>(sql`
    select coalesce(sum(debit_minor - credit_minor), 0)::bigint as minor from ledger_balances
    where ledger_account_id = ${of.ledger_account_id} and currency = ${of.currency}`);
  return { balance_minor: minor, promised_minor: await promised(ctx, of, own.run_id ?? null, own.payment_id ?? null) };
}

async function promised(ctx: WorkContext, of: RunAccount, runId: number | null, paymentId: number | null):
Promise<number> {
  return (await ctx.db.one<{ sum: number }>(sql`
    select coalesce(sum(amount_minor), 0)::bigint as sum from payments
    where ledger_account_id = ${of.ledger_account_id} and direction = 'out' and status in ('draft', 'approved')
      and deleted_at is null and (${runId}::bigint is null or payment_run_id is distinct from ${runId})
      and id is distinct from ${paymentId}`)).sum;
}

/** Bills that are due and open, and that nobody proposes while they are on hold. */
function onHold(ctx: WorkContext, of: RunAccount, dueBy: string): Promise<RunPayables['on_hold']> {
  return ctx.db.one<RunPayables['on_hold']>(sql`
    select count(*)::int as count, coalesce(sum(i.free_minor), 0)::bigint as total_minor
    from payable_items i join bills b on i.document_type = 'bill' and b.id = i.document_id
    where i.division = ${of.division} and i.currency = ${of.currency} and b.hold_reason is not null
      and i.free_minor > 0 and i.due_date <= ${dueBy}::date`);
}

export async function payablesOf(ctx: WorkContext, query: QueryOf<typeof runEndpoints.payables>):
Promise<RunPayables> {
  const account = await runAccount(ctx, query.bank_account_id);
  const methods = payoutMethods(account.division, account.currency);
  const method = query.method ?? methods[0]!;
  if (!methods.includes(method)) throw refuse('invalid', 'This account cannot pay that way.');
  const today = await ctx.today(account.division);
  const same_day = query.same_day ?? false;
  const { value_on: on, moved } = await settlesOn(ctx, method, query.value_on ?? today,
    { on: today, same_day });
  const rail = railOf(method);
  const rows = await freeItems(ctx, account, { due_by: query.due_by, on, run_id: query.run_id });
  const known = await payeesOf(ctx, rows);
  const hints = method === 'ach' ? await prenoteHints(ctx, account.id) : new Map<string, string>();
  const withheld = await withheldOf(ctx, { ...account, method, on,
    vendor_ids: rows.filter((row) => row.party_type === 'vendor').map((row) => row.party_id) });
  const payees: DuePayee[] = [];
  for (const [key, items] of Map.groupBy(rows, keyOf)) {
    const [{ party_type, party_id, name }] = items as [Row];
    const payee = known.get(key)!;
    payees.push({ party_type, party_id, name, held: heldBecause(payee, method, account),
      other_method: otherMethod(payee.payment_method, method, methods),
      hint: hints.get(key) ?? null, last4: payee.bank?.last4 ?? null,
      withholding: party_type === 'vendor' ? withheld.get(party_id) ?? null : null,
      items: items.map(({ party_type: _t, party_id: _p, name: _n, ...item }) => item) });
  }
  const royaltors = (await dueRoyalties(ctx, { division: account.division, currency: account.currency, method,
    pay_on: query.due_by, run_id: query.run_id })).map((one) => ({ ...one,
    hint: hints.get(`royaltor:${one.royaltor_id}`) ?? null }));
  return { methods: [...methods], method, payees, royaltors, value_on: on, value_moved: moved,
    hand_in_by: rail === null ? null : handInBy(rail, on,
      { same_day, extra: await extraHolidays(ctx, method, on) }),
    on_hold: await onHold(ctx, account, query.due_by), ...await cashOf(ctx, account, query) };
}
