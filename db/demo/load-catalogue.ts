/** Shows, rate cards, packages, royaltors and agreements of the demo season, through the API. */
import { initialOf } from '#kit/field.ts';
import { agreement } from '#modules/catalogue/agreement/agreement.contract.ts';
import { royaltor } from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { show } from '#modules/catalogue/show/show.contract.ts';
import type { DemoClient } from './client.ts';
import { inLanes } from './lanes.ts';
import { publicFactsOf } from './public-facts.ts';
import { DEMO_ROYALTORS, DEMO_SHOWS, type DemoRoyaltor, type DemoShow } from './repertoire.ts';

const API = '/api/admin/staff';
/** The season's cards and agreements were in force before its first licence. */
const SINCE = '2023-01-01';

export interface Work {
  id: number;
  code: string;
  title: string;
  pro: boolean;
  cast: [number, number];
}

/** `staff` writes, `second` approves what needs another person. */
export async function loadCatalogue(staff: DemoClient, second: DemoClient): Promise<Map<string, Work>> {
  const royaltors = new Map<string, number>();
  for (const person of DEMO_ROYALTORS) royaltors.set(person.name, await createRoyaltor(staff, second, person));
  const works = new Map<string, Work>();
  for (const work of DEMO_SHOWS) {
    const id = await createShow(staff, work);
    works.set(work.code, { id, code: work.code, title: work.title, pro: work.pro, cast: work.cast });
  }
  await inLanes(DEMO_SHOWS, async (work) => {
    const { id } = works.get(work.code)!;
    await createAgreements(staff, work, id, royaltors);
    await createCards(staff, second, work, id);
  });
  await createRestrictions(staff, works);
  return works;
}

/** Invented, of the form that the IRS gives. */
const ACCOUNT = '400070000';
const US_ROUTING = '021000021';

async function createRoyaltor(staff: DemoClient, second: DemoClient, person: DemoRoyaltor): Promise<number> {
  const abroad = person.country !== 'US';
  const row = await staff.post(`${API}/royaltors`, {
    ...initialOf(royaltor.fields),
    name: person.name,
    kind: person.kind,
    currency: person.currency,
    divisions: ['US', 'UK', 'EU', 'PROD'],
    residence_country: person.country,
    address: abroad ? null : { country_code: 'US', thoroughfare: `${100 + person.name.length} West Street`, premise: '',
      locality: 'New York', administrative_area: 'NY', postal_code: '10014' },
    email: `${person.name
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z]+/g, '.')
      .replace(/^\.|\.$/g, '')}@authors.example`,
    tax_form_type: abroad ? (person.kind === 'person' ? 'w8ben' : 'w8bene') : 'w9',
    tax_form_expires_on: abroad ? '2028-12-31' : null,
    us_1099_type: abroad ? '1042_s' : '1099_misc',
    author_by_profession: person.kind === 'person',
    payment_method: abroad ? 'wire' : 'ach',
    min_payout_minor: 2000,
  });
  // Without a tax number a payee of the US has backup withholding.
  if (!abroad) {
    await staff.put(`${API}/royaltors/${row.data.id}/tax_id`, { version: row.data.version,
      tin: `900-70-${String(row.data.id).padStart(4, '0')}` });
  }
  const path = `${API}/royaltors/${row.data.id}`;
  const { data: { version } } = await staff.get(path);
  const { data: written } = await staff.put(`${path}/bank_details`, { version, account: `${ACCOUNT}${row.data.id}`,
    ...(abroad ? { kind: 'other', routing: 'National Bank', country: person.country }
      : { kind: 'us', routing: US_ROUTING }) });
  await second.put(`${path}/bank_details/verify`, { version: written.version,
    note: 'Called on the number of the agreement' });
  return row.data.id;
}

async function createShow(staff: DemoClient, work: DemoShow): Promise<number> {
  const row = await staff.post(`${API}/shows`, {
    ...initialOf(show.fields), show_code: work.code, title: work.title, type: work.type, authors_credit: work.credit,
    synopsis: work.synopsis, year: work.year, cast_min: work.cast[0], cast_max: work.cast[1],
    ...publicFactsOf(work.code),
    orchestrations: work.type === 'musical' ? ['full', 'piano'] : [], divisions: ['US', 'EU', 'UK', 'PROD'],
    active: true, royalty_presentation: 'gross', proximity_radius_km: 8, proximity_months: 1,
  });
  if (work.aliases.length > 0) {
    await staff.put(`${API}/shows/${row.data.id}/aliases`, { aliases: work.aliases, version: row.data.version });
  }
  return row.data.id;
}

/** As the agreement names it: 10% of what the royaltor is due, in a payment of its own. */
function agentOf(royaltor: string, royaltors: ReadonlyMap<string, number>): object {
  const { agent } = DEMO_ROYALTORS.find((one) => one.name === royaltor)!;
  return agent === undefined ? {}
    : { agent_royaltor_id: royaltors.get(agent)!, agent_ppm: 100_000, agent_pays: 'split_payment' };
}

