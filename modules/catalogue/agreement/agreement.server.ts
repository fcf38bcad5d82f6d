/** Agreements of royaltors with shows. */
import { formatRate } from '#kernel/money/money.ts';
import { shareMatrix } from '#kernel/royalties/share-matrix.ts';
import { INCOME_TYPES } from '#kernel/royalties/terms.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { crud, stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { postOpening } from '#modules/royalties/royalties.public.server.ts';
import { CATEGORIES } from '../rate-card/rate-card.contract.ts';
import { agreementMatches } from './agreement-shares.server.ts';
import { agreement, agreementEndpoints, type AgreementInput, type AgreementRow } from './agreement.contract.ts';
import { groupFor } from './cross-group.server.ts';
import {
  changingDays, firstOverCommitted, inForce, line, lockShowShares, overCommittedText, showAgreements,
} from './show-shares.server.ts';
import { createTerm, followTerm, listTerms, orderTerms, removeTerm, updateTerm } from './terms.server.ts';

const agreements = crud(agreement, {
  table: 'show_royaltors', trash: true, search: null,
  sorts: {
    royaltor_name: sql`(select x.name from royaltors x where x.id = t.royaltor_id) collate "und-x-icu"`,
    show_title: sql`(select x.sort_title from shows x where x.id = t.show_id) collate "und-x-icu"`,
  },
  joins: sql`join shows s on s.id = t.show_id join royaltors r on r.id = t.royaltor_id
    left join royaltors g on g.id = t.agent_royaltor_id
    left join cross_collateral_groups x on x.id = t.cross_collateral_group_id`,
  extra: {
    show_title: sql`s.title`, show_type: sql`s.type`, royaltor_name: sql`r.name`, royaltor_number: sql`r.number`,
    agent_name: sql`g.name`, group_name: sql`x.name`,
    term_count: sql`(select count(*) from royalty_terms x where x.show_royaltor_id = t.id)`,
  },
  filter: agreementMatches,
  unique: { show_royaltors_active:
    ['royaltor_id', 'This royaltor has an agreement for this show in this role already; number the contracts'] },
});

type Values = { [K in keyof AgreementInput]?: AgreementInput[K] | undefined };

function checkFields(row: Values): void {
  const wrong = (field: string, text: string): never => { throw invalidField(field, text); };
  if (row.term_from && row.term_to && row.term_to < row.term_from) {
    wrong('term_to', 'The last day is not before the first');
  }
  const whole = (row.reserve_schedule_ppm ?? []).reduce((total, part) => total + part, 0);
  if ((row.reserve_schedule_ppm ?? []).length > 0 && whole !== 1_000_000) {
    wrong('reserve_schedule_ppm', `The parts make ${formatRate(BigInt(whole))}; together they are 100%`);
  }
  if ((row.agent_ppm ?? 0) > 1_000_000) wrong('agent_ppm', 'At most 100%');
  if ((row.agent_ppm ?? 0) > 0 && row.agent_royaltor_id == null) wrong('agent_royaltor_id', 'Name the agent');
  if ((row.agent_ppm ?? 0) > 0 && row.agent_pays == null) wrong('agent_pays', 'Say how the agent is paid');
  if (row.agent_royaltor_id != null && row.agent_royaltor_id === row.royaltor_id) {
    wrong('agent_royaltor_id', 'Nobody is his own agent');
  }
}

async function checkReferences(db: Queryable, row: Values): Promise<void> {
  const missing = async (table: 'shows' | 'royaltors', id: number): Promise<boolean> => !await db.maybeOne(
    table === 'shows' ? sql`select 1 from shows where id = ${id} and deleted_at is null`
      : sql`select 1 from royaltors where id = ${id} and deleted_at is null`);
  if (row.show_id !== undefined && await missing('shows', row.show_id)) {
    throw invalidField('show_id', 'This show does not exist');
  }
  if (row.royaltor_id !== undefined && await missing('royaltors', row.royaltor_id)) {
    throw invalidField('royaltor_id', 'This royaltor does not exist');
  }
  if (row.agent_royaltor_id != null && await missing('royaltors', row.agent_royaltor_id)) {
    throw invalidField('agent_royaltor_id', 'This royaltor does not exist');
  }
}

function toColumns<T extends Values>(values: T): T {
  const texts = (['share_label', 'contract_no'] as const).filter((key) => values[key] === null).map((key) => [key, '']);
  return { ...values, ...Object.fromEntries(texts) };
}

