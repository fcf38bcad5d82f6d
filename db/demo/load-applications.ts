/** Applications from the portal and by telephone: some decided, the latest waiting, one asked back. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { Body, DemoClient } from './client.ts';
import { DEMO_CUSTOMERS, type DemoCustomer } from './houses.ts';
import type { SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';
const COUNT = 26;
/** Days between two of them; the newest arrives today. */
const APART = 5;
const NOTES = ['Our hall is free that weekend and the cast is keen.', 'We are celebrating thirty years of the society.',
  'A spring production with our senior students.', 'Could the reduced orchestration be used?',
  'We would also like to film one evening for the cast.'];
const ORGANISATIONS: Record<DemoCustomer['kind'], string> = { school_k12: 'school_k12', university: 'university',
  community: 'community', youth: 'youth', professional: 'professional', church: 'church', camp: 'camp',
  other: 'other' };

export function planApplications(season: SeasonContext): void {
  for (let n = 0; n < COUNT; n += 1) {
    const on = addDays(season.today, -(COUNT - 1 - n) * APART);
    season.calendar.add(on, () => apply(season, n, on));
  }
}

/** A division of the demo season answers small applications itself; what is larger waits for a person. */
const AUTOMATIC_UP_TO: Record<string, number> = { US: 500_000, UK: 400_000, EU: 400_000 };

/** The newest change of the house: small applications of amateurs get an automatic offer, as one does at once. */
export function planAutomaticOffers(season: SeasonContext, system: DemoClient): void {
  season.calendar.add(season.today, async () => {
    const base = '/api/admin/system/divisions';
    for (const { code, version } of (await system.get(base)).data) {
      const limit = AUTOMATIC_UP_TO[code as string];
      if (limit) await system.put(`${base}/${code}`, { version, auto_offers: true, auto_offer_total_minor: limit });
    }
    for (const name of ['Old Mill Youth Theatre', 'Leith Amateur Dramatics', 'Fairmount College']) {
      if (await offeredAutomatically(season, DEMO_CUSTOMERS.find((one) => one.name === name)!)) return;
    }
  });
}

async function offeredAutomatically(season: SeasonContext, customer: DemoCustomer): Promise<boolean> {
  const portal = season.portals.get(customer.name);
  if (!portal) return false;
  const mine = `/api/customers/${season.houses.get(customer.name)!.id}/license-applications`;
  let draft: Body | null = null;
  for (const work of season.works.values()) {
    const body = applicationFor(season, customer, { work: work.id, venue: 0, opening: addDays(season.today, 150),
      cast_size: 12, message: 'Three evenings in our own hall.' });
    const { data }: Body = draft === null ? await portal.client.post(mine, body)
      : await portal.client.put(`${mine}/${draft.id}`, { ...body, version: draft.version });
    draft = data as Body;
    const [outlook] = draft.outlook;
    if (outlook.availability?.verdict === 'clear' && outlook.price?.priced === true) break;
  }
  if (draft === null) return false;
  const { data } = await portal.client.put(`${mine}/${draft.id}/status`, { event: 'submit', version: draft.version });
  return data.status === 'converted';
}

async function apply(season: SeasonContext, n: number, on: string): Promise<void> {
  const { random } = season;
  const customer = random.pick(DEMO_CUSTOMERS);
  const house = season.houses.get(customer.name)!;
  const portal = season.portals.get(customer.name);
  const body = applicationOf(season, customer, on, n);
  if (!portal || random.chance(0.25)) {
    const { data } = await season.staff.post(`${API}/license_applications`, { customer_id: house.id, ...body });
    return decide(season, data, n);
  }
  const mine = `/api/customers/${house.id}/license-applications`;
  const { data: draft } = await portal.client.post(mine, body);
  // One house has begun and not yet sent.
  if (n === COUNT - 4) return;
  const { data } = await portal.client.put(`${mine}/${draft.id}/status`, { event: 'submit', version: draft.version });
  return decide(season, data, n);
}

function applicationOf(season: SeasonContext, customer: DemoCustomer, on: string, n: number): Body {
  const { random } = season;
  const category = customer.classification === 'professional' ? 'Pro' : 'Amateur';
  const works = [...season.works.values()].filter((work) => category === 'Amateur' || work.pro);
  const at = random.int(0, customer.venues.length - 1);
  const opening = addDays(on, random.int(75, 240));
  return applicationFor(season, customer, { work: random.pick(works).id, venue: at, opening,
    cast_size: random.int(8, 30), message: random.pick(NOTES), whole: n > COUNT * 0.66 });
}

interface Plan {
  work: number; venue: number; opening: string; cast_size: number; message: string;
  /** A matinee at lower prices, an archival recording and other dates are asked for as well. */
  whole?: boolean;
}

/** Two thirds of the evening price, in whole units. */
function matineeTickets(tickets: readonly Body[]): Body[] {
  return tickets.map((row) => ({ ...row, price: Math.round(row.price * 2 / 3), performance_type: 'matinee' }));
}

function applicationFor(season: SeasonContext, customer: DemoCustomer, plan: Plan): Body {
  const { tickets } = customer.venues[plan.venue]!;
  const evenings = [0, 1, 2].map((day) => ({ local_date: addDays(plan.opening, day), local_time: '19:30' }));
  return {
    ...plan.whole && { needs_video: true, alternatives: [addDays(plan.opening, 14)] },
    show_ids: [plan.work], category: customer.classification === 'professional' ? 'Pro' : 'Amateur',
    division: customer.division,
    organisation_type: ORGANISATIONS[customer.kind], producing_organisation: customer.name,
    cast_size: plan.cast_size, message: plan.message,
    license_venues: [{ venue_id: season.houses.get(customer.name)!.venue_ids[plan.venue],
      ticketing: plan.whole ? [...tickets, ...matineeTickets(tickets)] : tickets,
      performances: plan.whole ? [...evenings, { local_date: addDays(plan.opening, 2), local_time: '14:00',
        type: 'matinee' }] : evenings }],
  };
}

/** The older two thirds were decided; the rest is what the desk finds this morning. */
async function decide(season: SeasonContext, sent: Body, n: number): Promise<void> {
  const path = `${API}/license_applications/${sent.id}`;
  const { data } = await season.staff.get(path);
  const asksBack = n >= COUNT - 7 && n <= COUNT - 6;
  if ((n > COUNT * 0.66 && !asksBack) || data.status !== 'submitted') return;
  const { data: taken } = await season.staff.put(`${path}/status`, { event: 'assign', version: data.version });
  if (asksBack) {
    await season.staff.post(`${path}/information_requests`, { message: 'How many seats will be offered each night?' });
    return;
  }
  if (n % 5 === 2) {
    await season.staff.put(`${path}/status`, { event: 'decline', version: taken.version,
      reason_code: season.random.pick(['rights_unavailable', 'dates_too_soon', 'proximity']),
      note: 'We are sorry: another house nearby has the rights for these weeks.' });
    return;
  }
  if (n % 5 === 4) return;
  if (taken.outlook.some((one: Body) => one.availability?.verdict !== 'clear')) return;
  await season.staff.put(`${path}/status`, { event: 'approve', version: taken.version });
}
