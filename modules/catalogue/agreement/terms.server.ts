/** Terms of agreements: every saving is judged with all agreements of the show. */
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { pageOf, type Page } from '#server/list.ts';
import { join, name, sql, textMentions } from '#server/sql.ts';
import type { TermInput, TermRow } from './agreement.contract.ts';
import {
  firstOverCommitted, lockShowShares, overCommittedText, showAgreements, TERM_COLUMNS,
} from './show-shares.server.ts';
import { termInWords } from './term-words.ts';

const ROW = sql`t.id, t.show_royaltor_id, t.priority, t.match_count, t.version, t.created_at, t.updated_at,
  ${join(TERM_COLUMNS.map((column) => sql`t.${name(column)}`))},
  coalesce((select jsonb_agg(jsonb_build_object('from_minor', y.from_minor, 'rate_ppm', y.rate_ppm,
    'after_recoupment', y.after_recoupment) order by y.from_minor) from royalty_term_tiers y
    where y.royalty_term_id = t.id), '[]') as tiers,
  o.name as add_on_name, c.name as classification_name,
  exists (select 1 from royalty_accruals x where x.matched_term_id = t.id) as used`;
const JOINS = sql`left join add_ons o on o.id = t.match_add_on_id
  left join customer_classifications c on c.id = t.match_customer_classification_id`;
/** The order in which terms are tried: the more specific first (domain.md 3.2). */
const ORDER = sql`t.match_count desc, t.priority desc, t.id`;

type StoredTerm = Omit<TermRow, 'in_words'>;

const spoken = (row: StoredTerm): TermRow => ({ ...row, in_words: termInWords(row) });

async function termsOf(db: Queryable, agreementId: number): Promise<TermRow[]> {
  const rows = await db.query<StoredTerm>(sql`
    select ${ROW} from royalty_terms t ${JOINS} where t.show_royaltor_id = ${agreementId} order by ${ORDER}`);
  return rows.map(spoken);
}

export async function listTerms(db: Queryable, agreementId: number, args: ListArgs): Promise<Page<TermRow>> {
  const rows = await termsOf(db, agreementId);
  const start = (args.page - 1) * args.per_page;
  const found = args.search === undefined ? rows
    : rows.filter((row) => textMentions(row.in_words, args.search!));
  return pageOf(found.slice(start, start + args.per_page), found.length, args,
    `/api/admin/staff/show_royaltors/${agreementId}/terms`);
}

async function find(db: Queryable, agreementId: number, id: number): Promise<TermRow> {
  const row = await db.maybeOne<StoredTerm>(sql`
    select ${ROW} from royalty_terms t ${JOINS} where t.id = ${id} and t.show_royaltor_id = ${agreementId}`);
  if (!row) throw refuse('not_found');
  return spoken(row);
}

/** Locks the show of the agreement; answers what the judgement needs. */
async function openAgreement(db: Queryable, agreementId: number) {
  const row = await db.maybeOne<{ show_id: number; payer_division: string; status: string }>(sql`
    select show_id, payer_division, status from show_royaltors where id = ${agreementId} and deleted_at is null`);
  if (!row) throw refuse('not_found');
  await lockShowShares(db, row.show_id);
  return row;
}

function checkFields(input: TermInput): void {
  const wrong = (field: string, text: string): never => { throw invalidField(field, text); };
  const perUnit = input.basis === 'per_performance_amount' || input.basis === 'per_unit';
  if (perUnit && input.unit_amount_minor === null) wrong('unit_amount_minor', 'Name the amount');
  if (!perUnit && input.unit_amount_minor !== null) {
    wrong('unit_amount_minor', 'An amount belongs to the bases per unit');
  }
  if (input.basis === 'at_source' && input.source_commission_ppm === null) {
    wrong('source_commission_ppm', 'Name what the sub-agent keeps');
  }
  if (input.basis !== 'at_source' && input.source_commission_ppm !== null) {
    wrong('source_commission_ppm', 'Only the basis at source has a sub-agent');
  }
  checkPool(input, wrong);
  if (input.match_date_from && input.match_date_to && input.match_date_to < input.match_date_from) {
    wrong('match_date_to', 'The last day is not before the first');
  }
  input.tiers.forEach((tier, i) => {
    const same = input.tiers.findIndex((other) => other.from_minor === tier.from_minor
      && other.after_recoupment === tier.after_recoupment);
    if (same < i) wrong(`tiers.${i}.from_minor`, 'This amount has a rate already');
  });
}

