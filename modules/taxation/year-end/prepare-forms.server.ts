/**
 * The way of year-end forms: prepared by one person, which stores them as they are then, and marked filed by another.
 * What changes afterwards is prepared as corrections.
 */
import { nextForms, type NextForm } from '#kernel/tax/year-end-corrections.ts';
import { FORM_BOXES, FORM_TITLES, payeeKey, type FormDraft } from '#kernel/tax/year-end-forms.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sha256 } from '#server/files.ts';
import { seal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';
import { draftsOf, yearFacts, type YearFacts } from './year-end-facts.server.ts';
import { ownLayout } from './year-end-rules.server.ts';
import { filedForm, filingRow, filingsOf, formsOfYear, plainBoxes, tinOwner, type FormOf, type StoredForm }
  from './year-end-store.server.ts';
import { yearEndEndpoints, type FilingRow } from './year-end.contract.ts';

const titleOf = (of: FormOf): string => `${FORM_TITLES[of.form]} ${of.year} of ${of.division}`;
const hrefOf = (of: FormOf): string =>
  `/admin/finance/taxes-vat/year-end-forms?division=${of.division}&year=${of.year}&form=${of.form}`;
const formOf = (row: FilingRow): FormOf => ({ division: row.division, year: row.tax_year, form: row.form });

/** One filing of a form and year at a time: who comes second waits and then sees what the first one did. */
function lockFilings(ctx: Ctx, { division, year, form }: FormOf): Promise<unknown> {
  return ctx.db.query(sql`
    select pg_advisory_xact_lock(hashtextextended(${`year_end ${division} ${year} ${form}`}, 0))`);
}

/** A form to be stored, and the filed one that it replaces. */
export interface NextStored { next: NextForm; replaces: StoredForm | null }

/** Forms a preparation would store: all of them at first, later those that differ from the filed forms. */
export function nextOf(ctx: WorkContext, of: FormOf, facts: YearFacts, stored: readonly StoredForm[]): NextStored[] {
  const filed = stored.filter((form) => form.status === 'filed');
  return nextForms(filed.map((form) => filedForm(ctx, form)), draftsOf(facts, of.form)).map((next) => ({ next,
    replaces: next.kind === 'original' ? null : filed.find((form) => form.id === next.corrects_id) ?? null }));
}

function hashOf(next: readonly NextStored[]): string {
  return sha256(JSON.stringify(next.map(({ next: one }) => (one.kind === 'zero' ? [one.kind, one.corrects_id]
    : [one.kind, one.kind === 'correction' ? one.corrects_id : null, one.draft.recipient, one.draft.members,
      String(one.draft.rate_ppm), plainBoxes(one.draft.boxes), one.draft.payments.map((part) =>
        [part.payment_id, part.box, String(part.amount_minor), String(part.withheld_minor)])]))));
}

/** Why nothing can be prepared now; null where it can. */
export async function blockedBecause(
  ctx: WorkContext, of: FormOf, filings: readonly FilingRow[], next: number,
): Promise<string | null> {
  if (filings.some((one) => one.status === 'prepared')) {
    return 'Prepared forms wait for a second person. Mark them filed, or withdraw them first.';
  }
  if ((await ctx.today(of.division)) <= `${of.year}-12-31`) return `The year ${of.year} has not ended.`;
  if (next > 0) return null;
  return filings.length > 0 ? 'Nothing has changed since the forms were filed.'
    : 'No payment of the year reaches this form.';
}

export async function prepareForms(ctx: Ctx, of: FormOf): Promise<FilingRow> {
  await lockFilings(ctx, of);
  const filings = await filingsOf(ctx.db, of);
  const facts = await yearFacts(ctx, of);
  const next = nextOf(ctx, of, facts, await formsOfYear(ctx.db, of));
  const reason = await blockedBecause(ctx, of, filings, next.length);
  if (reason !== null) throw conflict('year_end_filing.not_ready', reason);
  const layout = await ownLayout(ctx, of.form, of.year);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into year_end_filings (division, tax_year, form, sequence, layout_id, content_sha256, prepared_by_id,
      prepared_at)
    values (${of.division}, ${of.year}, ${of.form}, ${filings.length}, ${layout.id}, ${hashOf(next)},
      ${ctx.user.user_id}, ${ctx.now().toISOString()}) returning id`);
  for (const one of next) await storeForm(ctx, id, one, facts);
  const row = (await filingRow(ctx.db, id))!;
  await ctx.audit({ action: 'prepare', entity: 'year_end_filing', entity_id: id, after: row });
  await notifyApprovers(ctx, yearEndEndpoints.file, { title: `${titleOf(of)}: awaits filing`, href: hrefOf(of) });
  return row;
}

async function storeForm(ctx: Ctx, filingId: number, { next, replaces }: NextStored, facts: YearFacts): Promise<void> {
  if (next.kind !== 'zero') return storeDraft(ctx, filingId, next.draft, next.kind === 'correction'
    ? next.corrects_id : null, facts);
  // As it was filed, with nothing to report; its tax id is sealed for the new filing.
  const filed = replaces!;
  const tax_id = filedForm(ctx, filed).tax_id;
  const sealed = tax_id === null ? null
    : seal(ctx.ports.settings, tinOwner({ filing_id: filingId, recipient: filed.recipient }), tax_id);
  const zeros = Object.fromEntries(Object.keys(filed.boxes).map((box) => [box, 0]));
  await ctx.db.exec(sql`
    insert into year_end_forms (filing_id, kind, corrects_id, recipient, members, name, account, address, country,
      tax_form, tin_encrypted, tin_key_id, tin_last4, rate_ppm, boxes, payment_count, recipient_kind)
    select ${filingId}, 'correction', id, recipient, members, name, account, address, country, tax_form,
      ${sealed?.bytes ?? null}, ${sealed?.key_id ?? null}, tin_last4, rate_ppm, ${JSON.stringify(zeros)}::jsonb, 0,
      recipient_kind
    from year_end_forms where id = ${filed.id}`);
}

async function storeDraft(
  ctx: Ctx, filingId: number, draft: FormDraft, correctsId: number | null, facts: YearFacts,
): Promise<void> {
  const { recipient } = draft;
  const key = payeeKey(recipient);
  const taxId = facts.tax_ids.get(key) ?? null;
  const sealed = taxId === null ? null
    : seal(ctx.ports.settings, tinOwner({ filing_id: filingId, recipient: key }), taxId.text);
  const boxes = Object.fromEntries(FORM_BOXES[draft.form].map((box) => [box, Number(draft.boxes[box] ?? 0n)]));
  const address = recipient.address === null ? null : JSON.stringify(recipient.address);
  const rate = draft.rate_ppm === null ? null : Number(draft.rate_ppm);
  const payments = new Set(draft.payments.map((part) => part.payment_id)).size;
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into year_end_forms (filing_id, kind, corrects_id, recipient, members, name, account, address, country,
      tax_form, tin_encrypted, tin_key_id, tin_last4, rate_ppm, boxes, payment_count, recipient_kind)
    values (${filingId}, ${correctsId === null ? 'original' : 'correction'}, ${correctsId}, ${key},
      ${[...draft.members]}::text[], ${recipient.name}, ${facts.accounts.get(key) ?? ''}, ${address}::jsonb,
      ${recipient.country}, ${recipient.tax_form}, ${sealed?.bytes ?? null}, ${sealed?.key_id ?? null},
      ${taxId?.last4 ?? null}, ${rate}, ${JSON.stringify(boxes)}::jsonb, ${payments},
      ${recipient.legal_kind ?? null}) returning id`);
  await ctx.db.exec(sql`
    insert into year_end_form_payments (form_id, payment_id, box, amount_minor, withheld_minor)
    select ${id}, * from unnest(${draft.payments.map((part) => part.payment_id)}::bigint[],
      ${draft.payments.map((part) => part.box)}::text[],
      ${draft.payments.map((part) => part.amount_minor.toString())}::bigint[],
      ${draft.payments.map((part) => part.withheld_minor.toString())}::bigint[])`);
}

