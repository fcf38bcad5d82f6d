/** Perusals in the app and by mail (domain.md 6.5: perusal.ready, .expiring, .overdue): who asked hears of it. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import { notifyCustomer, notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { queueMail } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import type { PerusalRecord } from './perusal-rows.server.ts';

type Perusal = Pick<PerusalRecord, 'id' | 'number' | 'customer_id' | 'show_title' | 'division'
  | 'requested_by_id'>;

export async function tellStaffOfRequest(ctx: WorkContext, id: number): Promise<void> {
  const row = await ctx.db.one<{ title: string; name: string; format: string; message: string }>(sql`
    select h.title, c.name, t.format, t.message from perusals t join shows h on h.id = t.show_id
      join customers c on c.id = t.customer_id where t.id = ${id}`);
  await notifyStaff(ctx, { kind: 'perusal.requested', title: `${row.name} asks to read ${row.title}`,
    body: row.message || (row.format === 'digital' ? 'On screen' : 'Books by post'),
    href: `/admin/perusals/${id}` });
}

const dayFor = (perusal: Perusal, day: string): string => dateFor(documentLanguage(perusal.division), day);

interface Words { kind: 'perusal.answered' | 'perusal.ending'; template: string; title: string;
  lines: readonly string[];
  /** Said once, however often it is found due. */
  key?: string }

async function tell(ctx: WorkContext, perusal: Perusal, words: Words): Promise<void> {
  await notifyCustomer(ctx, perusal.customer_id, { kind: words.kind, title: words.title, body: words.lines[0] ?? '',
    href: `/customer/${perusal.customer_id}/perusals/${perusal.id}`, ...(words.key ? { key: words.key } : {}) });
  // Staff may have asked for it: then the customer's people hear of it in the app.
  const asker = await ctx.db.maybeOne<{ email: string }>(sql`
    select u.email from users u join customer_users m on m.user_id = u.id and m.customer_id = ${perusal.customer_id}
    where u.id = ${perusal.requested_by_id} and u.disabled_at is null`);
  if (!asker) return;
  await queueMail(ctx.db, { template: words.template, to: [asker.email], subject: words.title,
    letter: { greeting: await greetingOf(ctx.db, [asker.email]), paragraphs: words.lines,
      link: { label: 'See your perusal', href: linkTo(ctx.ports.settings,
        `/customer/${perusal.customer_id}/perusals/${perusal.id}`) },
      contact: await contactOf(ctx.db, null, perusal.division) },
    entity: 'perusal', entity_id: perusal.id,
    ...(words.key ? { reminder_key: words.key } : {}) });
}

export const tellOpened = (ctx: WorkContext, perusal: Perusal, until: string) => tell(ctx, perusal, {
  kind: 'perusal.answered', template: 'perusal.ready', title: `You can read ${perusal.show_title} now`,
  lines: [`Available through ${dayFor(perusal, until)}.`,
    "Pages are watermarked with your name. Please don't copy, share or perform it."] });

export const tellDeclined = (ctx: WorkContext, perusal: Perusal, reason: string) => tell(ctx, perusal, {
  kind: 'perusal.answered', template: 'perusal.declined', title: `We cannot lend ${perusal.show_title}`,
  lines: [reason] });

export const tellEnded = (ctx: WorkContext, perusal: Perusal, reason: string) => tell(ctx, perusal, {
  kind: 'perusal.answered', template: 'perusal.ended', title: `The perusal of ${perusal.show_title} has ended`,
  lines: [reason] });

export const tellApproved = (ctx: WorkContext, perusal: Perusal) => tell(ctx, perusal, {
  kind: 'perusal.answered', template: 'perusal.approved', title: `${perusal.show_title} will be sent to you`,
  lines: ["We'll let you know when the books ship and when they're due back."] });

export const tellShipped = (ctx: WorkContext, perusal: Perusal, dueBackOn: string | null) => tell(ctx, perusal, {
  kind: 'perusal.answered', template: 'perusal.shipped', title: `${perusal.show_title} is on its way`,
  lines: [dueBackOn === null ? 'Please send the books back when you have read them.'
    : `Please send the books back so that they are here by ${dayFor(perusal, dueBackOn)}.`] });

export const tellExtended = (ctx: WorkContext, perusal: Perusal, until: string) => tell(ctx, perusal, {
  kind: 'perusal.answered', template: 'perusal.extended',
  title: `${perusal.show_title}: you have until ${dayFor(perusal, until)}`, lines: ['The perusal was extended.'] });

export const tellExpiring = (ctx: WorkContext, perusal: Perusal, until: string) => tell(ctx, perusal, {
  kind: 'perusal.ending', template: 'perusal.expiring', title: `Reading ${perusal.show_title} ends soon`,
  lines: [`Available through ${dayFor(perusal, until)}.`], key: `perusal.expiring/${perusal.id}/${until}` });

export const tellDue = (ctx: WorkContext, perusal: Perusal, dueBackOn: string) => tell(ctx, perusal, {
  kind: 'perusal.ending', template: 'perusal.overdue', title: `${perusal.show_title}: the books are due back`,
  lines: [`They were due back on ${dayFor(perusal, dueBackOn)}. Please send them back, or ask us for more time.`],
  key: `perusal.overdue/${perusal.id}/${dueBackOn}` });
