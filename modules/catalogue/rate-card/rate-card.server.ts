/** Rate cards: drafts are replaced as a whole, another person approves, a newer card ends the older one. */
import { conflict, invalid, invalidField, refuse } from '#kit/errors.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import { declineDraft, declineOf } from '#server/approval-source.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { join, mentions, name, sql, type Sql } from '#server/sql.ts';
import { rateCardEndpoints, type RateCardInput, type RateCardRow } from './rate-card.contract.ts';
import { cardInWords, rateCardProblems, tidyCard } from './rate-card-rules.ts';

const COLUMNS = ['show_id', 'category', 'division', 'customer_classification_id', 'name', 'effective_from',
  'effective_to', 'currency', 'fee_method', 'greater_of_first', 'greater_of_second', 'rate_ppm', 'gross_basis',
  'flat_run_minor', 'min_per_performance_minor', 'min_per_run_minor', 'min_per_week_minor', 'min_performances',
  'guarantee_scope', 'full_week_performances', 'empty_week_owes_minimum', 'minimum_counts_toward_advance',
  'week_start', 'round_up_to_minor', 'round_up_scope', 'advance_minor', 'true_up',
  'free_admission_kind', 'free_admission_ppm', 'free_admission_minor',
  'show_package_id', 'deposit_kind', 'deposit_minor', 'execution_policy', 'notes'] as const;

/** The rows below a card: table, columns, order. */
const PARTS = {
  performance_tiers: ['rate_card_performance_tiers', ['from_n', 'amount_minor'], 'from_n'],
  seat_bands: ['rate_card_seat_bands', ['from_seats', 'to_seats', 'amount_minor'], 'from_seats'],
  gross_tiers: ['rate_card_gross_tiers', ['from_gross_minor', 'rate_ppm', 'mode', 'after_recoupment'],
    'from_gross_minor'],
  deductions: ['rate_card_deductions', ['type', 'cap_ppm'], 'type'],
} as const;
type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as Part[];

function partRows(part: Part): Sql {
  const [table, , order] = PARTS[part];
  return sql`coalesce((
    select jsonb_agg(to_jsonb(p) - array['id', 'rate_card_id', 'created_at'] order by p.${name(order)}, p.id)
    from ${name(table)} p where p.rate_card_id = t.id), '[]') as ${name(part)}`;
}

const ROW = join([
  ...['id', ...COLUMNS, 'status', 'author_id', 'approved_by_id', 'approved_at', 'version', 'created_at',
    'updated_at'].map((column) => sql`t.${name(column)}`),
  ...PART_NAMES.map(partRows),
  sql`s.title as show_title`, sql`c.name as classification_name`, sql`p.name as package_name`,
  sql`a.first_name || ' ' || a.last_name as author_name`, sql`b.first_name || ' ' || b.last_name as approved_by_name`,
  sql`${declineOf('rate_card', sql`t.id`, sql`t.version`)} as declined`,
]);
const JOINS = sql`left join shows s on s.id = t.show_id
  left join customer_classifications c on c.id = t.customer_classification_id
  left join show_packages p on p.id = t.show_package_id
  left join users a on a.id = t.author_id left join users b on b.id = t.approved_by_id`;

type StoredCard = Omit<RateCardRow, 'in_words'>;

const spoken = (row: StoredCard): RateCardRow => ({ ...row, in_words: cardInWords(row) });

async function find(db: Queryable, id: number, lock = false): Promise<RateCardRow> {
  const row = await db.maybeOne<StoredCard>(sql`
    select ${ROW} from rate_cards t ${JOINS} where t.id = ${id} ${lock ? sql`for update of t` : sql``}`);
  if (!row) throw refuse('not_found');
  return spoken(row);
}