/** The filing under the lock of its form and year; it may have changed while the lock was waited for. */
async function lockedFiling(ctx: Ctx, id: number, version: number): Promise<FilingRow> {
  const known = await filingRow(ctx.db, id);
  if (!known) throw refuse('not_found');
  await lockFilings(ctx, formOf(known));
  const row = await filingRow(ctx.db, id);
  if (!row) throw refuse('not_found');
  if (row.version !== version) throw stale(row);
  if (row.status === 'filed') {
    throw conflict('year_end_filing.filed', `${titleOf(formOf(row))} is filed already. Prepare corrections instead.`);
  }
  return row;
}

export async function fileForms(ctx: Ctx, id: number, input: { version: number; receipt: string }):
Promise<FilingRow> {
  const before = await lockedFiling(ctx, id, input.version);
  if (before.prepared_by_id === ctx.user.user_id) {
    throw refuse('four_eyes', 'You prepared these forms: another person marks them filed.');
  }
  const of = formOf(before);
  const { content_sha256 } = await ctx.db.one<{ content_sha256: string }>(sql`
    select content_sha256 from year_end_filings where id = ${id}`);
  const next = nextOf(ctx, of, await yearFacts(ctx, of), await formsOfYear(ctx.db, of));
  if (hashOf(next) !== content_sha256) {
    throw conflict('year_end_filing.changed', 'A payment or a payee changed after the forms were prepared. Withdraw '
      + 'them and prepare them again.');
  }
  await ctx.db.exec(sql`
    update year_end_filings set status = 'filed', filed_by_id = ${ctx.user.user_id},
      filed_at = ${ctx.now().toISOString()}, receipt = ${input.receipt}, version = version + 1 where id = ${id}`);
  const after = (await filingRow(ctx.db, id))!;
  await ctx.audit({ action: 'file', entity: 'year_end_filing', entity_id: id, before, after });
  await notifyAsker(ctx, before.prepared_by_id, { title: `Filed: ${titleOf(of)}`, href: hrefOf(of) });
  return after;
}

export async function withdrawForms(ctx: Ctx, id: number, input: { version: number; reason: string }): Promise<void> {
  const before = await lockedFiling(ctx, id, input.version);
  await ctx.db.exec(sql`
    delete from year_end_form_payments where form_id in (select o.id from year_end_forms o where o.filing_id = ${id})`);
  await ctx.db.exec(sql`delete from year_end_forms where filing_id = ${id}`);
  await ctx.db.exec(sql`delete from year_end_filings where id = ${id}`);
  await ctx.audit({ action: 'withdraw', entity: 'year_end_filing', entity_id: id, before,
    after: { reason: input.reason } });
  await notifyAsker(ctx, before.prepared_by_id, { title: `Withdrawn: ${titleOf(formOf(before))}`, body: input.reason,
    href: hrefOf(formOf(before)) });
}