/** A pool has its points, its guarantee and no other minimum; it is of the royalties of weeks. */
function checkPool(input: TermInput, wrong: (field: string, text: string) => never): void {
  const { pool_points_x100: own, pool_total_points_x100: all } = input;
  if (input.basis !== 'pool_points') {
    for (const field of POOL_FIELDS) {
      if (input[field] !== null) wrong(field, 'This belongs to a royalty pool');
    }
    return;
  }
  if (input.pool_of === null) wrong('pool_of', 'Choose what the pool is a part of');
  if (own === null) wrong('pool_points_x100', 'Enter the points of this royaltor');
  if (all === null) wrong('pool_total_points_x100', 'Enter the points of the whole pool');
  if (own! > all!) wrong('pool_points_x100', 'More than the points of the whole pool');
  if (input.pool_min_per_point_minor === null) {
    wrong('pool_min_per_point_minor', 'Enter the guarantee per point and week; 0 where there is none');
  }
  if (input.match_income_types.length !== 1 || input.match_income_types[0] !== 'royalty') {
    wrong('match_income_types', 'A pool is of royalties: choose Royalty as the only income');
  }
  if (input.min_per_performance_minor !== null) {
    wrong('min_per_performance_minor', 'A pool has its own guarantee, per point and week');
  }
  input.tiers.forEach((tier, i) => {
    if (!tier.after_recoupment) wrong(`tiers.${i}.after_recoupment`, 'A pool has one other rate, once recouped');
    if (tier.from_minor !== 0) wrong(`tiers.${i}.from_minor`, 'A pool has no steps: enter 0');
  });
}

const POOL_FIELDS = ['pool_of', 'pool_min_per_point_minor', 'pool_points_x100', 'pool_total_points_x100'] as const;

async function checkReferences(db: Queryable, input: TermInput, showId: number): Promise<void> {
  if (input.match_add_on_id !== null && !await db.maybeOne(sql`
    select 1 from add_ons where id = ${input.match_add_on_id} and show_id = ${showId} and deleted_at is null`)) {
    throw invalidField('match_add_on_id', 'Choose an add-on of this show');
  }
  if (input.match_customer_classification_id !== null && !await db.maybeOne(sql`select 1 from customer_classifications
    where id = ${input.match_customer_classification_id} and deleted_at is null`)) {
    throw invalidField('match_customer_classification_id', 'This classification does not exist');
  }
}

/** After the write, inside its transaction: more than the whole rolls it back at `field`. */
async function judge(
  ctx: WorkContext, agreementId: number, opened: { show_id: number; payer_division: string }, field: string,
): Promise<void> {
  const all = await showAgreements(ctx.db, opened.show_id, agreementId);
  const over = firstOverCommitted(all, await ctx.today(opened.payer_division));
  if (over) throw invalidField(field, overCommittedText(over));
}

async function writeTiers(db: Queryable, id: number, input: TermInput): Promise<void> {
  await db.exec(sql`delete from royalty_term_tiers where royalty_term_id = ${id}`);
  for (const tier of input.tiers) {
    await db.exec(sql`insert into royalty_term_tiers (royalty_term_id, from_minor, rate_ppm, after_recoupment)
      values (${id}, ${tier.from_minor}, ${tier.rate_ppm}, ${tier.after_recoupment})`);
  }
}

export async function createTerm(ctx: WorkContext, agreementId: number, input: TermInput): Promise<TermRow> {
  const opened = await openAgreement(ctx.db, agreementId);
  checkFields(input);
  await checkReferences(ctx.db, input, opened.show_id);
  const id = await insertTerm(ctx.db, agreementId, input);
  await judge(ctx, agreementId, opened, 'rate_ppm');
  const after = await find(ctx.db, agreementId, id);
  await ctx.audit({ action: 'create_term', entity: 'show_royaltor', entity_id: agreementId, after });
  return after;
}

async function insertTerm(db: Queryable, agreementId: number, input: TermInput): Promise<number> {
  const { id } = await db.one<{ id: number }>(sql`
    insert into royalty_terms (show_royaltor_id, ${join(TERM_COLUMNS.map((column) => name(column)))})
    values (${agreementId}, ${join(TERM_COLUMNS.map((column) => sql`${input[column]}`))}) returning id`);
  await writeTiers(db, id, input);
  return id;
}

/**
 * Ends a term the day before `match_date_from` and adds the one that follows it: what money was computed with stays
 * as it was (spec X48). Both are judged together.
 */
