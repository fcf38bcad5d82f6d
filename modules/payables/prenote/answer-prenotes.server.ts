/** Answers of the bank to prenotes: returns and notices of change; silence is the third answer. */
import { invalidField } from '#kit/errors.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';
import { doubtPayee } from '../payee/doubt-payee.server.ts';
import { nachaEntries, type AnswerEntry, type Verdict } from '../run/read-answer.server.ts';
import { keepCorrection, type Notice } from './bank-corrections.server.ts';
import { findPrenote } from './prenote-store.server.ts';
import type { PrenoteRow } from './prenote.contract.ts';

export const PRENOTES_PAGE = '/admin/accounts-payable/prenotes';

export interface PrenoteAnswer { returned: number; changed: number; unknown: number }

/** Reads the file; what it says a second time changes nothing. */
export async function answerPrenotes(ctx: WorkContext, content: Buffer): Promise<PrenoteAnswer> {
  const answer: PrenoteAnswer = { returned: 0, changed: 0, unknown: 0 };
  const entries = nachaEntries(content).filter((one) => one.verdict.outcome !== 'dispute');
  const asked = await prenotesOf(ctx, entries);
  for (const [place, { verdict }] of entries.entries()) {
    const id = asked[place];
    if (!id) answer.unknown += 1;
    else if ((await takePrenoteVerdict(ctx, id, verdict)).isNew) {
      answer[verdict.outcome === 'notice' ? 'changed' : 'returned'] += 1;
    }
  }
  if (answer.unknown > 0 && answer.unknown === entries.length) {
    throw invalidField('file', 'No prenote of yours is in the file. Upload answers to payments in their payment run');
  }
  return answer;
}

/**
 * Prenotes by entry, locked; null: the entry is about none of ours. By our id, and by the trace number where the id did
 * not come back; an entry with an amount is about a payment.
 */
export async function prenotesOf(ctx: WorkContext, entries: readonly AnswerEntry[]): Promise<(number | null)[]> {
  const asking = entries.map(({ amount_minor: minor, item_id, trace }) =>
    (minor === null || minor === 0 ? { item: item_id.trim(), trace: trace.trim() } : null));
  const rows = await ctx.db.query<{ id: number; number: string; trace_number: string }>(sql`
    select id, number, trace_number from ach_prenotes
    where number = any (${asking.flatMap((one) => one?.item || [])}::text[])
      or trace_number = any (${asking.flatMap((one) => (one?.item === '' && one.trace) || [])}::text[])
    order by id for update`);
  // The latest has the number: trace numbers begin anew some day.
  const byNumber = new Map(rows.map((row) => [row.number, row.id]));
  const byTrace = new Map(rows.map((row) => [row.trace_number, row.id]));
  return asking.map((one) => (one === null ? null
    : (one.item === '' ? byTrace.get(one.trace) : byNumber.get(one.item)) ?? null));
}

/** The prenote as the answer names it; new is what changed it. A disputed return of nothing changes nothing. */
export async function takePrenoteVerdict(ctx: WorkContext, id: number, { outcome, reason, notice }: Verdict):
Promise<{ number: string; payee: string; isNew: boolean }> {
  const { number, payee } = await knownOf(ctx, id);
  const isNew = outcome === 'rejected' ? await takeReturn(ctx, id, { on: null, reason })
    : notice !== undefined && await takeChange(ctx, id, notice);
  return { number, payee, isNew };
}

interface StoredPrenote extends Pick<PrenoteRow, 'returned_on' | 'party_type' | 'party_id' | 'payee' | 'number'> {
  division: string; created_by_id: number | null; bank_details_version: number }

const knownOf = (ctx: WorkContext, id: number): Promise<StoredPrenote> => ctx.db.one<StoredPrenote>(sql`
  select t.returned_on, t.party_type, t.party_id, t.number, t.bank_details_version, b.division, f.created_by_id,
    coalesce(v.name, c.name, r.name) as payee
  from ach_prenotes t join bank_accounts b on b.id = t.bank_account_id join ach_files f on f.id = t.ach_file_id
    left join vendors v on t.party_type = 'vendor' and v.id = t.party_id
    left join customers c on t.party_type = 'customer' and c.id = t.party_id
    left join royaltors r on t.party_type = 'royaltor' and r.id = t.party_id
  where t.id = ${id}`);

/** The details are confirmed again before anybody is paid to them, and who wrote the file is told. */
async function takeReturn(ctx: WorkContext, id: number, of: { on: string | null; reason: string }): Promise<boolean> {
  const prenote = await knownOf(ctx, id);
  if (prenote.returned_on !== null) return false;
  const on = of.on ?? await ctx.today(prenote.division);
  await ctx.db.exec(sql`
    update ach_prenotes set returned_on = ${on}, reason = ${of.reason}, version = version + 1 where id = ${id}`);
  const asked = await ctx.db.one<{ is_current: boolean }>(sql`
    select t.bank_details_version = coalesce(v.bank_details_version, c.bank_details_version, r.bank_details_version)
      as is_current
    from ach_prenotes t left join vendors v on t.party_type = 'vendor' and v.id = t.party_id
      left join customers c on t.party_type = 'customer' and c.id = t.party_id
      left join royaltors r on t.party_type = 'royaltor' and r.id = t.party_id
    where t.id = ${id}`);
  if (asked.is_current) await doubtPayee(ctx, prenote);
  await ctx.audit({ action: 'return_prenote', entity: prenote.party_type, entity_id: prenote.party_id,
    after: { on, reason: of.reason } });
  await tell(ctx, prenote, `Prenote to ${prenote.payee} came back`, of.reason);
  return true;
}

async function takeChange(ctx: WorkContext, id: number, notice: Notice): Promise<boolean> {
  const prenote = await knownOf(ctx, id);
  const isNew = await keepCorrection(ctx, { ...prenote, version: prenote.bank_details_version, notice, payment_id: null,
    ach_prenote_id: id, tell: prenote.created_by_id });
  if (!isNew) return false;
  await ctx.db.exec(sql`
    update ach_prenotes set correction = ${`${notice.code} ${notice.text}`}, version = version + 1 where id = ${id}`);
  return true;
}

const tell = (ctx: WorkContext, prenote: StoredPrenote, title: string, body: string): Promise<number> =>
  notifyStaff(ctx, { kind: 'payment.returned', to: [prenote.created_by_id], title, body, href: PRENOTES_PAGE,
    key: `payment.returned/${prenote.number}/${body.slice(0, 40)}` });

/** Records by hand a return that the bank reported on paper or on its screen. */
export async function returnByHand(ctx: WorkContext, id: number, of: { version: number; on: string;
  reason: string }): Promise<PrenoteRow> {
  await ctx.db.query(sql`select 1 from ach_prenotes where id = ${id} for update`);
  const row = await findPrenote(ctx, id);
  if (row.version !== of.version) throw stale(row);
  if (of.on > await ctx.today(row.division)) throw invalidField('on', 'Enter today or an earlier date');
  if (!await takeReturn(ctx, id, of)) throw invalidField('on', 'The bank has returned this prenote already');
  return findPrenote(ctx, id);
}
