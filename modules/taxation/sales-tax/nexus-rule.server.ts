/** Nexus rules: counts of each state before a seller has to register there; in force from a day on, never removed. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { stale } from '#server/crud.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { NexusRuleRow, salesTaxEndpoints } from './sales-tax.contract.ts';

export function nexusRules(db: Queryable): Promise<NexusRuleRow[]> {
  return db.query<NexusRuleRow>(sql`
    select id, state, threshold_minor, transactions, needs_both, measure, counted_over, valid_from, source,
      created_by_id is not null or version > 1 as is_verified, version
    from nexus_rules order by state, valid_from desc`);
}

const rowOf = async (db: Queryable, id: number): Promise<NexusRuleRow> =>
  (await nexusRules(db)).find((rule) => rule.id === id)!;

function checkThresholds({ threshold_minor, transactions, needs_both }:
Pick<NexusRuleRow, 'threshold_minor' | 'transactions' | 'needs_both'>): void {
  if (threshold_minor === null && transactions === null) {
    throw invalidField('threshold_minor', 'Enter sales, a number of sales, or both');
  }
  if (needs_both && (threshold_minor === null || transactions === null)) {
    throw invalidField('needs_both', 'Enter sales and a number of sales, or clear this box');
  }
}

export async function enterRule(ctx: Ctx, body: BodyOf<typeof salesTaxEndpoints.enterRule>): Promise<NexusRuleRow> {
  checkThresholds(body);
  const made = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into nexus_rules (state, threshold_minor, transactions, needs_both, measure, counted_over, valid_from,
      source, created_by_id)
    values (${body.state}, ${body.threshold_minor}, ${body.transactions}, ${body.needs_both}, ${body.measure},
      ${body.counted_over}, ${body.valid_from}, ${body.source}, ${ctx.user.user_id})
    on conflict (state, valid_from) do nothing returning id`);
  if (!made) throw invalidField('valid_from', 'The state has a rule from this day already: correct that one');
  const row = await rowOf(ctx.db, made.id);
  await ctx.audit({ action: 'create', entity: 'nexus_rule', entity_id: made.id, after: row });
  return row;
}

export async function changeRule(
  ctx: Ctx, id: number, body: BodyOf<typeof salesTaxEndpoints.changeRule>,
): Promise<NexusRuleRow> {
  await ctx.db.exec(sql`select 1 from nexus_rules where id = ${id} for update`);
  const before = (await nexusRules(ctx.db)).find((rule) => rule.id === id);
  if (!before) throw refuse('not_found');
  if (before.version !== body.version) throw stale(before);
  checkThresholds(body);
  await ctx.db.exec(sql`
    update nexus_rules set threshold_minor = ${body.threshold_minor}, transactions = ${body.transactions},
      needs_both = ${body.needs_both}, measure = ${body.measure}, counted_over = ${body.counted_over},
      source = ${body.source}, version = version + 1 where id = ${id}`);
  const after = await rowOf(ctx.db, id);
  await ctx.audit({ action: 'update', entity: 'nexus_rule', entity_id: id, before, after });
  return after;
}
