/**
 * Mails that remind (domain.md 6.5): offers about to end, what is to be paid, takings of the house and of streams not
 * reported, addenda not signed, an opening in a week.
 * Each step goes out once however often this runs: the key of the mail is unique.
 */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { reminderStep, type ReminderKey } from '#kernel/licensing/reminders.ts';
import { dayWithReason } from '#kernel/licensing/pay-by.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { documentLanguage, type Division } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import { signerEmails } from '#modules/customers/customers.public.server.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import { isDisputed, unbilledInterest } from '#modules/receivables/receivables.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { runBatch } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { queueMail } from '#server/mail.ts';
import { sql } from '#server/sql.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { notifyCustomer } from '#modules/notifications/notifications.public.server.ts';
import { linkTo } from '#server/settings.ts';
import { streamOwed } from '../add-ons/streams-owed.server.ts';
import { askStaff } from '../licenses/phase/notify.server.ts';
import { OF_REMINDER } from '../licenses/phase/tell.server.ts';
import { waiting, type DueReminder } from './waiting.server.ts';

/** Nobody is reminded at night: the day's mails begin at nine in the division's zone. */
const FIRST_HOUR = 9;

export async function sendReminders(ports: Ports): Promise<{ sent: number; failed: number }> {
  const clock = workContext(ports, ports.db, SYSTEM_ACTOR);
  const now = clock.now().toISOString();
  const awake = await ports.db.query<{ code: Division }>(sql`
    select code from divisions where extract(hour from ${now}::timestamptz at time zone timezone) >= ${FIRST_HOUR}
    order by code`);
  const run = { sent: 0, failed: 0 };
  for (const { code } of awake) {
    const today = await clock.today(code);
    const holidays = await ports.db.query<{ on_date: string }>(sql`
      select on_date from holidays where division = ${code} and on_date between ${today}::date - 60
        and ${today}::date + 60`);
    const due = (await waiting(clock, code, today)).flatMap((one) => {
      const step = reminderStep(one.key, one.due_on, { today, since: one.since,
        holidays: holidays.map((row) => row.on_date) });
      return step ? [{ one, days: step.days }] : [];
    });
    const { done, failed } = await runBatch(ports, { job: 'send-reminders', items: due,
      facts: ({ one }) => ({ key: one.key, id: one.id }) },
    async (ctx, { one, days }) => (await remind(ctx, one, days) ? 1 : 0));
    run.sent += done;
    run.failed += failed;
  }
  await clearAnswered(clock);
  return run;
}

/** True where this run was the one that sent it. */
async function remind(ctx: WorkContext, one: DueReminder, days: number): Promise<boolean> {
  const key = `${one.key}/${one.entity}/${one.id}/${one.due_on}/${days}`;
  const words = WORDS[one.key](one, days);
  const to = one.statement_email !== null && one.key === 'invoice.due' ? [one.statement_email]
    : await signerEmails(ctx, one.customer_id);
  const letter = { greeting: await greetingOf(ctx.db, to), paragraphs: words.lines,
    link: { label: LINK_LABELS[one.key], href: linkTo(ctx.ports.settings, placeOf(one)) },
    contact: await contactOf(ctx.db, one.rep_id, one.division) };
  const mail = { template: one.key, subject: words.subject.replace(/[\r\n]+/g, ' '), letter,
    entity: one.license_id === null ? 'customer' : 'license', entity_id: one.license_id ?? one.customer_id };
  const sent = await queueMail(ctx.db, { ...mail, to, reminder_key: key });
  if (sent && one.rep_email !== null && TELLS_REP.includes(one.key)) {
    await queueMail(ctx.db, { ...mail, to: [one.rep_email], subject: `For you as representative: ${mail.subject}`,
      reminder_key: `${key}/rep` });
  }
  if (sent) {
    await notifyCustomer(ctx, one.customer_id, { kind: OF_REMINDER[one.key], title: words.subject,
      body: words.lines[0] ?? '', href: placeOf(one), key });
  }
  if (sent && one.license_id !== null) await callStaff(ctx, one, one.license_id, days);
  return sent;
}

function placeOf(one: DueReminder): string {
  const home = `/customer/${one.customer_id}`;
  if (one.entity === 'invoice') return `${home}/invoices/${one.id}`;
  if (one.entity === 'deposit') return `${home}/deposits/${one.id}`;
  if (one.key === 'box_office.due') return `${home}/productions/${one.license_id}/box-office`;
  if (one.key === 'stream.due') return `${home}/productions/${one.license_id}/materials`;
  return one.key === 'performance.opening_soon' ? `${home}/productions/${one.license_id}`
    : `${home}/productions/${one.license_id}/quote`;
}

const LINK_LABELS: Readonly<Record<ReminderKey, string>> = {
  'quote.expiring': 'Read and sign the offer', 'invoice.due': 'See and pay', 'box_office.due': 'Report the box office',
  'stream.due': 'Report the stream', 'contract.signature_request': 'Read and sign the addendum',
  'performance.opening_soon': 'See your production',
};

const TELLS_REP: readonly ReminderKey[] = ['quote.expiring', 'box_office.due', 'stream.due'];