/** A new agreement without terms; terms come through `addTerm`. */
export async function createAgreement(ctx: WorkContext, input: AgreementInput): Promise<AgreementRow> {
  checkFields(input);
  await checkReferences(ctx.db, input);
  const { data } = await agreements.create(ctx as Ctx, { body: toColumns(input) });
  return data as AgreementRow;
}

/** Refuses changes to fields that money already depends on. */
async function refuseSettled(db: Queryable, before: AgreementRow, after: Values): Promise<void> {
  const used = await db.one<{ accrued: boolean; stated: boolean }>(sql`
    select exists (select 1 from royalty_accruals where show_royaltor_id = ${before.id}) as accrued,
      exists (select 1 from royalty_statements where show_royaltor_id = ${before.id}) as stated`);
  if (used.accrued && after.currency !== before.currency) {
    throw invalidField('currency', 'Royalties were accrued: the currency no longer changes');
  }
  const posted = before.opening_transaction_id !== null;
  for (const key of ['opening_balance_minor', 'opening_unrecouped_minor', 'opening_on'] as const) {
    if (posted && after[key] !== before[key]) {
      throw invalidField(key, 'It is in the ledger since the agreement is in force: enter a correction instead');
    }
    if (used.stated && after[key] !== before[key]) throw invalidField(key, 'A statement was made before this');
  }
  for (const key of ['payer_division', 'currency'] as const) {
    if ((posted || before.cross_collateral_group_id !== null) && after[key] !== before[key]) {
      throw invalidField(key, posted ? 'The opening balance is posted: this can no longer be changed'
        : 'Its group is paid by one division in one currency: take it out of the group first');
    }
  }
}

/** Changes an agreement; what makes it count is judged with the other agreements of the show first. */
async function updateAgreement(ctx: Ctx, id: number, body: Values & { version: number }) {
  const { show_id: showId } = await agreements.find(ctx.db, id);
  await lockShowShares(ctx.db, showId);
  const before = await agreements.find(ctx.db, id, true);
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const after = { ...before, ...given } as AgreementRow;
  checkFields(after);
  await checkReferences(ctx.db, { agent_royaltor_id: body.agent_royaltor_id });
  await refuseSettled(ctx.db, before, after);
  if (after.status === 'active' && after.term_count === 0) {
    throw conflict('show_royaltor.no_terms', 'An agreement without terms pays nothing. Add a term first.');
  }
  const answer = await agreements.update(ctx, { params: { id }, body: toColumns(body) });
  if (after.status === 'active') {
    const over = firstOverCommitted(await showAgreements(ctx.db, showId), await ctx.today(after.payer_division));
    if (over) throw invalidField('status', overCommittedText(over));
    await postOpening(ctx, id);
    return { data: await agreements.find(ctx.db, id) };
  }
  return answer;
}

/** Puts an agreement into the group of that name, or out of its group. */
async function changeGroup(ctx: Ctx, id: number, { version, name }: { version: number; name: string | null }) {
  const before = await agreements.find(ctx.db, id, true);
  if (before.version !== version) throw stale(before);
  const stated = await ctx.db.maybeOne(sql`
    select 1 from royalty_statements where show_royaltor_id = ${id}
      or cross_collateral_group_id = ${before.cross_collateral_group_id} limit 1`);
  if (stated) throw invalidField('name', 'A statement was made already: its group no longer changes');
  const group = name === null ? null : await groupFor(ctx.db, before, name);
  await ctx.db.exec(sql`
    update show_royaltors set cross_collateral_group_id = ${group}, version = version + 1 where id = ${id}`);
  const after = await agreements.find(ctx.db, id);
  await ctx.audit({ action: 'change_group', entity: 'show_royaltor', entity_id: id, before, after });
  return { data: after };
}

async function setStatus(ctx: WorkContext, showRoyaltorId: number, status: AgreementRow['status']): Promise<void> {
  const { version } = await agreements.find(ctx.db, showRoyaltorId);
  await updateAgreement(ctx as Ctx, showRoyaltorId, { status, version });
}

/** Sets an agreement in force: imports and the demo season activate what they built. */
export const activateAgreement = (ctx: WorkContext, showRoyaltorId: number): Promise<void> =>
  setStatus(ctx, showRoyaltorId, 'active');

/** Ends an agreement: an import brings those in too that were over before it. */
export const endAgreement = (ctx: WorkContext, showRoyaltorId: number): Promise<void> =>
  setStatus(ctx, showRoyaltorId, 'ended');