/** A draft; its author is who wrote it last, so that nobody approves terms of his own. */
export async function createRateCard(ctx: WorkContext, input: RateCardInput): Promise<RateCardRow> {
  const card = await checked(ctx.db, input);
  const values = COLUMNS.map((column) => sql`${card[column]}`);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into rate_cards (${join(COLUMNS.map((column) => name(column)))}, author_id)
    values (${join(values)}, ${ctx.actor.actor_id}) returning id`);
  await writeParts(ctx.db, id, card);
  const after = await find(ctx.db, id);
  await ctx.audit({ action: 'create', entity: 'rate_card', entity_id: id, after });
  await tellApprovers(ctx, after);
  return after;
}

async function updateRateCard(
  ctx: WorkContext, id: number, input: RateCardInput & { version: number },
): Promise<RateCardRow> {
  const before = await find(ctx.db, id, true);
  refuseUnlessDraft(before);
  if (before.version !== input.version) throw stale(before);
  const card = await checked(ctx.db, input);
  const sets = COLUMNS.map((column) => sql`${name(column)} = ${card[column]}`);
  await ctx.db.exec(sql`update rate_cards set ${join(sets)}, author_id = ${ctx.actor.actor_id},
    version = version + 1 where id = ${id}`);
  await deleteParts(ctx.db, id);
  await writeParts(ctx.db, id, card);
  const after = await find(ctx.db, id);
  await ctx.audit({ action: 'update', entity: 'rate_card', entity_id: id, before, after });
  await tellApprovers(ctx, after);
  return after;
}

/**
 * Puts a draft in force. A card of the same show, category, division and classification that began earlier ends the
 * day before (when the new one has no end of its own), one that began the same day is superseded.
 */
export async function approveRateCard(
  ctx: WorkContext, input: { rate_card_id: number; version?: number },
): Promise<RateCardRow> {
  const before = await find(ctx.db, input.rate_card_id, true);
  refuseUnlessDraft(before);
  if (input.version !== undefined && before.version !== input.version) throw stale(before);
  if (before.author_id !== null && before.author_id === ctx.actor.actor_id) {
    throw refuse('four_eyes', 'Someone other than its author has to approve a rate card.');
  }
  await endOlderCards(ctx.db, before);
  await ctx.db.exec(sql`update rate_cards set status = 'approved', approved_by_id = ${ctx.actor.actor_id},
    approved_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${before.id}`);
  const after = await find(ctx.db, before.id);
  await ctx.audit({ action: 'approve', entity: 'rate_card', entity_id: before.id, before, after });
  await notifyAsker(ctx, before.author_id, { title: `${nameOf(before)} approved`, href: await hrefOf(ctx.db, before) });
  return after;
}

/** The author reads why; a change of the draft makes it wait again. */
async function declineRateCard(ctx: WorkContext, id: number, version: number, reason: string): Promise<RateCardRow> {
  const before = await find(ctx.db, id, true);
  refuseUnlessDraft(before);
  if (before.version !== version) throw stale(before);
  if (before.author_id !== null && before.author_id === ctx.actor.actor_id) throw refuse('four_eyes');
  await declineDraft(ctx, { entity: 'rate_card', id, version, reason });
  await notifyAsker(ctx, before.author_id, { title: `${nameOf(before)} declined`, body: reason,
    href: await hrefOf(ctx.db, before) });
  return find(ctx.db, id);
}

const nameOf = (card: RateCardRow): string =>
  `Rate card: ${[card.show_title ?? 'All shows', card.category, card.division].join(', ')}`;

/** The cards that price every show have no page of their own: the approvals do. */
async function hrefOf(db: Queryable, card: RateCardRow): Promise<string> {
  const show = await db.maybeOne<{ type: string }>(sql`select type from shows where id = ${card.show_id}`);
  return show ? `/admin/${show.type}s/${card.show_id}/rate-cards` : '/admin/approvals?kind=rate_card';
}

/** Once for each author of the draft and again after a decline, not at every save. */
async function tellApprovers(ctx: WorkContext, card: RateCardRow): Promise<void> {
  const { declines } = await ctx.db.one<{ declines: number }>(sql`
    select count(*)::int as declines from approval_declines where entity = 'rate_card' and entity_id = ${card.id}`);
  await notifyApprovers(ctx, rateCardEndpoints.approve, { title: `${nameOf(card)} awaits approval`,
    href: await hrefOf(ctx.db, card), key: `approval/rate_card/${card.id}/${card.author_id ?? 0}/${declines}` });
}

async function endOlderCards(db: Queryable, card: RateCardRow): Promise<void> {
  const same = sql`status = 'approved' and id <> ${card.id} and show_id is not distinct from ${card.show_id}
    and category = ${card.category} and division = ${card.division}
    and customer_classification_id is not distinct from ${card.customer_classification_id}`;
  const other = await db.maybeOne<{ currency: string }>(sql`
    select currency from rate_cards where ${same} and effective_from = ${card.effective_from}
      and currency <> ${card.currency}`);
  if (other) {
    throw conflict('rate_card.same_start', `A card in ${other.currency} starts the same day. Choose another day.`);
  }
  await db.exec(sql`update rate_cards set status = 'superseded', version = version + 1
    where ${same} and effective_from = ${card.effective_from}`);
  if (card.effective_to !== null) return;
  await db.exec(sql`update rate_cards set effective_to = ${card.effective_from}::date - 1, version = version + 1
    where ${same} and currency = ${card.currency} and effective_from < ${card.effective_from}
      and (effective_to is null or effective_to >= ${card.effective_from})`);
}

function refuseUnlessDraft(card: RateCardRow): void {
  if (card.status !== 'draft') {
    throw conflict('rate_card.not_draft',
      `This card is ${card.status} and no longer changes. Draft a new one from it.`, { status: card.status });
  }
}

async function checked(db: Queryable, input: RateCardInput): Promise<RateCardInput> {
  const problems = rateCardProblems(input);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  const card = tidyCard(input);
  if (card.show_id !== null) {
    const show = await db.maybeOne(sql`select 1 from shows where id = ${card.show_id} and deleted_at is null`);
    if (!show) throw invalidField('show_id', 'This show does not exist');
  }
  if (card.customer_classification_id !== null) {
    const known = await db.maybeOne(sql`select 1 from customer_classifications
      where id = ${card.customer_classification_id} and deleted_at is null`);
    if (!known) throw invalidField('customer_classification_id', 'This classification does not exist');
  }
  if (card.show_package_id !== null) {
    const fits = await db.maybeOne(sql`select 1 from show_packages where id = ${card.show_package_id}
      and show_id is not distinct from ${card.show_id} and division = ${card.division}
      and currency = ${card.currency}`);
    if (!fits) throw invalidField('show_package_id', 'Choose a package of this show, division and currency');
  }
  return card;
}

async function writeParts(db: Queryable, id: number, card: RateCardInput): Promise<void> {
  for (const part of PART_NAMES) {
    const [table, columns] = PARTS[part];
    for (const row of card[part] as Record<string, unknown>[]) {
      await db.exec(sql`insert into ${name(table)} (rate_card_id, ${join(columns.map((column) => name(column)))})
        values (${id}, ${join(columns.map((column) => sql`${row[column]}`))})`);
    }
  }
}

async function deleteParts(db: Queryable, id: number): Promise<void> {
  for (const part of PART_NAMES) await db.exec(sql`delete from ${name(PARTS[part][0])} where rate_card_id = ${id}`);
}

export const rateCardRoutes: Route[] = serve(rateCardEndpoints, {
  async list(ctx, { query }) {
    const conditions = compact([
      query.show_id !== undefined && sql`t.show_id = ${query.show_id}`,
      query.category !== undefined && sql`t.category = ${query.category}`,
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.on !== undefined && sql`t.effective_from <= ${query.on}
        and (t.effective_to is null or t.effective_to >= ${query.on})`,
      query.search !== undefined && mentions(sql`t.name`, query.search),
    ]);
    const page = await listPage<RateCardRow>(ctx.db, {
      base: sql`rate_cards t`, columns: ROW, joins: JOINS, conditions,
      sorts: { effective_from: sql`t.effective_from`, updated_at: sql`t.updated_at` },
      defaultSort: 'effective_from', defaultDirection: 'desc',
    }, query, rateCardEndpoints.list.path);
    return { ...page, data: page.data.map(spoken) };
  },
  show: async (ctx, { params }) => ({ data: await find(ctx.db, params.id) }),
  create: async (ctx, { body }) => ({ data: await createRateCard(ctx, body) }),
  update: async (ctx, { params, body }) => ({ data: await updateRateCard(ctx, params.id, body) }),
  async remove(ctx, { params }) {
    const before = await find(ctx.db, params.id, true);
    refuseUnlessDraft(before);
    await deleteParts(ctx.db, params.id);
    await ctx.db.exec(sql`delete from rate_cards where id = ${params.id}`);
    await ctx.audit({ action: 'remove', entity: 'rate_card', entity_id: params.id, before });
  },
  approve: async (ctx, { params, body }) =>
    ({ data: await approveRateCard(ctx, { rate_card_id: params.id, version: body.version }) }),
  decline: async (ctx, { params, body }) =>
    ({ data: await declineRateCard(ctx, params.id, body.version, body.reason) }),
});
