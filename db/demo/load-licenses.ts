/** Two years of quotes and productions: offered, signed, paid, performed, reported, settled; some of them not. */
import { addDays, dayOfWeek } from '#kernel/calendar/calendar.ts';
import type { Ports } from '#server/context.ts';
import type { DemoClient } from './client.ts';
import { DEMO_CUSTOMERS, type DemoCustomer } from './houses.ts';
import type { House } from './load-people.ts';
import type { Work } from './load-catalogue.ts';
import type { Random } from './random.ts';
import type { Calendar } from './season.ts';

const API = '/api/admin/staff';
const FIRST_DAY_OF_RUN = 4;
const LATELY = 12;
const TWO_WEEKENDS = 6;
const NIGHTS_A_WEEK = 5;
const TOURING = 'Calder Touring Company';
/** Professional houses that have something on these days, whatever the day of the start is. */
const ON_STAGE = [TOURING, 'Northern Quays Rep', 'Liffey Street Company'];
const OPENED_DAYS_AGO = 26;
const SIGNS_IN = 'Astoria Community Players';
/** A page with nothing on it: what is scanned matters to the people, not to the season. */
export const SCAN = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj ' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj trailer<</Root 1 0 R>>\n%%EOF\n',
);

export interface SignerAtHome {
  client: DemoClient;
  name: string;
}

export interface SeasonContext {
  ports: Ports;
  calendar: Calendar;
  random: Random;
  today: string;
  staff: DemoClient;
  second: DemoClient;
  /** Signer who also pays for a customer, by the customer's name. */
  portals: ReadonlyMap<string, SignerAtHome>;
  houses: ReadonlyMap<string, House>;
  works: ReadonlyMap<string, Work>;
  /** Called when an offer was signed; pays, performs and settles. */
  afterSigning: (production: Production) => Promise<void>;
}

export interface Production {
  id: number;
  customer: DemoCustomer;
  house: House;
  category: 'Amateur' | 'Pro';
  opening: string;
  closing: string;
  performances: string[];
  signedOn: string;
}

type Fate = 'runs' | 'declined' | 'expires' | 'draft';

/** Plans `count` licences whose openings spread from two years ago to eight months ahead. */
export function planLicenses(season: SeasonContext, count: number): void {
  const first = addDays(season.today, -700);
  const span = 940;
  const houses = inTurn(season.random);
  for (let n = 0; n < count; n += 1) {
    const opening = nextWeekday(addDays(first, Math.floor((n * span) / count) + season.random.int(0, 6)));
    planOne(season, houses(), opening, addDays(opening, -season.random.int(80, 150)));
  }
  for (const name of ON_STAGE) {
    const opening = addDays(season.today, -OPENED_DAYS_AGO);
    planOne(season, DEMO_CUSTOMERS.find((house) => house.name === name)!, opening, addDays(opening, -90), 'runs');
  }
  // Current work on the desk: offers out, some of them signed and not paid yet.
  for (let n = 0; n < LATELY; n += 1) {
    // The newest offer waits for the house whose people can sign in (README).
    const house = n === 0 ? DEMO_CUSTOMERS.find((one) => one.name === SIGNS_IN)! : houses();
    planOne(season, house, nextWeekday(addDays(season.today, 90 + n * 7)), addDays(season.today, -2 * n - 2), 'runs');
  }
}

/** Every house once, the only one of its division twice, in an order drawn anew each round: no list is left empty. */
function inTurn(random: Random): () => DemoCustomer {
  const alone = DEMO_CUSTOMERS.filter((house) =>
    DEMO_CUSTOMERS.every((other) => other === house || other.division !== house.division));
  let waiting: DemoCustomer[] = [];
  return () => {
    if (waiting.length === 0) waiting = [...DEMO_CUSTOMERS, ...alone];
    return waiting.splice(random.int(0, waiting.length - 1), 1)[0]!;
  };
}

function nextWeekday(day: string): string {
  return addDays(day, (FIRST_DAY_OF_RUN - dayOfWeek(day) + 7) % 7);
}

function planOne(
  season: SeasonContext, customer: DemoCustomer, opening: string, quotedOn: string, decided?: Fate,
): void {
  const { random } = season;
  const category = customer.classification === 'professional' ? 'Pro' : 'Amateur';
  const works = [...season.works.values()].filter((work) => category === 'Amateur' || work.pro);
  const work = random.pick(works);
  if (quotedOn > season.today) return;
  const fate: Fate = decided === 'runs' || random.chance(0.8) ? 'runs'
    : random.pick(['declined', 'expires', 'draft'] as const);
  const performances = datesOf(random, category, opening);
  season.calendar.add(quotedOn, () => quote(season, { customer, category, work, performances, fate, quotedOn }));
}

/** Amateurs play one or two weekends, professionals six nights a week for some weeks. */
function datesOf(random: Random, category: 'Amateur' | 'Pro', opening: string): string[] {
  if (category === 'Amateur') {
    const weekends = random.int(1, 2);
    return Array.from({ length: weekends }, (_, week) =>
      [0, 1, 2].map((day) => addDays(opening, week * 7 + day)),
    ).flat();
  }
  const weeks = random.int(2, 4);
  const monday = addDays(opening, -dayOfWeek(opening) + 8);
  return Array.from({ length: weeks }, (_, week) =>
    [1, 2, 3, 4, 5].map((day) => addDays(monday, week * 7 + day)),
  ).flat();
}