/** Somebody calls: about a report that is a week late, about a payment that is a month late. */
async function callStaff(ctx: WorkContext, one: DueReminder, licenseId: number, days: number): Promise<void> {
  const license = await findLicense(ctx.db, licenseId);
  if (one.key === 'box_office.due' && days === 7) {
    await askStaff(ctx, license, { kind: 'box_office_due', due_on: one.due_on,
      title: `${numbersInWords(license)}: the box-office report is a week late, call them` });
  }
  if (one.key === 'stream.due' && days === 7) {
    await askStaff(ctx, license, { kind: 'stream_due', due_on: one.due_on,
      title: `${numbersInWords(license)}: the stream report is a week late, call them` });
  }
  if (one.key === 'invoice.due' && days === 30) {
    await askStaff(ctx, license, { kind: 'payment_overdue', priority: 1, due_on: one.due_on,
      title: `${numbersInWords(license)}: a payment is a month late${await interestWords(ctx, one)}` });
  }
}

/** Billed by a person, from the page of the invoice. */
async function interestWords(ctx: WorkContext, one: DueReminder): Promise<string> {
  const interest = one.entity === 'invoice' ? await unbilledInterest(ctx, one.id) : 0;
  return interest === 0 ? '' : `; ${formatMoney(interest, one.currency)} of interest can be billed`;
}

/** Closes reminder tasks that have been answered since. */
async function clearAnswered(ctx: WorkContext): Promise<void> {
  const today = await ctx.today('EU');
  await ctx.db.exec(sql`
    update tasks t set status = 'done', done_at = ${ctx.now().toISOString()}
    where t.status = 'open' and (
      (t.kind = 'box_office_due' and not exists (select 1 from box_office_reports b where b.license_id = t.license_id
        and b.status in ('expected', 'queried') and b.due_on < ${today}))
      or (t.kind = 'stream_due' and not ${streamOwed(sql`t.license_id`)})
      or (t.kind = 'payment_overdue' and not exists (select 1 from invoices i where i.license_id = t.license_id
        and i.status in ('proforma', 'issued', 'part_paid') and i.kind <> 'credit_note' and i.balance_minor > 0
        and i.due_on < ${today} and not ${isDisputed(sql`i.id`)})
        and not exists (select 1 from deposits q where q.license_id = t.license_id and q.status = 'requested'
          and q.due_on < ${today})))`);
}

interface Words { subject: string; lines: string[] }

/** Levels of dunning: a note ahead, the day itself, then three reminders, each firmer than the one before. */
function paymentWords(one: DueReminder, days: number): Words {
  const sum = sumOf(one);
  const named = `${one.number} (${sum})`;
  if (days < 0) {
    return { subject: `${sum} for ${one.title} is due on ${day(one)}`,
      lines: [`${named} is due on ${dayWithReason(day(one), one.due_reason)}.`] };
  }
  if (days === 0) {
    return { subject: `${sum} for ${one.title} is due today`,
      lines: [`${named} is due today, ${dayWithReason(day(one), one.due_reason)}.`, ON_ITS_WAY] };
  }
  const late = `${named} was due on ${dayWithReason(day(one), one.due_reason)}${
    one.due_reason === null ? '' : ','} and has not arrived.`;
  if (days <= 3) {
    return { subject: `Reminder: ${sum} for ${one.title} is overdue`,
      lines: [late, `Please pay it, or tell us when it will be paid. ${ON_ITS_WAY}`] };
  }
  if (days <= 10) {
    return { subject: `Second reminder: ${sum} for ${one.title} is overdue`,
      lines: [late, `Please pay it this week, or tell us what keeps you from paying. ${ON_ITS_WAY}`] };
  }
  return { subject: `Last reminder: ${sum} for ${one.title} is ${days} days overdue`,
    lines: [late, `We have reminded you twice. Please pay it now, or call us. ${ON_ITS_WAY}`] };
}

const ON_ITS_WAY = 'If your payment is on its way, thank you.';
const day = (one: DueReminder): string => dateFor(documentLanguage(one.division), one.due_on);
const sumOf = (one: DueReminder): string => formatMoney(one.minor, one.currency);

const WORDS: Readonly<Record<ReminderKey, (one: DueReminder, days: number) => Words>> = {
  'quote.expiring': (one) => ({
    subject: `Our offer for ${one.title} ends on ${day(one)}`,
    lines: [`Our offer ${one.number} for ${one.title} is open until ${day(one)}.`,
      'After that day your dates are free for others again.'] }),
  'invoice.due': paymentWords,
  'box_office.due': (one, days) => ({
    subject: days <= 0 ? `Please report the box office of ${one.title}`
      : `The box office of ${one.title} is ${days} days late`,
    lines: [`Please report the box office of ${one.title}, ${one.number}, by ${day(one)}.`,
      'After 30 days we bill as if every seat was sold.'] }),
  'stream.due': (one, days) => ({
    subject: days <= 0 ? `Please report the stream sales of ${one.title}`
      : `The stream report of ${one.title} is ${days} days late`,
    lines: [`Please report what viewers paid for the stream of ${one.title}, ${one.number}, by ${day(one)}.`,
      'You will get an invoice for our share. If there were no sales, report 0.'] }),
  'contract.signature_request': (one) => ({
    subject: `Please sign the addendum for ${one.title}`,
    lines: [`The contract ${one.number} for ${one.title} was amended, and its addendum is not signed yet.`] }),
  'performance.opening_soon': (one) => ({
    subject: `${one.title} opens on ${day(one)}: break a leg`,
    lines: [`${one.title} opens on ${day(one)}. We wish you a good run.`,
      spellIn(documentLanguage(one.division))`The contract says which names and lines the program and the posters
        carry.${one.reports ? ' Afterwards we ask you for the box office.' : ''}`] }),
};
