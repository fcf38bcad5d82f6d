/**
 * Events after a signature: money on account and for invoices, runs that are held, box-office receipts reported and
 * accepted. Some customers pay late, some never, some forget their report, as customers do.
 */
import { HELD_KINDS } from '#modules/licensing/box-office/box-office.contract.ts';
import { addDays, minDate } from '#kernel/calendar/calendar.ts';
import { runLicenseClocks } from '#modules/licensing/licensing.public.server.ts';
import { releaseDue } from '#modules/receivables/receivables.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type Ports } from '#server/context.ts';
import type { Body } from './client.ts';
import { DEMO_CUSTOMERS, type DemoCustomer } from './houses.ts';
import { depositChecks } from './load-banking.ts';
import type { Production, SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';
/** Of these last days not everything is paid and reported yet. */
const LATELY_DAYS = 120;
const STILL_DUE_DAYS = 21;
const METHODS = ['wire', 'card', 'check', 'ach'] as const;
const METHODS_ABROAD = ['wire', 'wire', 'card'] as const;

/** Deposit and pro formas: paid some days after the signature; a few houses let the contract lapse. */
export async function payAfterSigning(season: SeasonContext, production: Production): Promise<void> {
  if (season.random.chance(0.05)) return;
  // Those who signed this week have not paid yet; nobody lets the day to pay pass.
  const wanted = addDays(production.signedOn, season.random.int(7, 18));
  const { data } = await season.staff.get(`${API}/licenses/${production.id}`);
  const on = data.pay_by === null ? wanted : minDate(wanted, data.pay_by);
  if (on > season.today) return;
  season.calendar.add(on, () => (production.customer.purchase_orders ? executeOnOrder(season, production)
    : payWhatIsAsked(season, production, on)));
}

/** A public body sends its order instead of money; what it owes is invoiced and paid later. */
async function executeOnOrder({ staff }: SeasonContext, production: Production): Promise<void> {
  const path = `${API}/licenses/${production.id}`;
  const { data } = await staff.get(path);
  if (data.phase !== 'accepted') return;
  await staff.post(`${path}/execute`, { version: data.version, purchase_order_no: `PO-${40_000 + production.id}` });
}

async function payWhatIsAsked(season: SeasonContext, production: Production, on: string): Promise<void> {
  const { staff } = season;
  const deposits: Body[] = (await staff.get(`${API}/licenses/${production.id}/deposits`)).data;
  for (const deposit of deposits.filter((one) => one.status === 'requested')) {
    await receive(season, { customer_id: production.house.id, division: deposit.division, currency: deposit.currency,
      amount_minor: deposit.amount_minor, received_on: on, license_id: production.id, deposit_id: deposit.id });
  }
  const asked: Body[] = (await staff.get(`${API}/invoices?license_id=${production.id}&per_page=100`)).data;
  for (const invoice of asked.filter((one) => one.status === 'proforma' || one.balance_minor > 0))
    await payInvoice(season, invoice, on);
}

async function payInvoice(season: SeasonContext, invoice: Body, on: string): Promise<void> {
  const amount = invoice.kind === 'proforma' ? invoice.total_minor : invoice.balance_minor;
  if (amount <= 0) return;
  await receive(season, { customer_id: invoice.customer_id, division: invoice.division, currency: invoice.currency,
    amount_minor: amount, received_on: on, license_id: invoice.license_id,
    apply_to: [{ invoice_id: invoice.id, amount_minor: amount }] });
}

async function receive(season: SeasonContext, receipt: Body): Promise<void> {
  const method = season.random.pick(receipt.currency === 'USD' ? METHODS : METHODS_ABROAD);
  const reference = method === 'check' ? `Check ${season.random.int(1_000, 9_999)}` : '';
  // Two halves of a price are paid on one day now and then: whoever records them was asked, and knows.
  await season.staff.post(`${API}/accounting/payments`, { method, reference, duplicate_confirmed: true, ...receipt });
}

/** Once a week: what time does by itself, invoices that fall due, returns that come in. */
export function weekly(season: SeasonContext, ports: Ports): (day: string) => Promise<void> {
  const known = { invoices: new Set<number>(), reports: new Set<number>() };
  return async (day) => {
    await runLicenseClocks(workContext(ports, ports.db, SYSTEM_ACTOR), day);
    await ports.db.tx((tx) => releaseDue(workContext(ports, tx, SYSTEM_ACTOR), { up_to: day }));
    await planPayments(season, day, known.invoices);
    await planReturns(season, day, known.reports);
    await depositChecks(season, day);
  };
}

async function planPayments(season: SeasonContext, day: string, known: Set<number>): Promise<void> {
  const { random, calendar, today } = season;
  const open: Body[] = (await season.staff.get(`${API}/invoices?kind=invoice&open=true&per_page=100`)).data;
  for (const invoice of open.filter((one) => !known.has(one.id))) {
    known.add(invoice.id);
    if (random.chance((invoice.due_on ?? day) > addDays(today, -LATELY_DAYS) ? 0.45 : 0.03)) continue;
    const late = random.chance(0.2) ? random.int(8, 70) : random.int(-12, 3);
    const due = addDays(invoice.due_on ?? day, late);
    const on = due < day ? day : due;
    if (on > today) continue;
    calendar.add(on, async () => {
      const { data } = await season.staff.get(`${API}/invoices/${invoice.id}`);
      await payInvoice(season, data, on);
    });
  }
}

async function planReturns(season: SeasonContext, day: string, known: Set<number>): Promise<void> {
  const { random, calendar, today } = season;
  const owed: Body[] = (await season.staff.get(
    `${API}/box_office_reports?status=expected&due_to=${addDays(day, 14)}&per_page=100`)).data;
  for (const report of owed.filter((one) => one.period_to < day && !known.has(one.id))) {
    known.add(report.id);
    // The touring company sends its figures when somebody asks for them.
    if (report.division === 'PROD' && report.period_to > addDays(today, -STILL_DUE_DAYS)) continue;
    if (random.chance(0.05)) continue;
    const on = addDays(day, random.int(0, 9));
    if (on > today) continue;
    calendar.add(on, () => sendReturn(season, report, on));
  }
}

async function sendReturn(season: SeasonContext, owed: Body, on: string): Promise<void> {
  const { random, staff } = season;
  const customer = DEMO_CUSTOMERS.find((one) => one.name === owed.customer_name)!;
  const held = await performancesOf(season, owed);
  if (held === 0) return;
  const figures = takings(season, customer, owed, held);
  const portal = season.portals.get(customer.name);
  const made = portal && !random.chance(0.15)
    ? await portal.client.post(`/api/customers/${owed.customer_id}/licenses/${owed.license_id}/box_office_reports`,
      { ...figures, certified_name: portal.name })
    : await staff.post(`${API}/licenses/${owed.license_id}/box_office_reports`, figures);
  // The last days' returns are still to be looked at.
  const decided = addDays(on, random.int(2, 9));
  if (decided > season.today) return;
  season.calendar.add(decided, () => accept(season, owed.license_id, made.data.id));
}

async function performancesOf(season: SeasonContext, owed: Body): Promise<number> {
  const { data: all }: { data: Body[] } = await season.staff.get(
    `${API}/licenses/${owed.license_id}/performances?license_venue_id=${owed.license_venue_id}&per_page=100`);
  return all.filter((one) => one.local_date >= owed.period_from && one.local_date <= owed.period_to).length;
}

/** Of the takings: what a week on tour costs to run. */
const RUNNING_COSTS = 0.7;

/** Houses between half and nearly full, at the venue's own prices. */
function takings(season: SeasonContext, customer: DemoCustomer, owed: Body, held: number): Body {
  const venue = customer.venues.find((one) => one.name === owed.venue_name) ?? customer.venues[0]!;
  const capacity = venue.capacity * held;
  const fill = season.random.int(45, 96);
  let admissions = 0;
  let gross = 0;
  for (const ticket of venue.tickets) {
    const sold = Math.floor((ticket.number_of_seats * held * fill) / 100);
    admissions += sold;
    gross += sold * ticket.price * 100;
  }
  return {
    license_venue_id: owed.license_venue_id, scope: owed.scope, period_from: owed.period_from,
    period_to: owed.period_to, currency: owed.currency, gross_minor: gross, performances_held: held,
    ...(owed.asks_running_costs ? { running_costs_minor: Math.round(gross * RUNNING_COSTS) } : {}),
    paid_admissions: admissions, complimentary: season.random.int(0, 6) * held, capacity_available: capacity,
  };
}

async function accept(season: SeasonContext, licenseId: number, id: number): Promise<void> {
  const base = `${API}/licenses/${licenseId}/box_office_reports/${id}`;
  const { data } = await season.staff.get(base);
  if (data.open_questions > 0) {
    if (season.random.chance(0.3)) return;
    for (const question of data.questions.filter((one: Body) => one.answer === null)) {
      const holds = (HELD_KINDS as readonly string[]).includes(question.kind);
      await season.staff.put(`${base}/questions/${question.id}`,
        { answer: holds ? 'add' : 'as_reported', note: 'As the house said.' });
    }
  }
  const { data: ready } = await season.staff.get(base);
  await season.staff.put(`${base}/review`, { event: 'accept', version: ready.version });
}