/** A second weekend ends with a matinee. */
function nightsOf(days: readonly string[]): object[] {
  return days.map((local_date, at) => (days.length === TWO_WEEKENDS && at === days.length - 1
    ? { local_date, local_time: '14:30', type: 'matinee' } : { local_date, local_time: '19:30' }));
}

/** One venue; a tour of several weeks moves to the next one after the first. */
function stopsOf(plan: Plan, at: number): { stop: number; days: string[] }[] {
  const days = plan.performances;
  if (plan.customer.name !== TOURING || days.length <= NIGHTS_A_WEEK) return [{ stop: at, days }];
  const next = (at + 1) % plan.customer.venues.length;
  return [{ stop: at, days: days.slice(0, NIGHTS_A_WEEK) },
    { stop: next, days: days.slice(NIGHTS_A_WEEK) }];
}

interface Plan {
  customer: DemoCustomer;
  category: 'Amateur' | 'Pro';
  work: Work;
  performances: string[];
  fate: Fate;
  quotedOn: string;
}

async function quote(season: SeasonContext, plan: Plan): Promise<void> {
  const house = season.houses.get(plan.customer.name)!;
  const at = season.random.int(0, house.venue_ids.length - 1);
  const created = await season.staff.post(`${API}/licenses`, {
    customer_id: house.id, show_id: plan.work.id, category: plan.category, division: plan.customer.division,
    // Most houses play with a cast in the middle of what the work takes; its books follow from it.
    cast_size: Math.round((plan.work.cast[0] + plan.work.cast[1]) / 2),
    license_venues: stopsOf(plan, at).map(({ stop, days }) => ({ venue_id: house.venue_ids[stop],
      ticketing: plan.customer.venues[stop]!.tickets, performances: nightsOf(days) })),
    ...(plan.customer.name === TOURING ? { production_type: 'tour' } : {}),
    ...(plan.customer.purchase_orders ? { execution_policy: 'purchase_order',
      execution_policy_reason: 'A public university: it pays on a purchase order.' } : {}),
  });
  const id: number = created.data.id;
  if (plan.fate === 'draft') return;
  await offer(season, id, plan.customer.statement_email);
  const production: Production = {
    id, customer: plan.customer, house, category: plan.category, performances: plan.performances,
    opening: plan.performances[0]!, closing: plan.performances.at(-1)!, signedOn: '',
  };
  decideLater(season, plan, production);
}

async function offer(season: SeasonContext, id: number, signer: string): Promise<void> {
  const { staff } = season;
  let license = (await staff.get(`${API}/licenses/${id}`)).data;
  const rights = await staff.get(`${API}/licenses/${id}/availability`);
  if (rights.data.verdict !== 'clear') {
    await staff.put(`${API}/licenses/${id}/clearance`, { version: license.version,
      reason: 'Cleared with the author: the two houses draw on different towns.' });
    license = (await staff.get(`${API}/licenses/${id}`)).data;
  }
  await staff.post(`${API}/licenses/${id}/license_documents/generate-offer`);
  license = (await staff.get(`${API}/licenses/${id}`)).data;
  await staff.put(`${API}/licenses/${id}/phase`, { event: 'send_offer', version: license.version,
    recipients: [signer] });
}

function decideLater(season: SeasonContext, plan: Plan, production: Production): void {
  const { random, calendar } = season;
  if (plan.fate === 'expires') return;
  const on = addDays(plan.quotedOn, random.int(4, 24));
  if (on > season.today) return;
  if (plan.fate === 'declined') {
    calendar.add(on, async () => {
      const { data } = await season.staff.get(`${API}/licenses/${production.id}`);
      await season.staff.post(`${API}/licenses/${production.id}/decline`, { version: data.version,
        reason_code: random.pick(['too_expensive', 'dates_changed', 'other_show'] as const), reason: '' });
    });
    return;
  }
  calendar.add(on, async () => {
    await sign(season, production, on);
    await season.afterSigning({ ...production, signedOn: on });
  });
}

async function sign(season: SeasonContext, production: Production, on: string): Promise<void> {
  const portal = season.portals.get(production.customer.name);
  // Some houses still send the contract back on paper.
  if (portal && !season.random.chance(0.12)) {
    const base = `/api/customers/${production.house.id}/licenses/${production.id}`;
    const { data } = await portal.client.get(`${base}/quote`);
    await portal.client.post(`${base}/sign`, { offer_version: data.offer_version, hash: data.hash, accept: true,
      signer_name: portal.name, signer_title: 'Producer' });
    return;
  }
  const { data } = await season.staff.get(`${API}/licenses/${production.id}`);
  await season.staff.post(`${API}/licenses/${production.id}/sign`, undefined, {
    file: {
      field: 'document',
      name: 'signed-contract.pdf',
      type: 'application/pdf',
      content: SCAN,
      fields: {
        version: String(data.version),
        offer_version: String(data.offer_version),
        signer_name: portal?.name ?? 'The Producer',
        signed_on: on,
        // Nobody of this house has an account: staff know who may sign.
        confirm_name: portal ? 'false' : 'true',
      },
    },
  });
}
