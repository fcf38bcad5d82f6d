/**
 * Sending a return to HMRC once. The attempt is stored before it leaves. An answer that was lost is read back by the
 * key of the period and compared before anything is sent again; a return with other figures is refused.
 */
import type { BrowserFacts } from '#kernel/tax/fraud-headers.ts';
import { differingBoxes, obligationOf, refusalInWords, submissionBody, type NineBoxes } from '#kernel/tax/hmrc.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { conflict, type AppError } from '#kit/errors.ts';
import { workContext, type Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { TakenItem } from '../returns/vat-items.server.ts';
import { HmrcNotReached, HmrcRefusal, type HmrcReceipt, type HmrcVat } from './hmrc-client.server.ts';
import { atHmrc, hmrcOf, readFailure, unreached } from './hmrc-connection.server.ts';

export interface StoredBox { readonly box: string; readonly label: string; readonly amount_minor: number }

interface PreparedReturn {
  readonly id: number; readonly division: 'UK'; readonly period_from: string; readonly period_to: string;
  readonly boxes: readonly StoredBox[];
}

/** An attempt that HMRC took, or may have taken, with the items behind its figures. */
interface Submission {
  readonly id: number; readonly state: 'sent' | 'accepted'; readonly period_key: string; readonly body: NineBoxes;
  readonly sent_at: string; readonly form_bundle_number: string | null; readonly items: TakenItem[];
}

/** HMRC may take this long to show what it took; an attempt that is younger may still be on its way. */
const SETTLE_SECONDS = 60;

/** An item as it is kept with the attempt: amounts are texts in JSON. */
type Amount = 'tax_minor' | 'net_minor' | 'base_amount_minor';
type StoredItem = Omit<TakenItem, Amount> & Record<Amount, string>;

const storedItems = (items: readonly TakenItem[]): string =>
  JSON.stringify(items, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

function itemOf(row: StoredItem): TakenItem {
  return { ...row, tax_minor: BigInt(row.tax_minor), net_minor: BigInt(row.net_minor),
    base_amount_minor: BigInt(row.base_amount_minor) };
}

export async function liveSubmission(db: Queryable, returnId: number): Promise<Submission | null> {
  const row = await db.maybeOne<Omit<Submission, 'items'> & { items: StoredItem[] }>(sql`
    select id, state, period_key, body, sent_at, form_bundle_number, items from hmrc_submissions
    where tax_return_id = ${returnId} and state in ('sent', 'accepted')`);
  return row && { ...row, items: row.items.map(itemOf) };
}

/** Attempts that HMRC did not take go with a return that is withdrawn. */
export async function forgetRefusals(db: Queryable, returnId: number): Promise<void> {
  await db.exec(sql`
    delete from hmrc_submissions where tax_return_id = ${returnId} and state in ('refused', 'not_received')`);
}

/** Returns HMRC's final record of the return; refuses, in words, if it has none or a different one. */
export async function submitReturn(
  ctx: Ctx, of: PreparedReturn, items: readonly TakenItem[], browser: BrowserFacts,
): Promise<Submission> {
  const { db } = ctx.ports;
  try {
    return await atHmrc(ctx, of.division, browser, async (vat) => {
      const live = await liveSubmission(db, of.id);
      if (live?.state === 'accepted') return live;
      if (live) {
        const found = await vat.view(live.period_key);
        if (found) return readBack(ctx, of, live, found);
        await giveUp(ctx, live);
      }
      return send(ctx, of, items, vat);
    });
  } catch (error) {
    throw readFailure(error);
  }
}

/** Sent, and HMRC has nothing: after a while it did not arrive. */
async function giveUp(ctx: Ctx, live: Submission): Promise<void> {
  if (ctx.now().getTime() - new Date(live.sent_at).getTime() < SETTLE_SECONDS * 1000) {
    throw conflict('hmrc.being_sent', 'The return was sent a moment ago, and HMRC does not show it yet. '
      + 'Try again in a minute: what HMRC has then is read back before anything is sent again.');
  }
  await answer(ctx, live, 'not_received', sql`is_read_back = false`);
}

/** The key of the period's obligation, and whether HMRC has a return of it already. */
async function obligationFor(vat: HmrcVat, of: PreparedReturn) {
  const found = obligationOf(await vat.obligations({ status: 'O' }), of.period_from, of.period_to)
    ?? obligationOf(await vat.obligations({ from: of.period_from, to: of.period_to }), of.period_from, of.period_to);
  if (found) return found;
  throw conflict('hmrc.no_obligation', `HMRC expects no return for ${dateInWords(of.period_from)} to `
    + `${dateInWords(of.period_to)}. Compare the days with the obligations that HMRC shows.`);
}

async function send(ctx: Ctx, of: PreparedReturn, items: readonly TakenItem[], vat: HmrcVat): Promise<Submission> {
  const { periodKey, status } = await obligationFor(vat, of);
  const body = submissionBody(periodKey, of.boxes.map((box) => ({ ...box, amount_minor: BigInt(box.amount_minor) })));
  const there = status === 'F' ? await vat.view(periodKey) : null;
  // Sent from elsewhere, or by an attempt that nobody stored: the same figures count, others are refused unsent.
  if (there) refuseOther(body, there);
  const attempt = await storeAttempt(ctx, of, periodKey, body, items);
  if (there) return readBack(ctx, of, attempt, there);
  try {
    return await accepted(ctx, of, attempt, await vat.submit(body));
  } catch (error) {
    return unanswered(ctx, of, attempt, vat, error);
  }
}

/** Committed before the request leaves. Of two people at once one stores it; the other is told. */
async function storeAttempt(
  ctx: Ctx, of: PreparedReturn, periodKey: string, body: NineBoxes, items: readonly TakenItem[],
): Promise<Submission> {
  const { environment } = hmrcOf(ctx);
  const stored = await ctx.ports.db.tx((tx) => tx.maybeOne<{ id: number }>(sql`
    insert into hmrc_submissions (tax_return_id, environment, period_key, body, items, sent_by_id, sent_at)
    values (${of.id}, ${environment}, ${periodKey}, ${JSON.stringify(body)}::jsonb, ${storedItems(items)}::jsonb,
      ${ctx.user.user_id}, ${ctx.now().toISOString()})
    on conflict (tax_return_id) where state in ('sent', 'accepted') do nothing returning id`));
  if (!stored) throw conflict('hmrc.being_sent', 'Somebody else is sending the return at this moment.');
  return { id: stored.id, state: 'sent', period_key: periodKey, body, sent_at: ctx.now().toISOString(),
    form_bundle_number: null, items: [...items] };
}

type Outcome = 'accepted' | 'refused' | 'not_received';

/** The answer to an attempt, with its audit entry, in a transaction of its own. */
async function answer(ctx: Ctx, of: Submission, state: Outcome, facts: ReturnType<typeof sql>): Promise<void> {
  const answered_at = ctx.now().toISOString();
  await ctx.ports.db.exec(sql`
    update hmrc_submissions set state = ${state}, answered_at = ${answered_at}, ${facts}
    where id = ${of.id} and state = 'sent'`);
}

async function accepted(ctx: Ctx, of: PreparedReturn, attempt: Submission, receipt: HmrcReceipt): Promise<Submission> {
  await answer(ctx, attempt, 'accepted', sql`form_bundle_number = ${receipt.form_bundle_number},
    processing_date = ${receipt.processing_date}, charge_ref_number = ${receipt.charge_ref_number},
    receipt_id = ${receipt.receipt_id}`);
  await writeSent(ctx, of, receipt);
  return { ...attempt, state: 'accepted', form_bundle_number: receipt.form_bundle_number };
}

async function writeSent(ctx: Ctx, of: PreparedReturn, after: object): Promise<void> {
  await ctx.ports.db.tx((tx) => workContext(ctx.ports, tx, ctx.actor)
    .audit({ action: 'send_to_hmrc', entity: 'tax_return', entity_id: of.id, after }));
}

function refuseOther(ours: NineBoxes, theirs: NineBoxes): void {
  const boxes = differingBoxes(ours, theirs);
  if (boxes.length === 0) return;
  throw conflict('hmrc.differs', `HMRC has a return of this period with other figures (${boxes.length === 1 ? 'box'
    : 'boxes'} ${boxes.join(', ')}). Nothing was sent. Settle it with HMRC first.`, { boxes });
}

/** HMRC has a return of the period: the same one counts as accepted, without the receipt that was lost. */
async function readBack(ctx: Ctx, of: PreparedReturn, attempt: Submission, found: NineBoxes): Promise<Submission> {
  const boxes = differingBoxes(attempt.body, found);
  if (boxes.length > 0) {
    await answer(ctx, attempt, 'refused', sql`refusal_code = 'DIFFERS'`);
    refuseOther(attempt.body, found);
  }
  await answer(ctx, attempt, 'accepted', sql`is_read_back = true`);
  await writeSent(ctx, of, { is_read_back: true });
  return { ...attempt, state: 'accepted' };
}

/** No receipt came. Where HMRC may have taken the return, it is asked what it has. */
async function unanswered(
  ctx: Ctx, of: PreparedReturn, attempt: Submission, vat: HmrcVat, error: unknown,
): Promise<Submission> {
  if (error instanceof HmrcNotReached) {
    await answer(ctx, attempt, 'not_received', sql`is_read_back = false`);
    throw unreached(error);
  }
  if (error instanceof HmrcRefusal && error.code !== 'DUPLICATE_SUBMISSION') {
    await answer(ctx, attempt, 'refused', sql`refusal_code = ${error.code.slice(0, 100)}`);
    // Said again by whoever renews the token: it was not done.
    if (error.status === 401) throw error;
    throw conflict('hmrc.refused', refusalInWords(error.code, error.message), { hmrc_code: error.code });
  }
  const found = await vat.view(attempt.period_key).catch(() => null);
  if (found) return readBack(ctx, of, attempt, found);
  throw lost();
}

function lost(): AppError {
  return conflict('hmrc.no_answer', 'HMRC did not answer, so it may or may not have the return. Try again in a minute: '
    + 'what HMRC has is read back and compared before anything is sent again.');
}