async function createAgreements(
  staff: DemoClient, work: DemoShow, showId: number, royaltors: ReadonlyMap<string, number>,
): Promise<void> {
  for (const part of work.agreements) {
    const row = await staff.post(`${API}/show_royaltors`, {
      ...initialOf(agreement.fields), show_id: showId, royaltor_id: royaltors.get(part.royaltor), role: part.role,
      signed_on: SINCE, term_from: SINCE, territory: 'World', payer_division: 'US', currency: 'USD',
      accrual_basis: part.accrual_basis ?? 'on_receipt', royalty_presentation: 'gross',
      reserve_schedule_ppm: [], ...agentOf(part.royaltor, royaltors),
    });
    const term = (match: object, rate_ppm: number) => staff.post(`${API}/show_royaltors/${row.data.id}/terms`,
      { ...match, rate_ppm, share_points: part.points, basis: 'receipts' });
    await term({ match_income_types: ['royalty', 'advance'], match_categories: ['Pro'] }, proRate(part.rate_ppm));
    await term({ match_income_types: ['royalty'] }, part.rate_ppm);
    if (work.code === POOL.show) await staff.post(`${API}/show_royaltors/${row.data.id}/terms`, POOL.term);
    const { data } = await staff.get(`${API}/show_royaltors/${row.data.id}`);
    await staff.put(`${API}/show_royaltors/${row.data.id}`, { status: 'active', version: data.version });
  }
}

/** On tour its three authors share in a pool of the operating profit: 3 of 15 points each, 40% once recouped. */
const POOL = { show: 'LAMPLIGHT', term: {
  match_income_types: ['royalty'], match_categories: ['Pro'], match_divisions: ['PROD'], basis: 'pool_points',
  rate_ppm: 350_000, pool_of: 'operating_profit', pool_points_x100: 300, pool_total_points_x100: 1_500,
  pool_min_per_point_minor: 5_000, tiers: [{ from_minor: 0, rate_ppm: 400_000, after_recoupment: true }],
} };

/** Professionals pay authors more of the fee: 90 of 100 instead of 80 (domain.md 3.2). */
const proRate = (amateur: number): number => Math.min(900_000, amateur + 100_000);

async function createCards(staff: DemoClient, second: DemoClient, work: DemoShow, showId: number): Promise<void> {
  const packageIds = await createPackages(staff, work, showId);
  const approve = async (card: object): Promise<void> => {
    const row = await staff.post(`${API}/rate_cards`, { show_id: showId, effective_from: SINCE, ...card });
    await second.put(`${API}/rate_cards/${row.data.id}/approve`, { version: row.data.version });
  };
  // Plays are quoted from what the house could take, musicals are settled from what it took.
  const fee = work.type === 'play'
    ? { fee_method: 'percent_potential', gross_basis: 'weighted', round_up_to_minor: 500,
      min_per_performance_minor: work.minimum_minor }
    : { fee_method: 'percent_actual', guarantee_scope: 'week', min_per_week_minor: 3 * work.minimum_minor };
  await approve({ name: `${work.title}, amateur US`, category: 'Amateur', division: 'US', currency: 'USD', ...fee,
    rate_ppm: work.amateur_ppm, execution_policy: 'paid_in_full', deposit_kind: 'security',
    deposit_minor: work.rental_minor === null ? 0 : 40_000, show_package_id: packageIds.US ?? null });
  for (const [division, currency] of [['UK', 'GBP'], ['EU', 'EUR']] as const) {
    await approve({ name: `${work.title}, amateur ${division}`, category: 'Amateur', division, currency,
      fee_method: 'percent_actual', rate_ppm: 150_000, guarantee_scope: 'run',
      min_per_performance_minor: work.minimum_minor, execution_policy: 'deposit_paid', deposit_kind: 'on_account',
      deposit_minor: 50_000, show_package_id: packageIds[division] ?? null });
  }
  if (!work.pro) return;
  for (const [division, currency] of [['PROD', 'USD'], ['UK', 'GBP'], ['EU', 'EUR']] as const) {
    await approve({ name: `${work.title}, professional ${division}`, category: 'Pro', division, currency,
      fee_method: 'percent_actual', rate_ppm: 110_000, guarantee_scope: 'week', min_per_week_minor: 50_000,
      advance_minor: 200_000, execution_policy: 'advance_paid',
      deductions: [{ type: 'card_commission', cap_ppm: 30_000 }] });
  }
}

async function createPackages(
  staff: DemoClient, work: DemoShow, showId: number,
): Promise<Partial<Record<'US' | 'UK' | 'EU', number>>> {
  if (work.rental_minor === null) return {};
  const ids: Partial<Record<'US' | 'UK' | 'EU', number>> = {};
  const rows = [['US', 'USD', work.rental_minor, 10, 'week', 7500, 6500], ['UK', 'GBP', 23_500, 3, 'month', 6000, 1800],
    ['EU', 'EUR', 26_000, 3, 'month', 6500, 2400]] as const;
  for (const [division, currency, price, count, unit, extra, shipping] of rows) {
    const row = await staff.post(`${API}/show_packages`, { show_id: showId, division, currency,
      name: `Vocal books and orchestra parts, ${count} ${unit}s`, item_class: 'rental', price_minor: price,
      included_period_count: count, period_unit: unit, extra_period_price_minor: extra, shipping_minor: shipping,
      active: true });
    ids[division] = row.data.id;
  }
  return ids;
}

async function createRestrictions(staff: DemoClient, works: ReadonlyMap<string, Work>): Promise<void> {
  const lamp = works.get('LAMPLIGHT')!;
  await staff.post(`${API}/shows/${lamp.id}/restrictions`, {
    kind: 'blocked', country: 'IE', date_from: '2026-01-01', date_to: '2027-12-31', categories: ['Amateur'],
    reason_internal: 'Exclusive to the national tour', reason_public: 'A professional tour holds the rights in Ireland '
      + 'until the end of 2027.',
  });
  const ghost = works.get('GHOSTLIGHT')!;
  await staff.post(`${API}/shows/${ghost.id}/restrictions`, {
    kind: 'needs_clearance',
    division: 'US',
    date_from: '2026-06-01',
    date_to: '2027-06-30',
    categories: ['Amateur'],
    reason_internal: 'Author wants to see the venue',
    reason_public: 'The author decides on each production this season.',
  });
}
