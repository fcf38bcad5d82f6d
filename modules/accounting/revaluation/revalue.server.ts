/** Revaluation as a record: asked for with its lines, compared with the books again, posted and taken back at once. */
import { dateInWords, type IsoDate } from '#kernel/calendar/calendar.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import { isMonthEnd, reversedOn, revaluationLines } from '#kernel/ledger/revaluation.ts';
import type { Division } from '#kernel/money/division.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql, type Sql } from '#server/sql.ts';
import { postJournal, reverseTransaction } from '../ledger/post.server.ts';
import { partyName, partyOf, revaluedBalances, revaluedItems } from './foreign-balances.server.ts';
import { revaluationEndpoints, type RevaluationLine, type RevaluationPreview, type RevaluationRow }
  from './revaluation.contract.ts';

const person = (id: Sql): Sql => sql`(select concat_ws(' ', first_name, last_name) from users where id = ${id})`;
export const REVALUATION_COLUMNS = sql`t.id, t.division,
  (select functional_currency from divisions where code = t.division) as currency, t.revalued_on, t.corrects_id,
  t.status, t.gain_minor, t.requested_by_id, ${person(sql`t.requested_by_id`)} as requested_by_name, t.requested_at,
  ${person(sql`t.decided_by_id`)} as decided_by_name, t.decided_at, t.decline_reason, t.transaction_id, t.reversal_id,
  t.version, t.created_at, t.updated_at`;
type Detail = RevaluationRow & { lines: RevaluationLine[] };

export async function findRevaluation(ctx: WorkContext, id: number): Promise<Detail> {
  const row = await ctx.db.maybeOne<RevaluationRow>(sql`
    select ${REVALUATION_COLUMNS} from revaluations t where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  const lines = await ctx.db.query<RevaluationLine>(sql`
    select l.ledger_account_id, a.code as account, a.name as account_name, l.currency, l.party_type, l.party_id,
      ${partyName(sql`l`)} as party_name, l.balance_minor, l.carried_minor, l.rate::text as rate, l.rate_on,
      l.gain_minor
    from revaluation_lines l join ledger_accounts a on a.id = l.ledger_account_id
    where l.revaluation_id = ${id} order by a.code, l.currency, l.party_type, l.party_id`);
  return { ...row, lines };
}

/** One at a time in a division: whoever comes second sees what the first one did. */
async function lockRevaluations(ctx: WorkContext, division: string): Promise<void> {
  await ctx.db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`revaluations ${division}`}, 0))`);
}

interface Existing { id: number; status: RevaluationRow['status'] }
/** The last one of the day that waits or is posted. */
const existingOf = (ctx: WorkContext, division: string, on: string): Promise<Existing | null> =>
  ctx.db.maybeOne<Existing>(sql`
    select id, status from revaluations where division = ${division} and revalued_on = ${on}
      and status in ('waiting', 'posted') order by id desc limit 1`);

const gainOfLines = (lines: readonly RevaluationLine[]): number =>
  lines.reduce((total, line) => total + line.gain_minor, 0);

export async function previewRevaluation(ctx: WorkContext, division: Division, on: IsoDate):
Promise<RevaluationPreview> {
  const { lines, missing } = await revaluedBalances(ctx.db, division, on);
  const unreversed = await ctx.db.query<RevaluationPreview['unreversed'][number]>(sql`
    select distinct t.id as transaction_id, t.transaction_at
    from ledger_accounts a join journal_entries e on e.ledger_account_id = a.id
      join transactions t on t.id = e.transaction_id and t.kind = 'revaluation' and t.status = 'posted'
    where a.division = ${division} and a.system_key = 'fx_unrealised' and t.transaction_at < ${on}
    order by t.transaction_at, t.id limit 20`);
  return { division, currency: FUNCTIONAL_CURRENCY[division], on, reversed_on: reversedOn(on),
    gain_minor: gainOfLines(lines), lines, missing, existing: await existingOf(ctx, division, on), unreversed,
    ...await revaluedItems(ctx.db, { division, on, lines }) };
}

/** Lines that would be posted; refused if a rate is missing or there is nothing to post. */
async function linesToPost(ctx: WorkContext, division: Division, on: IsoDate): Promise<RevaluationLine[]> {
  const { lines, missing } = await revaluedBalances(ctx.db, division, on);
  if (missing.length > 0) {
    throw conflict('revaluation.rate_missing', missing.map(({ currency, last_on }) =>
      `Enter the rate of ${currency} in ${FUNCTIONAL_CURRENCY[division]} for ${dateInWords(on)}${last_on === null ? ''
        : `: the last one is of ${dateInWords(last_on)}`}.`).join(' '),
    { currencies: missing.map((one) => one.currency) });
  }
  return lines.filter((line) => line.gain_minor !== 0);
}

const nameOf = (row: Pick<RevaluationRow, 'division' | 'revalued_on'>): string =>
  `Revaluation of ${row.division} on ${dateInWords(row.revalued_on)}`;
export const REVALUATIONS = '/admin/accounting/revaluations';

