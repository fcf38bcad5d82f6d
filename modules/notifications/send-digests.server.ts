/**
 * The daily mail: what somebody asked to get by mail and has not read in the app meanwhile, in one letter. At eight in
 * the morning where the person works; once a day, whatever runs twice.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { runBatch } from '#server/batch.ts';
import { localDate } from '#server/clock.ts';
import type { Ports } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import type { Letter } from '#server/mail-letter.ts';
import { queueMail } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { labelOf } from './notification-kinds.ts';

const FIRST_HOUR = 8;
/** The rest is in the app. */
const LONGEST = 20;

interface Reader { id: number; email: string; first_name: string; timezone: string }
interface Line {
  id: number; kind: string; title: string; body: string; href: string | null; customer_id: number | null;
}

/** Answers how many letters were queued. */
export async function sendDigests(ports: Ports): Promise<number> {
  const now = ports.clock.now().toISOString();
  const readers = await ports.db.query<Reader>(sql`
    select u.id, u.email, u.first_name, d.timezone
    from users u join divisions d on d.code = coalesce((
      select c.default_division from customer_users m join customers c on c.id = m.customer_id
      where m.user_id = u.id order by m.id limit 1), 'US')
    where u.disabled_at is null
      and extract(hour from ${now}::timestamptz at time zone d.timezone) >= ${FIRST_HOUR}
      and exists (select 1 from notifications n where n.user_id = u.id and n.by_mail and n.mailed_at is null)
    order by u.id`);
  const { done } = await runBatch(ports, { job: 'send-digests', items: readers, facts: ({ id }) => ({ user_id: id }) },
    async (ctx, reader) => (await sendOne(ports, ctx.db, reader, now) ? 1 : 0));
  return done;
}

async function sendOne(ports: Ports, tx: Queryable, reader: Reader, now: string): Promise<boolean> {
  const day = localDate(ports.clock.now(), reader.timezone);
  const lines = await tx.query<Line & { unread: boolean }>(sql`
    select id, kind, title, body, href, customer_id, read_at is null as unread from notifications
    where user_id = ${reader.id} and by_mail and mailed_at is null order by id for update skip locked`);
  const unread = lines.filter((line) => line.unread);
  const queued = unread.length > 0 && await queueMail(tx, {
    template: 'notifications.digest', to: [reader.email], reminder_key: `digest/${reader.id}/${day}`,
    subject: unread.length === 1 ? unread[0]!.title : `${unread.length} updates from Grand Rights`,
    letter: letterOf(ports, reader, unread, day),
  });
  // A second look on the same day finds its letter gone: the lines wait for tomorrow's.
  const done = queued ? lines : lines.filter((line) => !line.unread);
  await tx.exec(sql`
    update notifications set mailed_at = ${now} where id = any (${done.map((line) => line.id)}::bigint[])`);
  return queued;
}

interface Group { label: string; lines: Line[] }

/** Lines under what they are about, in the order in which each first came. */
function groupsOf(lines: readonly Line[]): Group[] {
  const groups = new Map<string, Group>();
  for (const line of lines) {
    const label = labelOf(line.kind);
    const group = groups.get(label) ?? { label, lines: [] };
    group.lines.push(line);
    groups.set(label, group);
  }
  return [...groups.values()];
}

const groupText = (ports: Ports, { label, lines }: Group): string => [label, ...lines.flatMap((line) => [
  `- ${line.title}`, ...(line.body === '' ? [] : [`  ${line.body}`]),
  ...(line.href === null ? [] : [`  ${linkTo(ports.settings, line.href)}`]),
])].join('\n');

function letterOf(ports: Ports, reader: Reader, lines: readonly Line[], day: string): Letter {
  const shown = lines.slice(0, LONGEST);
  const rest = lines.length - shown.length;
  const customer = lines.find((line) => line.customer_id !== null)?.customer_id;
  const all = customer == null ? '/admin/notifications' : `/customer/${customer}/notifications`;
  const settings = customer == null ? `/admin/staff/${reader.id}/notifications`
    : `/customer/${customer}/account/notification`;
  return { greeting: reader.first_name,
    paragraphs: [`Here's what's new since your last update (${dateInWords(day)}):`,
      ...groupsOf(shown).map((group) => groupText(ports, group)), rest > 0 ? `and ${rest} more.` : ''],
    link: { label: 'See all notifications', href: linkTo(ports.settings, all) },
    after: [`Choose what we email you: ${linkTo(ports.settings, settings)}`] };
}
