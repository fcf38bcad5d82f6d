/**
 * Notices of change: the bank of a payee corrects its bank details, for payments and prenotes alike. What it says is
 * sealed with the payee; screens and notices show the last characters of a number.
 */
import { dateFor } from '#kernel/calendar/calendar.ts';
import type { ChangedDetails } from '#kernel/payment-files/nacha-codes.ts';
import { railDaysFrom } from '#kernel/payment-files/rail-days.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { correctRoyaltorBank } from '#modules/catalogue/catalogue.public.server.ts';
import { correctCustomerBank } from '#modules/customers/customers.public.server.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { correctVendorBank } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { CorrectedBank } from '#server/sealed-details.ts';
import { lastFour, seal, unseal } from '#server/secret.ts';
import { sql, type Sql } from '#server/sql.ts';
import { currentParty } from '../payee/payee-bank.server.ts';
import { PARTIES } from './prenote-store.server.ts';
import type { BankCorrection } from './prenote.contract.ts';

/** Banking days in which the correction is made (Nacha Operating Rules, 3.9.1). */
const DAYS = 6;
const PAGE = '/admin/accounts-payable/prenotes';

export interface Notice { code: string; text: string; details: ChangedDetails }

/** Words for the correction, with no number that could be paid to. */
export function maskedWords({ code, text, details }: Notice): string {
  const { account, routing, savings, name } = details;
  return [`${code} ${text}`, account !== null && `account ending in ${lastFour(account)}`,
    routing !== null && `routing number ending in ${lastFour(routing)}`,
    savings !== null && (savings ? 'a savings account' : 'a checking account'), name !== null && `“${name}”`]
    .filter((part) => part !== false).join(', ');
}

const ownerOf = (party: { party_type: string; party_id: number }): string =>
  `${party.party_type}:${party.party_id}:bank_correction`;

/** Keeps it and tells; false where the same is known already. */
export async function keepCorrection(ctx: WorkContext, of: {
  party_type: string; party_id: number; payee: string; division: string; version: number; notice: Notice;
  payment_id: number | null; ach_prenote_id: number | null; tell: number | null;
}): Promise<boolean> {
  const party = { party_type: of.party_type, party_id: await currentParty(ctx.db, of) };
  const text = JSON.stringify(of.notice.details);
  const known = await ctx.db.maybeOne<{ id: number; bytes: Buffer; key_id: string }>(sql`
    select id, details_encrypted as bytes, key_id from bank_corrections
    where party_type = ${party.party_type} and party_id = ${party.party_id} and code = ${of.notice.code}
      and bank_details_version = ${of.version} for update`);
  if (known && unseal(ctx.ports.settings, ownerOf(party), known) === text) return false;
  const sealed = seal(ctx.ports.settings, ownerOf(party), text);
  const words = maskedWords(of.notice);
  const received_on = await ctx.today(of.division);
  const due_on = railDaysFrom('nacha', received_on, DAYS);
  await ctx.db.exec(sql`
    insert into bank_corrections (party_type, party_id, bank_details_version, division, code, words, details_encrypted,
      key_id, received_on, due_on, payment_id, ach_prenote_id)
    values (${party.party_type}, ${party.party_id}, ${of.version}, ${of.division}, ${of.notice.code}, ${words},
      ${sealed.bytes}, ${sealed.key_id}, ${received_on}, ${due_on}, ${of.payment_id}, ${of.ach_prenote_id})
    on conflict (party_type, party_id, bank_details_version, code) do update set words = excluded.words,
      details_encrypted = excluded.details_encrypted, key_id = excluded.key_id, received_on = excluded.received_on,
      due_on = excluded.due_on, decision = null, decision_reason = null, decided_by_id = null, decided_at = null`);
  await ctx.audit({ action: 'correct_prenote', entity: party.party_type, entity_id: party.party_id,
    after: { correction: words, due_on } });
  await notifyStaff(ctx, { kind: 'payment.returned', to: [of.tell], href: PAGE,
    title: `The bank corrects the details of ${of.payee}`, body: `${words}. Enter it by ${dateFor('en-US', due_on)}.`,
    key: `payment.corrected/${party.party_type}/${party.party_id}/${of.version}/${words.slice(0, 60)}` });
  return true;
}

/** Corrections `t` of details that are still stored, about which nobody has decided, with the payee `o`. */
export const OPEN_CORRECTIONS: Sql = sql`bank_corrections t join ${PARTIES} o on o.party_type = t.party_type
  and o.id = t.party_id and o.version = t.bank_details_version and t.decision is null`;

export function listCorrections(ctx: Pick<WorkContext, 'db'>): Promise<BankCorrection[]> {
  return ctx.db.query<BankCorrection>(sql`
    select t.id, t.party_type, t.party_id, o.name as payee, t.division, t.code, t.words, t.received_on, t.due_on
    from ${OPEN_CORRECTIONS} order by t.due_on, t.id limit 500`);
}

interface Stored { party_type: 'vendor' | 'customer' | 'royaltor'; party_id: number; bytes: Buffer; key_id: string }

async function lockOpen(ctx: WorkContext, id: number): Promise<Stored> {
  await ctx.db.query(sql`select 1 from bank_corrections where id = ${id} for update`);
  const row = await ctx.db.maybeOne<Stored>(sql`
    select t.party_type, t.party_id, t.details_encrypted as bytes, t.key_id from ${OPEN_CORRECTIONS}
    where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

type Correct = (ctx: WorkContext, id: number, of: CorrectedBank) => Promise<void>;
const CORRECT: Readonly<Record<Stored['party_type'], Correct>> = { vendor: correctVendorBank,
  customer: correctCustomerBank, royaltor: correctRoyaltorBank };

/** Writes what the bank says over the stored details, unread; a second person verifies them. */
export async function takeCorrection(ctx: WorkContext, id: number): Promise<void> {
  const row = await lockOpen(ctx, id);
  const { account, routing, savings, name } = JSON.parse(unseal(ctx.ports.settings, ownerOf(row), row)) as
    ChangedDetails;
  if (account === null && routing === null && savings === null && name === null) {
    throw conflict('bank_correction.nothing', 'The notice names nothing that bank details hold. Close it with a '
      + 'reason.');
  }
  await CORRECT[row.party_type](ctx, row.party_id, { account, routing, savings, holder: name });
  await decide(ctx, id, 'taken', '');
}

/** The bank is wrong, or the details were corrected another way. */
export async function dismissCorrection(ctx: WorkContext, id: number, reason: string): Promise<void> {
  const row = await lockOpen(ctx, id);
  await decide(ctx, id, 'dismissed', reason);
  await ctx.audit({ action: 'dismiss_correction', entity: row.party_type, entity_id: row.party_id, after: { reason } });
}

async function decide(ctx: WorkContext, id: number, decision: 'taken' | 'dismissed', reason: string): Promise<void> {
  await ctx.db.exec(sql`
    update bank_corrections set decision = ${decision}, decision_reason = ${reason},
      decided_by_id = ${ctx.actor.actor_id}, decided_at = ${ctx.now().toISOString()} where id = ${id}`);
}
