/** Closing entries of fiscal years: what they move, who may post them, on which day they are taken back. */
import { addDays, addMonths, dateInWords } from '#kernel/calendar/calendar.ts';
import { yearEndLines, type YearEndBalance } from '#kernel/ledger/year-end.ts';
import type { Division } from '#kernel/money/division.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { asLedgerCall } from '../ledger/ledger-error.server.ts';
import { accountMovements } from '../report/balances.server.ts';
import { fiscalYearStart } from '../report/statements.server.ts';
import { transactionEndpoints } from '../transaction/transaction.contract.ts';
import { yearEndEndpoints, type FiscalYear } from './year-end.contract.ts';

interface Year { starts: string; ends: string }
const MOST_YEARS = 10;

/** Remaining balances of the year's income and expense accounts, closing entries counted. */
async function leftOf(db: Queryable, division: Division, year: Year): Promise<YearEndBalance[]> {
  const moved = await accountMovements(db, { division, from: year.starts, as_of: year.ends });
  return moved.filter((row) => row.class === 'income' || row.class === 'expense')
    .map((row) => ({ account: row.code, minor: BigInt(row.debit_minor) - BigInt(row.credit_minor) }));
}

async function retainedEarnings(db: Queryable, division: Division): Promise<string> {
  const { code } = await db.one<{ code: string }>(sql`
    select code from ledger_accounts where division = ${division} and system_key = 'retained_earnings'`);
  return code;
}

interface Entry { transaction_id: number; ends: string; is_draft: boolean }

async function fiscalYears(ctx: Ctx, division: Division): Promise<FiscalYear[]> {
  const today = await ctx.today(division);
  const { first, currency } = await ctx.db.one<{ first: string | null; currency: string }>(sql`
    select (select min(transaction_at) from transactions t where t.division = d.code
      and t.status in ('posted', 'reversed')) as first, d.functional_currency as currency
    from divisions d where d.code = ${division}`);
  const entries = await ctx.db.query<Entry>(sql`
    select id as transaction_id, transaction_at as ends, status = 'draft' as is_draft from transactions
    where division = ${division} and kind = 'year_end_close' and reverses_id is null and deleted_at is null
      and status in ('draft', 'posted') order by status = 'draft', id`);
  const years: FiscalYear[] = [];
  let starts = await fiscalYearStart(ctx.db, { division, as_of: today });
  while (first !== null && years.length < MOST_YEARS && addMonths(starts, 12) > first) {
    const year = { starts, ends: addDays(addMonths(starts, 12), -1) };
    const left = (await leftOf(ctx.db, division, year)).reduce((sum, one) => sum - Number(one.minor), 0);
    const result = (await accountMovements(ctx.db, { division, from: year.starts, as_of: year.ends,
      without_year_end_close: true })).filter((row) => row.class === 'income' || row.class === 'expense')
      .reduce((sum, row) => sum - row.debit_minor + row.credit_minor, 0);
    const own = entries.filter((one) => one.ends === year.ends);
    years.push({ division, currency, ...year, result_minor: result + 0, closed_minor: result - left + 0,
      state: year.ends >= today ? 'running' : own.some((one) => one.is_draft) ? 'waiting'
        : own.length > 0 ? 'closed' : 'computed', transaction_id: own.at(-1)?.transaction_id ?? null });
    starts = addMonths(starts, -12);
  }
  return years;
}

/** The year that ends on the day; refused where none does, or where it is not over. */
async function yearOf(ctx: Ctx, division: Division, ends: string): Promise<Year> {
  const starts = await fiscalYearStart(ctx.db, { division, as_of: ends });
  if (addDays(addMonths(starts, 12), -1) !== ends) throw invalidField('ends', 'Choose the last day of a fiscal year');
  if (ends >= await ctx.today(division)) throw invalidField('ends', 'Choose a fiscal year that is over');
  return { starts, ends };
}