/** Asks for the revaluation of a day. A day that has one gets a correction: what changed since. */
export async function askForRevaluation(ctx: WorkContext, { division, on }: { division: Division; on: IsoDate }):
Promise<number> {
  if (!isMonthEnd(on)) throw invalidField('on', 'Choose the last day of a month');
  if (on > await ctx.today(division)) throw invalidField('on', 'Choose a month that is over');
  await lockRevaluations(ctx, division);
  const existing = await existingOf(ctx, division, on);
  if (existing?.status === 'waiting') {
    throw conflict('revaluation.waiting', 'A revaluation of this day waits for approval.', { id: existing.id });
  }
  const lines = await linesToPost(ctx, division, on);
  if (lines.length === 0) {
    throw conflict('revaluation.nothing', existing === null
      ? 'No balance in another currency differs from the rate of this day.'
      : 'This day is revalued, and neither balances nor rates have changed since.');
  }
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into revaluations (division, revalued_on, corrects_id, gain_minor, requested_by_id, requested_at)
    values (${division}, ${on}, ${existing?.id ?? null}, ${gainOfLines(lines)}, ${ctx.actor.actor_id},
      ${ctx.now().toISOString()}) returning id`);
  const of = <K extends keyof RevaluationLine>(key: K) => lines.map((line) => line[key]);
  await ctx.db.exec(sql`
    insert into revaluation_lines (revaluation_id, ledger_account_id, currency, party_type, party_id, balance_minor,
      carried_minor, rate, rate_on, gain_minor)
    select ${id}, u.* from unnest(${of('ledger_account_id')}::bigint[], ${of('currency')}::text[],
      ${of('party_type')}::text[], ${of('party_id')}::bigint[], ${of('balance_minor')}::bigint[],
      ${of('carried_minor')}::bigint[], ${of('rate')}::numeric[], ${of('rate_on')}::date[],
      ${of('gain_minor')}::bigint[]) u`);
  const row = await findRevaluation(ctx, id);
  await ctx.audit({ action: 'create', entity: 'revaluation', entity_id: id, after: row });
  await notifyApprovers(ctx, revaluationEndpoints.approve, { title: `${nameOf(row)} awaits approval`,
    href: `${REVALUATIONS}/${id}` });
  return id;
}

/** Locked and still waiting; at the version that the person saw, where a person saw one. */
async function lockWaiting(ctx: WorkContext, id: number, version?: number): Promise<Detail> {
  const { division } = await findRevaluation(ctx, id);
  await lockRevaluations(ctx, division);
  await ctx.db.query(sql`select 1 from revaluations where id = ${id} for update`);
  const row = await findRevaluation(ctx, id);
  if (row.status !== 'waiting') throw conflict('revaluation.decided', 'This revaluation was decided before.');
  if (version !== undefined && row.version !== version) throw stale(row);
  return row;
}

const fingerprint = (lines: readonly RevaluationLine[]): string => JSON.stringify(lines.map((line) =>
  [line.ledger_account_id, line.currency, line.party_type, line.party_id, line.gain_minor]).toSorted());

interface Decision { status: 'posted' | 'declined' | 'withdrawn'; reason?: string; transaction_id?: number;
  reversal_id?: number }

async function decide(ctx: WorkContext, before: Detail, of: Decision, action: string): Promise<Detail> {
  await ctx.db.exec(sql`
    update revaluations set status = ${of.status}, decided_by_id = ${ctx.actor.actor_id},
      decided_at = ${ctx.now().toISOString()}, decline_reason = ${of.reason ?? ''},
      transaction_id = ${of.transaction_id ?? null}, reversal_id = ${of.reversal_id ?? null}, version = version + 1,
      updated_at = now() where id = ${before.id}`);
  const after = await findRevaluation(ctx, before.id);
  await ctx.audit({ action, entity: 'revaluation', entity_id: before.id, before, after });
  return after;
}

export async function approveRevaluation(ctx: WorkContext, id: number, version: number): Promise<Detail> {
  const before = await lockWaiting(ctx, id, version);
  if (before.requested_by_id === ctx.actor.actor_id) throw refuse('four_eyes');
  const division = before.division as Division;
  if (fingerprint(await linesToPost(ctx, division, before.revalued_on)) !== fingerprint(before.lines)) {
    throw conflict('revaluation.changed', 'Balances or rates have changed since this was asked for. Decline it, and '
      + 'ask for it again.');
  }
  const { transaction_id } = await postJournal(ctx.db, { division, kind: 'revaluation',
    transaction_at: before.revalued_on, description: nameOf(before).slice(0, 500),
    source: { type: 'revaluation', id, event: 'posted', attempt: 1 },
    lines: revaluationLines(before.lines.map((line) => ({ account: line.account, currency: line.currency,
      party: partyOf(line), gain: BigInt(line.gain_minor) })), FUNCTIONAL_CURRENCY[division]) }, ctx.actor.actor_id);
  const mirror = await reverseTransaction(ctx.db, { transaction_id, transaction_at: reversedOn(before.revalued_on),
    reason: 'First day of the next month', actor_id: ctx.actor.actor_id, document: { type: 'revaluation', id } });
  const after = await decide(ctx, before, { status: 'posted', transaction_id, reversal_id: mirror.transaction_id },
    'approve');
  await notifyAsker(ctx, before.requested_by_id, { title: `Posted: ${nameOf(before)}`, href: `${REVALUATIONS}/${id}` });
  return after;
}

export async function declineRevaluation(ctx: WorkContext, id: number, reason: string): Promise<Detail> {
  const before = await lockWaiting(ctx, id);
  if (before.requested_by_id === ctx.actor.actor_id) throw refuse('four_eyes');
  const after = await decide(ctx, before, { status: 'declined', reason }, 'decline');
  await notifyAsker(ctx, before.requested_by_id, { title: `Declined: ${nameOf(before)}`, body: reason,
    href: `${REVALUATIONS}/${id}` });
  return after;
}

export async function withdrawRevaluation(ctx: WorkContext, id: number, version: number): Promise<Detail> {
  const before = await lockWaiting(ctx, id, version);
  if (before.requested_by_id !== ctx.actor.actor_id) {
    throw conflict('revaluation.not_yours',
      'Another person asked for this, so you cannot withdraw it. Decline it instead.');
  }
  return decide(ctx, before, { status: 'withdrawn' }, 'cancel');
}