/** Fills in a draft under which nothing is agreed yet, as an import of shows leaves one for each writer. */
export async function completeAgreement(ctx: WorkContext, showRoyaltorId: number, values: Values): Promise<void> {
  const { version } = await agreements.find(ctx.db, showRoyaltorId);
  await updateAgreement(ctx as Ctx, showRoyaltorId, { ...values, version });
}

/** Puts an agreement into the group of that name; 422 at `name` where it cannot be in it. */
export async function groupAgreement(ctx: WorkContext, showRoyaltorId: number, name: string): Promise<void> {
  const { version } = await agreements.find(ctx.db, showRoyaltorId);
  await changeGroup(ctx as Ctx, showRoyaltorId, { version, name });
}

/** Why money needs an agreement that is not in force to stay; null where nothing was ever owed under it. */
async function keptBy(db: Queryable, id: number): Promise<string | null> {
  const used = await db.one<{ accrued: boolean; opened: boolean; advanced: boolean; corrected: boolean }>(sql`
    select exists (select 1 from royalty_accruals where show_royaltor_id = t.id) as accrued,
      opening_transaction_id is not null as opened,
      exists (select 1 from royalty_advances where show_royaltor_id = t.id and status <> 'cancelled') as advanced,
      exists (select 1 from royalty_adjustments where show_royaltor_id = t.id) as corrected
    from show_royaltors t where t.id = ${id}`);
  if (used.accrued) return 'Royalties were accrued under this agreement';
  if (used.opened) return 'The opening balance of this agreement is posted';
  if (used.advanced) return 'An advance was promised under this agreement';
  return used.corrected ? 'A correction was entered for this agreement' : null;
}

export const agreementRoutes: Route[] = serve(agreementEndpoints, {
  list: agreements.list,
  show: agreements.show,
  create: async (ctx, { body }) => {
    if (body.status === 'active') throw invalidField('status', 'Add terms first, then put the agreement in force');
    return { data: await createAgreement(ctx, body) };
  },
  update: (ctx, { params, body }) => updateAgreement(ctx, params.id, body),
  group: (ctx, { params, body }) => changeGroup(ctx, params.id, body),
  async remove(ctx, { params }) {
    const before = await agreements.find(ctx.db, params.id);
    if (before.status === 'active') throw refuse('in_use', 'This agreement is in force. End it instead.');
    const kept = await keptBy(ctx.db, params.id);
    if (kept !== null) throw refuse('in_use', `${kept}: it stays among the ended ones.`);
    await agreements.remove(ctx, { params });
  },
  async terms(ctx, { params, query }) {
    await agreements.find(ctx.db, params.id);
    return listTerms(ctx.db, params.id, query);
  },
  createTerm: async (ctx, { params, body }) => ({ data: await createTerm(ctx, params.id, body) }),
  orderTerms: async (ctx, { params, body }) => ({ data: await orderTerms(ctx, params.id, body.term_ids) }),
  updateTerm: async (ctx, { params, body }) => ({ data: await updateTerm(ctx, params.id, params.termId, body) }),
  followTerm: async (ctx, { params, body }) =>
    ({ data: await followTerm(ctx, params.id, params.termId, body) }),
  removeTerm: (ctx, { params }) => removeTerm(ctx, params.id, params.termId),
  async matrix(ctx, { params, query }) {
    const show = await ctx.db.maybeOne<{ divisions: ('US' | 'EU' | 'UK' | 'PROD')[] }>(sql`
      select divisions from shows where id = ${params.showId} and deleted_at is null`);
    if (!show) throw refuse('not_found');
    const division = query.division ?? show.divisions[0] ?? 'US';
    const today = await ctx.today(division);
    const on = query.on ?? today;
    const all = await showAgreements(ctx.db, params.showId);
    const incomes = query.income_type ? [query.income_type] : INCOME_TYPES;
    const categories = query.category ? [query.category] : CATEGORIES;
    const lines = incomes.flatMap((income) => categories.map((category) => line(income, category, division, on)));
    const rows = shareMatrix(inForce(all, on), lines).map((row) => ({
      income_type: row.line.income_type, category: row.line.category as 'Amateur' | 'Pro', division,
      house_ppm: Number(row.house_ppm), over_committed: row.over_committed, in_words: row.in_words,
      shares: row.shares.map(({ weight: _weight, ...s }) => ({ ...s, rate_ppm: Number(s.rate_ppm),
        share_points: Number(s.share_points), share_ppm: Number(s.share_ppm) })),
    }));
    return { data: { on, division, rows, dates: changingDays(all, today) } };
  },
});
