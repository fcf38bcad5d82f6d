/** Applications from the portal and by telephone: some decided, the latest waiting, one asked back. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { Body } from './client.ts';
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

async function apply(season: SeasonContext, n: number, on: string): Promise<void> {
  const { random } = season;
  const customer = random.pick(DEMO_CUSTOMERS);
  const house = season.houses.get(customer.name)!;
  const portal = season.portals.get(customer.name);
  const body = applicationOf(season, customer, on);
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

function applicationOf(season: SeasonContext, customer: DemoCustomer, on: string): Body {
  const { random } = season;
  const category = customer.classification === 'professional' ? 'Pro' : 'Amateur';
  const works = [...season.works.values()].filter((work) => category === 'Amateur' || work.pro);
  const at = random.int(0, customer.venues.length - 1);
  const opening = addDays(on, random.int(75, 240));
  return {
    show_ids: [random.pick(works).id], category, division: customer.division,
    organisation_type: ORGANISATIONS[customer.kind], producing_organisation: customer.name,
    cast_size: random.int(8, 30), message: random.pick(NOTES),
    license_venues: [{ venue_id: season.houses.get(customer.name)!.venue_ids[at],
      ticketing: customer.venues[at]!.tickets,
      performances: [0, 1, 2].map((day) => ({ local_date: addDays(opening, day), local_time: '19:30' })) }],
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