async function prepare(ctx: Ctx, division: Division, ends: string): Promise<number> {
  const year = await yearOf(ctx, division, ends);
  await lockYearEnd(ctx, division);
  const waiting = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from transactions where division = ${division} and kind = 'year_end_close' and transaction_at = ${ends}
      and status = 'draft' and deleted_at is null limit 1`);
  if (waiting) throw conflict('year_end.waiting', 'A closing entry of this year waits to be posted.', waiting);
  const lines = yearEndLines(await leftOf(ctx.db, division, year), await retainedEarnings(ctx.db, division));
  if (lines.length === 0) throw conflict('year_end.nothing', 'Income and expense of this year stand at zero already.');
  const amounts = lines.map((line) => line.minor.toString());
  const { currency } = await ctx.db.one<{ currency: string }>(sql`
    select functional_currency as currency from divisions where code = ${division}`);
  const { id } = await asLedgerCall(ctx.db.one<{ id: number }>(sql`
    select ledger_draft_save(null, 0, ${division}::text, 'year_end_close', ${ends}::date,
      ${`Result of the year to ${dateInWords(ends)} to retained earnings`}, '', ${ctx.user.user_id}::bigint,
      ${lines.map((line) => line.account)}::text[], ${lines.map(() => currency)}::text[], ${amounts}::bigint[],
      ${amounts}::bigint[]) as id`));
  return id;
}

interface ClosingDraft { division: Division; ends: string; asked_by: number | null }

const closingDraft = (db: Queryable, id: number): Promise<ClosingDraft | null> => db.maybeOne<ClosingDraft>(sql`
  select division, transaction_at as ends, created_by as asked_by from transactions
  where id = ${id} and kind = 'year_end_close' and status = 'draft' and deleted_at is null`);

/** One at a time in a division: preparing, posting and declining read what the other has done. */
const lockYearEnd = (ctx: Ctx, division: string): Promise<unknown> => ctx.db.query(sql`
  select pg_advisory_xact_lock(hashtextextended(${`year_end ${division}`}, 0))`);

const nameOf = (of: { division: string; ends: string }): string =>
  `Closing entry of ${of.division} for the year to ${dateInWords(of.ends)}`;
const hrefOf = (id: number): string => `/admin/accounting/transactions/${id}/journal-entries`;

/**
 * Before a draft is posted: a closing entry moves what stands there now, and its author does not post it. Answers the
 * entry; null where the draft is none.
 */
export async function checkYearEnd(ctx: Ctx, id: number): Promise<ClosingDraft | null> {
  const draft = await closingDraft(ctx.db, id);
  if (!draft) return null;
  await lockYearEnd(ctx, draft.division);
  const year = { starts: await fiscalYearStart(ctx.db, { division: draft.division, as_of: draft.ends }),
    ends: draft.ends };
  const wanted = yearEndLines(await leftOf(ctx.db, draft.division, year),
    await retainedEarnings(ctx.db, draft.division));
  const lines = await ctx.db.query<{ account: string; minor: number }>(sql`
    select a.code as account, e.base_amount_minor as minor from journal_entries e
      join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = ${id}`);
  const text = (of: readonly { account: string; minor: bigint | number }[]): string =>
    of.map((line) => `${line.account} ${line.minor}`).toSorted().join();
  if (text(wanted) !== text(lines)) {
    throw conflict('year_end.changed', 'The books of this year have changed since the entry was prepared. Remove the '
      + 'draft and prepare it again.');
  }
  return draft;
}

/** Tells the person who prepared the entry that it is posted. */
export async function tellOfYearEnd(ctx: Ctx, id: number, draft: ClosingDraft): Promise<void> {
  await notifyAsker(ctx, draft.asked_by, { title: `Posted: ${nameOf(draft)}`, href: hrefOf(id) });
}

async function decline(ctx: Ctx, id: number, reason: string): Promise<void> {
  const known = await closingDraft(ctx.db, id);
  if (known) await lockYearEnd(ctx, known.division);
  const draft = known && await closingDraft(ctx.db, id);
  if (!draft) throw refuse('not_found', 'This closing entry was posted or removed before.');
  if (draft.asked_by === ctx.user.user_id) throw refuse('four_eyes');
  await asLedgerCall(ctx.db.query(sql`select ledger_draft_trash(${id}::bigint, true)`));
  await ctx.audit({ action: 'decline', entity: 'transaction', entity_id: id, before: draft, after: { reason } });
  await notifyAsker(ctx, draft.asked_by, { title: `Declined: ${nameOf(draft)}`, body: reason, href: hrefOf(id) });
}

/** The lines of a closing entry follow from the books; nobody writes them by hand. */
export async function refuseWrittenYearEnd(db: Queryable, id: number): Promise<void> {
  const found = await db.maybeOne<{ id: number }>(sql`
    select id from transactions where id = ${id} and kind = 'year_end_close'`);
  if (found) {
    throw conflict('year_end.computed', 'The lines of a closing entry follow from the books. Remove the draft and '
      + 'prepare it again.');
  }
}

export const yearEndRoutes: Route[] = serve(yearEndEndpoints, {
  list: async (ctx, { query }) => ({ data: await fiscalYears(ctx, query.division) }),
  async close(ctx, { body }) {
    const id = await prepare(ctx, body.division, body.ends);
    await ctx.audit({ action: 'create', entity: 'transaction', entity_id: id,
      after: { kind: 'year_end_close', ...body } });
    await notifyApprovers(ctx, transactionEndpoints.post, { title: `${nameOf(body)} awaits posting`,
      href: hrefOf(id) });
    return { data: { transaction_id: id } };
  },
  async decline(ctx, { params, body }) {
    await decline(ctx, params.id, body.reason);
    return { data: { transaction_id: params.id } };
  },
});
