/** Filing calendars of the states; in force from a day on, never removed, unverified until a person confirms them. */
import { filingDueOn, filingPeriodOn, type FilingPeriod, type FilingRule } from '#kernel/tax/filing-calendar.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { stale } from '#server/crud.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { FilingRuleRow, salesTaxReturnEndpoints } from './sales-tax-return.contract.ts';

export function filingRules(db: Queryable, division: string): Promise<FilingRuleRow[]> {
  return db.query<FilingRuleRow>(sql`
    select r.id, r.division, r.state, r.frequency, r.first_month, r.due_day, r.discount_ppm, r.discount_cap_minor,
      r.valid_from, r.source, u.first_name || ' ' || u.last_name as confirmed_by_name, r.confirmed_at, r.version
    from filing_rules r left join users u on u.id = r.confirmed_by_id
    where r.division = ${division} order by r.state, r.valid_from desc`);
}

export type KernelFilingRule = FilingRule & { row: FilingRuleRow };

export async function kernelFilingRules(db: Queryable, division: string): Promise<KernelFilingRule[]> {
  return (await filingRules(db, division)).map((row) => ({ ...row, row, discount_ppm: BigInt(row.discount_ppm),
    discount_cap_minor: row.discount_cap_minor === null ? null : BigInt(row.discount_cap_minor) }));
}

/** The filing period of a state around a day with its due date; null where no rule is entered. */
export async function periodAround(db: Queryable, of: { division: string; state: string; on: string }):
Promise<FilingPeriod<KernelFilingRule> & { due_on: string } | null> {
  const found = filingPeriodOn(await kernelFilingRules(db, of.division), of.state, of.on);
  if (found === null) return null;
  const rows = await db.query<{ on: string }>(sql`
    select on_date as on from holidays where division = ${of.division} and on_date > ${found.to}`);
  return { ...found, due_on: filingDueOn(found.rule, found.to, rows.map((row) => row.on)) };
}

async function lockedRule(ctx: Ctx, id: number, version: number): Promise<FilingRuleRow> {
  const known = await ctx.db.maybeOne<{ division: string }>(sql`
    select division from filing_rules where id = ${id} for update`);
  const row = known && (await filingRules(ctx.db, known.division)).find((one) => one.id === id);
  if (!row) throw refuse('not_found');
  if (row.version !== version) throw stale(row);
  return row;
}

const rowOf = async (db: Queryable, of: { id: number; division: string }): Promise<FilingRuleRow> =>
  (await filingRules(db, of.division)).find((one) => one.id === of.id)!;

function checkDiscount(
  { discount_ppm, discount_cap_minor }: Pick<FilingRuleRow, 'discount_ppm' | 'discount_cap_minor'>,
): void {
  if (discount_cap_minor !== null && discount_ppm === 0) {
    throw invalidField('discount_cap_minor', 'Enter the discount, or clear its limit');
  }
}

export async function enterFilingRule(ctx: Ctx, body: BodyOf<typeof salesTaxReturnEndpoints.enterRule>):
Promise<FilingRuleRow> {
  checkDiscount(body);
  const made = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into filing_rules (division, state, frequency, first_month, due_day, discount_ppm, discount_cap_minor,
      valid_from, source, created_by_id)
    values (${body.division}, ${body.state}, ${body.frequency}, ${body.first_month}, ${body.due_day},
      ${body.discount_ppm}, ${body.discount_cap_minor}, ${body.valid_from}, ${body.source}, ${ctx.user.user_id})
    on conflict (division, state, valid_from) do nothing returning id`);
  if (!made) throw invalidField('valid_from', 'The state has a calendar from this day already: correct that one');
  const row = await rowOf(ctx.db, { id: made.id, division: body.division });
  await ctx.audit({ action: 'create', entity: 'filing_rule', entity_id: made.id, after: row });
  return row;
}

/** A corrected rule is compared again. */
export async function changeFilingRule(
  ctx: Ctx, id: number, body: BodyOf<typeof salesTaxReturnEndpoints.changeRule>,
): Promise<FilingRuleRow> {
  const before = await lockedRule(ctx, id, body.version);
  checkDiscount(body);
  await ctx.db.exec(sql`
    update filing_rules set frequency = ${body.frequency}, first_month = ${body.first_month},
      due_day = ${body.due_day}, discount_ppm = ${body.discount_ppm}, discount_cap_minor = ${body.discount_cap_minor},
      source = ${body.source}, confirmed_by_id = null, confirmed_at = null, version = version + 1 where id = ${id}`);
  const after = await rowOf(ctx.db, before);
  await ctx.audit({ action: 'update', entity: 'filing_rule', entity_id: id, before, after });
  return after;
}

export async function confirmFilingRule(ctx: Ctx, id: number, version: number): Promise<FilingRuleRow> {
  const before = await lockedRule(ctx, id, version);
  if (before.confirmed_at !== null) {
    throw conflict('filing_rule.confirmed', 'This calendar was compared and confirmed before.');
  }
  await ctx.db.exec(sql`
    update filing_rules set confirmed_by_id = ${ctx.user.user_id}, confirmed_at = ${ctx.now().toISOString()},
      version = version + 1 where id = ${id}`);
  const after = await rowOf(ctx.db, before);
  await ctx.audit({ action: 'confirm', entity: 'filing_rule', entity_id: id, before, after });
  return after;
}