export async function followTerm(
  ctx: WorkContext, agreementId: number, id: number, input: TermInput & { match_date_from: string; version: number },
): Promise<TermRow> {
  const opened = await openAgreement(ctx.db, agreementId);
  const before = await find(ctx.db, agreementId, id);
  if (before.version !== input.version) throw stale(before);
  checkFields(input);
  await checkReferences(ctx.db, input, opened.show_id);
  const last = addDays(input.match_date_from, -1);
  if (before.match_date_from !== null && last < before.match_date_from) {
    throw invalidField('match_date_from', `The term it follows begins on ${dateInWords(before.match_date_from)}`);
  }
  await refuseBeforeAccruals(ctx.db, id, last, 'match_date_from');
  await ctx.db.exec(sql`update royalty_terms set match_date_to = ${last}, version = version + 1 where id = ${id}`);
  const next = await insertTerm(ctx.db, agreementId, input);
  await judge(ctx, agreementId, opened, 'rate_ppm');
  const after = await find(ctx.db, agreementId, next);
  await ctx.audit({ action: 'follow_term', entity: 'show_royaltor', entity_id: agreementId, before, after });
  return after;
}

export async function updateTerm(
  ctx: WorkContext, agreementId: number, id: number, input: TermInput & { version: number },
): Promise<TermRow> {
  const opened = await openAgreement(ctx.db, agreementId);
  const before = await find(ctx.db, agreementId, id);
  if (before.version !== input.version) throw stale(before);
  checkFields(input);
  await checkReferences(ctx.db, input, opened.show_id);
  if (before.used) await refuseUnlessEnding(ctx.db, before, input);
  await ctx.db.exec(sql`update royalty_terms set
    ${join(TERM_COLUMNS.map((column) => sql`${name(column)} = ${input[column]}`))}, version = version + 1
    where id = ${id}`);
  if (!before.used) await writeTiers(ctx.db, id, input);
  await judge(ctx, agreementId, opened, 'rate_ppm');
  const after = await find(ctx.db, agreementId, id);
  await ctx.audit({ action: 'update_term', entity: 'show_royaltor', entity_id: agreementId, before, after });
  return after;
}

/** A term that accruals were computed with is ended and followed by another, never edited. */
async function refuseUnlessEnding(db: Queryable, before: TermRow, input: TermInput): Promise<void> {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const changed = [...TERM_COLUMNS, 'tiers' as const]
    .filter((column) => column !== 'match_date_to' && !same(before[column], input[column]));
  if (changed.length > 0) {
    throw conflict('royalty_term.used', 'Royalties were accrued with this term. End it and add the one that follows.',
      { changed });
  }
  if (input.match_date_to !== null) await refuseBeforeAccruals(db, before.id, input.match_date_to, 'match_date_to');
}

async function refuseBeforeAccruals(db: Queryable, id: number, ends: string, field: string): Promise<void> {
  const { day } = await db.one<{ day: string | null }>(sql`
    select max(occurred_on) as day from royalty_accruals where matched_term_id = ${id}`);
  if (day === null || ends >= day) return;
  throw invalidField(field, `Royalties were accrued with this term up to ${dateInWords(day)}`);
}

export async function removeTerm(ctx: WorkContext, agreementId: number, id: number): Promise<void> {
  const opened = await openAgreement(ctx.db, agreementId);
  const before = await find(ctx.db, agreementId, id);
  if (before.used) throw conflict('royalty_term.used', 'Royalties were accrued with this term. End it instead.');
  const left = await ctx.db.one<{ n: number }>(sql`
    select count(*) as n from royalty_terms where show_royaltor_id = ${agreementId}`);
  if (opened.status === 'active' && left.n === 1) {
    throw conflict('show_royaltor.no_terms', 'An agreement in force keeps at least one term.');
  }
  await ctx.db.exec(sql`delete from royalty_term_tiers where royalty_term_id = ${id}`);
  await ctx.db.exec(sql`delete from royalty_terms where id = ${id}`);
  // A narrow term may have held back a wider one that promises more.
  await judge(ctx, agreementId, opened, 'id');
  await ctx.audit({ action: 'remove_term', entity: 'show_royaltor', entity_id: agreementId, before });
}

/** The first of the list gets the highest priority; only equally specific terms are affected by it. */
export async function orderTerms(ctx: WorkContext, agreementId: number, ids: readonly number[]): Promise<TermRow[]> {
  const opened = await openAgreement(ctx.db, agreementId);
  const before = await termsOf(ctx.db, agreementId);
  const known = new Set(before.map((term) => term.id));
  if (ids.length !== known.size || new Set(ids).size !== ids.length || ids.some((id) => !known.has(id))) {
    throw invalidField('term_ids', 'Name every term of the agreement once');
  }
  await ctx.db.exec(sql`update royalty_terms t set priority = ${ids.length} - o.n
    from unnest(${ids}::bigint[]) with ordinality o (id, n) where t.id = o.id`);
  await judge(ctx, agreementId, opened, 'term_ids');
  const after = await termsOf(ctx.db, agreementId);
  await ctx.audit({ action: 'order_terms', entity: 'show_royaltor', entity_id: agreementId,
    before: before.map((term) => term.id), after: after.map((term) => term.id) });
  return after;
}
