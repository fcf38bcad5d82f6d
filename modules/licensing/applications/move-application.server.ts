/** The statuses of an application and what each step does (domain.md 1.2); the machine decides every one of them. */
import { addDays, addMonths, dateFor, dateInWords } from '#kernel/calendar/calendar.ts';
import { APPLICATION_MACHINE, type ApplicationEvent } from '#kernel/licensing/application-machine.ts';
import { decide, type Facts } from '#kernel/licensing/machine.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { bandsOfType, performancesOfType } from '#kernel/pricing/price-bands.ts';
import { conflict, invalid, invalidField, refuse, type FieldErrors } from '#kit/errors.ts';
import { spellIn } from '#kernel/text/english.ts';
import { signerEmails } from '#modules/customers/customers.public.server.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import { stale } from '#server/crud.ts';
import type { WorkContext } from '#server/context.ts';
import { queueMail } from '#server/mail.ts';
import { join, sql, type Sql } from '#server/sql.ts';
import { notifyCustomer, notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { linkTo } from '#server/settings.ts';
import { moverProblem, type Mover } from '../licenses/phase/mover.server.ts';
import type { ApplicationDetail } from './application.contract.ts';
import { availabilityFor, freezeAlternatives, MONTHS_AHEAD, priceFor } from './application-outlook.server.ts';
import {
  applicationAlternatives, applicationShows, applicationVenues, findApplication, type Application,
} from './application-record.server.ts';

/** An answer is promised within this many days of handing in. */
const ANSWER_DAYS = 5;

export interface MoveApplication {
  application: Application;
  event: ApplicationEvent;
  by: Mover;
  facts?: Facts;
  reason?: string | undefined;
  set?: readonly Sql[];
}

export async function lockApplication(
  ctx: WorkContext, id: number, version: number | null, customerId?: number,
): Promise<Application> {
  const row = await findApplication(ctx, id, { lock: true,
    ...(customerId === undefined ? {} : { customer_id: customerId }) });
  if (version !== null && row.version !== version) throw stale(row);
  return row;
}

/** 409 `application.status_conflict` (or as the machine names it) with the allowed events; `.precondition`; 403. */
export async function moveApplication(ctx: WorkContext, move: MoveApplication): Promise<Application> {
  const { application, event } = move;
  const decision = decide(APPLICATION_MACHINE, application.status, event,
    { reason_given: Boolean(move.reason?.trim()), ...move.facts });
  if (decision.refused) {
    const { code, message, allowed, unmet } = decision.refused;
    throw conflict(code, message, { status: application.status, allowed, unmet });
  }
  const problem = moverProblem(decision.edge, move.by);
  if (problem !== null) throw refuse('forbidden', problem);
  await ctx.db.exec(sql`
    update license_applications set ${join([sql`status = ${decision.next}`, ...move.set ?? [],
      sql`version = version + 1`])} where id = ${application.id}`);
  await ctx.db.exec(sql`
    insert into license_application_events (license_application_id, event, from_status, to_status, actor_id,
      on_behalf_of_id, reason, created_at)
    values (${application.id}, ${event}, ${application.status}, ${decision.next}, ${ctx.actor.actor_id},
      ${ctx.actor.on_behalf_of_customer_id}, ${move.reason ?? ''}, ${ctx.now().toISOString()})`);
  await ctx.audit({ action: event, entity: 'license_application', entity_id: application.id,
    before: { status: application.status }, after: { status: decision.next, reason: move.reason } });
  return findApplication(ctx, application.id);
}

/** Hands an application in: number, frozen verdict and price per show, promised day, mail with the reference. */
export async function submitApplication(
  ctx: WorkContext, application: Application, by: Mover, override?: string,
): Promise<Application> {
  const shows = await applicationShows(ctx, application.id);
  await refuseIncomplete(ctx, application, shows.length);
  const today = await ctx.today(application.division);
  const tooFar = application.first_performance_on !== null
    && application.first_performance_on > addMonths(today, MONTHS_AHEAD);
  const verdicts: Record<string, unknown> = {};
  const prices: Record<string, unknown> = {};
  for (const show of shows) {
    verdicts[String(show.show_id)] = await availabilityFor(ctx, application, show.show_id);
    prices[String(show.show_id)] = await priceFor(ctx, application, show.show_id);
  }
  await freezeAlternatives(ctx, application, shows);
  const now = ctx.now();
  const promised = new Date(now.getTime() + ANSWER_DAYS * 86_400_000).toISOString();
  const answerOn = addDays(today, ANSWER_DAYS);
  const submitted = await moveApplication(ctx, { application, event: 'submit', by, reason: override,
    facts: { required_fields: true, shows_within_limit: shows.length >= 1 && shows.length <= 3,
      not_too_far_ahead: !tooFar, staff_override_with_reason: by.kind === 'staff' && Boolean(override?.trim()) },
    set: [sql`number = coalesce(number, next_number('application', ${application.division}, ${today}))`,
      sql`submitted_at = ${now.toISOString()}`, sql`submitted_by_user_id = ${ctx.actor.actor_id}`,
      sql`sla_due_at = ${promised}`, sql`override_reason = ${override ?? null}`,
      sql`availability_result = ${JSON.stringify(verdicts)}`, sql`price_preview = ${JSON.stringify(prices)}`] });
  await mailApplicant(ctx, submitted, 'application.received', 'We have received your application',
    [`Your reference is ${submitted.number}. We will answer by ${
      dateFor(documentLanguage(submitted.division), answerOn)}.`]);
  await ctx.db.exec(sql`
    insert into tasks (kind, title, entity, entity_id, customer_id, division, due_on)
    values ('application_submitted', ${`Application ${submitted.number} waits for review`}, 'license_application',
      ${submitted.id}, ${submitted.customer_id}, ${submitted.division}, ${answerOn})
    on conflict do nothing`);
  await notifyStaff(ctx, { kind: 'application.submitted', title: `Application ${submitted.number} was submitted`,
    body: `${submitted.producing_organisation}, answer by ${dateInWords(answerOn)}`,
    href: `/admin/applications/${submitted.id}`, to: [submitted.license_rep_id] });
  return submitted;
}

/** Every performance has seats with a price; free admission needs neither. */
function bandProblem(venue: ApplicationDetail['license_venues'][number], isFree: boolean): string | null {
  if (isFree) return null;
  for (const type of new Set(venue.performances.filter((row) => !row.is_free).map((row) => row.type))) {
    const { rows } = bandsOfType(venue.ticketing, type);
    const what = performancesOfType(type);
    if (rows.length === 0) return `Enter seats and prices of the ${what} at ${venue.name}`;
    if (rows.every((row) => row.number_of_seats === 0)) return `Enter the seats of the ${what} at ${venue.name}`;
  }
  return null;
}

async function refuseIncomplete(ctx: WorkContext, application: Application, shows: number): Promise<void> {
  const errors: FieldErrors = {};
  const venues = await applicationVenues(ctx, application.id);
  if (shows === 0) errors.show_ids = ['Choose a show'];
  if (venues.length === 0) errors.license_venues = ['Name at least one venue'];
  venues.forEach((venue, index) => {
    if (venue.performances.length === 0) errors[`license_venues.${index}.performances`] = ['Enter the performances'];
    const problem = bandProblem(venue, application.is_free_admission);
    if (problem !== null) errors[`license_venues.${index}.ticketing`] = [problem];
  });
  const today = await ctx.today(application.division);
  if (application.first_performance_on !== null && application.first_performance_on <= today) {
    errors['license_venues.0.performances'] = ['The first performance is in the past'];
  }
  const past = (await applicationAlternatives(ctx, application.id)).find((row) => row.first_performance_on <= today);
  if (past) errors[`alternatives.${past.rank - 1}`] = ['Choose other dates in the future'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

export async function mailApplicant(
  ctx: WorkContext, application: Application, template: string, subject: string, lines: readonly string[],
): Promise<void> {
  const to = await signerEmails(ctx, application.customer_id);
  const href = `/customer/${application.customer_id}/applications/${application.id}`;
  await queueMail(ctx.db, { template, to, subject, entity: 'license_application', entity_id: application.id,
    letter: { greeting: await greetingOf(ctx.db, to), paragraphs: lines,
      link: { label: 'See your application', href: linkTo(ctx.ports.settings, href) },
      contact: await contactOf(ctx.db, application.license_rep_id, application.division) } });
  await notifyCustomer(ctx, application.customer_id, { kind: 'application.answered', title: subject,
    body: lines.join(' '), href });
}

export const DECLINE_TEXTS: Record<string, string> = {
  rights_unavailable: 'The rights are not available for these dates and this place.',
  professional_conflict: 'A professional production holds the rights at that time.',
  proximity: 'Another production of the show is planned nearby at about the same time.',
  dates_too_soon: 'The dates are too soon to deliver materials.',
  incomplete: 'The application is not complete.', arrears: 'There are unpaid invoices.',
  not_eligible: 'This show cannot be licensed to your organization.', other: 'We cannot license this production.',
};

export interface DecideApplication {
  event: 'assign' | 'need_clearance' | 'approve' | 'decline';
  reason_code?: string | undefined;
  note?: string | undefined;
  license_rep_id?: number | undefined;
  clearance_expected_on?: string | undefined;
  alternatives?: readonly string[] | undefined;
}

/** Decision by staff. `approve` needs clear rights for a show, or a note that says why they are cleared. */
export async function decideApplication(
  ctx: WorkContext, application: Application, input: DecideApplication, by: Mover,
): Promise<Application> {
  if (input.event === 'assign') {
    const rep = input.license_rep_id ?? application.license_rep_id ?? ctx.actor.actor_id;
    await closeTask(ctx, application.id);
    return moveApplication(ctx, { application, event: 'assign', by, reason: input.note,
      facts: { assignee_chosen: rep !== null }, set: [sql`license_rep_id = ${rep}`] });
  }
  if (input.event === 'need_clearance') {
    const waiting = await moveApplication(ctx, { application, event: 'need_clearance', by, reason: input.note,
      set: [sql`clearance_expected_on = ${input.clearance_expected_on ?? null}`] });
    await mailApplicant(ctx, waiting, 'application.clearance_wait', 'Your application awaits rights clearance',
      [`We are clearing the rights for ${waiting.number}.`]);
    return waiting;
  }
  const now = ctx.now().toISOString();
  const decided = [sql`decided_at = ${now}`, sql`decided_by_id = ${ctx.actor.actor_id}`];
  if (input.event === 'approve') {
    const verdicts = Object.values(application.availability_result ?? {}).map((answer) => answer.verdict);
    return moveApplication(ctx, { application, event: 'approve', by, reason: input.note,
      facts: { availability_clear: verdicts.includes('clear'), clearance_recorded: Boolean(input.note?.trim()) },
      set: [...decided, sql`override_reason = coalesce(${input.note ?? null}, override_reason)`] });
  }
  if (input.reason_code === undefined) throw invalidField('reason_code', 'Choose the reason that the customer reads');
  const declined = await moveApplication(ctx, { application, event: 'decline', by, reason: input.note,
    facts: { reason_given: true },
    set: [...decided, sql`decision_reason_code = ${input.reason_code}`, sql`decision_note = ${input.note ?? ''}`] });
  await closeTask(ctx, application.id);
  await mailApplicant(ctx, declined, 'application.declined', 'We cannot license this production', [
    spellIn(documentLanguage(declined.division))(DECLINE_TEXTS[input.reason_code] ?? ''), input.note ?? '',
    ...input.alternatives?.length ? [`You may like: ${input.alternatives.join('; ')}`] : []].filter(Boolean));
  return declined;
}

export async function closeTask(ctx: WorkContext, applicationId: number): Promise<void> {
  await ctx.db.exec(sql`
    update tasks set status = 'done', done_at = ${ctx.now().toISOString()}, done_by_id = ${ctx.actor.actor_id}
    where entity = 'license_application' and entity_id = ${applicationId} and status = 'open'`);
}

/** Staff ask: the clock of the promised answer rests until the customer has answered. */
export async function requestInformation(
  ctx: WorkContext, application: Application, input: { message: string; fields: readonly string[] }, by: Mover,
): Promise<number> {
  const asked = await moveApplication(ctx, { application, event: 'request_info', by, reason: input.message,
    facts: { message_given: true }, set: [sql`sla_paused_at = ${ctx.now().toISOString()}`] });
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into license_application_information_requests (license_application_id, message, fields, asked_by_id)
    values (${application.id}, ${input.message}, ${[...input.fields]}, ${ctx.actor.actor_id}) returning id`);
  await mailApplicant(ctx, asked, 'application.info_requested', 'A question about your application',
    [`We have a question about your application ${asked.number}:`, input.message]);
  return row.id;
}

/** The customer answers: the promised day moves on by as long as the clock rested. */
export async function respond(
  ctx: WorkContext, application: Application, message: string, by: Mover,
): Promise<Application> {
  const now = ctx.now();
  const rested = application.sla_paused_at === null ? 0
    : now.getTime() - new Date(application.sla_paused_at).getTime();
  const due = application.sla_due_at === null ? null
    : new Date(new Date(application.sla_due_at).getTime() + rested).toISOString();
  const answered = await moveApplication(ctx, { application, event: 'respond', by, reason: message,
    set: [sql`sla_paused_at = null`, sql`sla_due_at = ${due}`] });
  await ctx.db.exec(sql`
    update license_application_information_requests set answer = ${message}, answered_by_id = ${ctx.actor.actor_id},
      answered_at = ${now.toISOString()}
    where license_application_id = ${application.id} and answered_at is null`);
  await notifyStaff(ctx, { kind: 'application.responded', title: `${answered.number}: the question was answered`,
    body: message, href: `/admin/applications/${application.id}`, to: [application.license_rep_id] });
  await refreshOutlook(ctx, answered);
  return findApplication(ctx, application.id);
}

/** The customer may have changed dates and places with the answer: verdict and price are taken again. */
async function refreshOutlook(ctx: WorkContext, application: Application): Promise<void> {
  const verdicts: Record<string, unknown> = {};
  const prices: Record<string, unknown> = {};
  const shows = await applicationShows(ctx, application.id);
  await freezeAlternatives(ctx, application, shows);
  for (const show of shows) {
    verdicts[String(show.show_id)] = await availabilityFor(ctx, application, show.show_id);
    prices[String(show.show_id)] = await priceFor(ctx, application, show.show_id);
  }
  await ctx.db.exec(sql`
    update license_applications set availability_result = ${JSON.stringify(verdicts)},
      price_preview = ${JSON.stringify(prices)} where id = ${application.id}`);
}

/** Applications whose customer was asked and stays silent for 30 days; the scheduler lapses each. */
export function silentApplications(ctx: WorkContext, today: string): Promise<{ id: number }[]> {
  return ctx.db.query(sql`
    select id from license_applications where status = 'info_requested' and sla_paused_at < ${addDays(today,
      -30)}::date order by id`);
}

export async function expireApplication(ctx: WorkContext, id: number, by: Mover): Promise<void> {
  const application = await lockApplication(ctx, id, null);
  await moveApplication(ctx, { application, event: 'expire', by, facts: { silent_30_days: true } });
}
