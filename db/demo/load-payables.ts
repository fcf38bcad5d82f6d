/**
 * Payables of two years: vendors in the UK and the EU with their bills, payment runs by ACH, SEPA and BACS that
 * were written for the bank and posted on their days, and checks that were printed, one of them spoiled and one voided.
 * Last comes what still waits: a run whose file is at the bank, and bills in every state.
 */
import { addDays } from '#kernel/calendar/calendar.ts';
import { postPaymentRuns } from '#modules/payables/payables.public.server.ts';
import type { Body } from './client.ts';
import { BILLS, enter, enterAmerican } from './load-bills.ts';
import type { SeasonContext } from './load-licenses.ts';
import { seeded } from './random.ts';

const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const RUNS = `${BOOKS}/payment_runs`;
const CHECKS = `${BOOKS}/checks`;

interface Abroad {
  division: 'UK' | 'EU';
  name: string;
  contact: string;
  country: string;
  town: string;
  street: string;
  code: string;
  supplies: string;
  treatment: 'recoverable' | 'reverse_charge';
  /** Numbers that the guides print as examples: they hold by their check digits and belong to nobody. */
  bank: { account: string; routing?: string };
  discount?: object;
}

const ABROAD: readonly Abroad[] = [
  { division: 'UK', name: 'Tamar Litho', contact: 'Gwen Pascoe', country: 'GB', town: 'Plymouth', street: '4 Quay Road',
    code: 'PL1 1AA', supplies: 'Printing of librettos', treatment: 'recoverable',
    bank: { account: '66374958', routing: '089999' } },
  { division: 'UK', name: 'Calder Bindery', contact: 'Ewan Firth', country: 'GB', town: 'Halifax',
    street: '18 Mill Lane', code: 'HX1 1AA', supplies: 'Binding of scores', treatment: 'recoverable',
    bank: { account: '88837491', routing: '107999' } },
  { division: 'UK', name: 'Severn Couriers', contact: 'Dispatch', country: 'GB', town: 'Bristol', street: '2 Dock Row',
    code: 'BS1 1AA', supplies: 'Parcels', treatment: 'recoverable', bank: { account: '63748472', routing: '202959' } },
  { division: 'UK', name: 'Atelier Notenstich', contact: 'Jule Brandt', country: 'DE', town: 'Leipzig',
    street: 'Querstraße 7', code: '04103', supplies: 'Engraving of parts', treatment: 'reverse_charge',
    bank: { account: 'DE02500105170137075030' } },
  { division: 'EU', name: 'Liffey Print Works', contact: 'Aoife Byrne', country: 'IE', town: 'Dublin',
    street: '31 Dame Street', code: 'D02 X285', supplies: 'Printing of librettos', treatment: 'recoverable',
    bank: { account: 'IE45BOFI90000112345678' }, discount: { discount_ppm: 20_000, discount_days: 14 } },
  { division: 'EU', name: 'Imprimerie du Canal', contact: 'Luc Ferrand', country: 'FR', town: 'Paris',
    street: '12 rue du Canal', code: '75010', supplies: 'Posters', treatment: 'reverse_charge',
    bank: { account: 'FR1420041010050500013M02606' } },
  { division: 'EU', name: 'Gracht Papier', contact: 'Sanne Visser', country: 'NL', town: 'Amsterdam',
    street: 'Herengracht 12', code: '1015 BA', supplies: 'Paper and cartons', treatment: 'reverse_charge',
    bank: { account: 'NL91ABNA0417164300' } },
];
const CURRENCY = { US: 'USD', UK: 'GBP', EU: 'EUR' } as const;
type Division = keyof typeof CURRENCY;
const methodOf = (one: Abroad): string => (one.division === 'EU' ? 'sepa' : one.country === 'GB' ? 'bacs' : 'wire');

async function loadVendors({ staff, second }: SeasonContext): Promise<Map<Abroad, number>> {
  const ids = new Map<Abroad, number>();
  for (const one of ABROAD) {
    const { data } = await staff.post(`${API}/vendors`, { name: one.name, divisions: [one.division],
      default_currency: CURRENCY[one.division], contact_name: one.contact, payment_terms_days: 30,
      email: `accounts@${one.name.toLowerCase().replace(/[^a-z]+/g, '-')}.example`, tax_form_type: 'none',
      payment_method: methodOf(one), tax_1099_category: 'none', active: true,
      address: { country_code: one.country, thoroughfare: one.street, premise: '', locality: one.town,
        administrative_area: '', postal_code: one.code } });
    await staff.put(`${API}/vendors/${data.id}/bank_details`, { version: data.version, ...one.bank });
    await second.put(`${API}/vendors/${data.id}/bank_details/verify`, { version: data.version + 1,
      note: `Called ${one.contact} on the number of the last bill` });
    ids.set(one, data.id);
  }
  return ids;
}

/** Loads the fields that each bank requires in its files. */
async function loadProfiles(season: SeasonContext): Promise<void> {
  const profiles = {
    US: { originator_name: 'Grand Rights Inc', company_id: '1123456789', destination_routing: '123456780',
      destination_name: 'Harbor National Bank' },
    UK: { originator_name: 'Grand Rights UK Ltd', service_user: '123456' },
    EU: { originator_name: 'Grand Rights Europe DAC', bic: 'LFFYIE2D' },
  };
  for (const division of ['US', 'UK', 'EU'] as const) {
    const path = `${BOOKS}/bank_accounts/${await accountOf(season, division)}/payment_files`;
    const { data } = await season.staff.get(path);
    await season.staff.put(path, { version: data.version, ...profiles[division] });
  }
}

async function accountOf({ staff }: SeasonContext, division: Division): Promise<number> {
  return (await staff.get(`${BOOKS}/bank_accounts/options?division=${division}&currency=${CURRENCY[division]}`))
    .data[0].id;
}

/** Days back on which vendors abroad bill, and the day whose bills stand in every state (places of `enter`). */
const BILLED = [120, 90, 60, 30];
const STATES_BILLED = 5;
const PLACES = [3, 5, 7, 9, 1, 3, 5];
const APPROVED = 4;

async function enterBills(season: SeasonContext, ids: ReadonlyMap<Abroad, number>, day: string,
  random: ReturnType<typeof seeded>, placeOf: (k: number) => number | null): Promise<void> {
  for (const [k, one] of ABROAD.entries()) {
    const place = placeOf(k);
    if (place === null) continue;
    const { data: choices } = await season.staff.get(`${BILLS}/choices?division=${one.division}&on=${day}`);
    const code = (choices.tax_codes as Body[]).find((tax) => tax.treatment === one.treatment && tax.rate_ppm !== null
      && (one.treatment === 'reverse_charge' || tax.rate_ppm > 0));
    await enter(season, { vendor_id: ids.get(one), division: one.division, currency: CURRENCY[one.division],
      billed_on: day, vendor_number: `${one.name.slice(0, 2).toUpperCase()}${day.slice(2, 7).replace('-', '')}${k}`,
      memo: '', duplicate_confirmed: true, ...(place === APPROVED && one.discount),
      lines: [{ ledger_account_id: choices.accounts.find((account: Body) => account.code === '6200').id,
        description: one.supplies, net_minor: random.int(90, 800) * 100,
        tax_code_id: code?.id ?? null }] }, place);
  }
}

interface Plan {
  division: Division;
  method: 'ach' | 'sepa' | 'bacs' | 'check';
  on: string;
  /** The day until which what is due is paid. */
  due_by: string;
  value_on: string;
}

/** Items due or with a discount, of every payee the method reaches; checks for those without an account. */
async function partsOf({ staff }: SeasonContext, account: number, plan: Plan): Promise<object[]> {
  const { data } = await staff.get(`${RUNS}/payables?bank_account_id=${account}&due_by=${plan.due_by}&method=${
    plan.method}&value_on=${plan.value_on}`);
  const payees = (data.payees as Body[]).filter((payee) => payee.held === null && payee.party_type === 'vendor'
    && (plan.method === 'check') === (payee.last4 === null));
  return payees.flatMap((payee) => {
    const items = (payee.items as Body[]).filter((item) => item.is_due || item.discount_minor > 0);
    if (items.reduce((sum, item) => sum + item.amount_minor - item.discount_minor, 0) <= 0) return [];
    return items.map((item) => ({ open_item_id: item.open_item_id, discount_minor: item.discount_minor,
      amount_minor: item.amount_minor - item.discount_minor }));
  });
}

/** Made by one person and approved by another; null where nothing is due. */
async function makeRun(season: SeasonContext, plan: Plan): Promise<{ run: Body; account: number } | null> {
  const account = await accountOf(season, plan.division);
  const parts = await partsOf(season, account, plan);
  if (parts.length === 0) return null;
  const { data: draft } = await season.staff.post(RUNS, { bank_account_id: account, method: plan.method,
    due_by: plan.due_by, value_on: plan.value_on, parts, memo: 'Bills that are due' });
  const { data: run } = await season.second.put(`${RUNS}/${draft.id}/approve`, { version: draft.version });
  return { run, account };
}

/** Written for the bank, and posted on the day on which the money moves. Answers the run. */
async function payByFile(season: SeasonContext, plan: Plan): Promise<Body | null> {
  const made = await makeRun(season, plan);
  if (made === null) return null;
  const { data } = await season.staff.put(`${RUNS}/${made.run.id}/export`, { version: made.run.version });
  if (data.value_on <= season.today) {
    season.calendar.add(data.value_on, async () => { await postPaymentRuns(season.ports); });
  }
  return data;
}

/** The bank sends the last payment of the run back some days later. */
async function payAndGetBack(season: SeasonContext, plan: Plan, reason: string): Promise<void> {
  const run = await payByFile(season, plan);
  const payment = (run?.payments as Body[] | undefined)?.at(-1);
  if (!run || !payment) return;
  const on = addDays(run.value_on, 3);
  if (on > season.today) return;
  season.calendar.add(on, async () => {
    const { data } = await season.staff.get(`${RUNS}/${run.id}`);
    await season.staff.put(`${RUNS}/${run.id}/payments/${payment.id}/reject`, { version: data.version, on, reason });
  });
}

/** Printed on the next forms; the first jams, and the last is lost in the mail where `lost` says so. */
async function payByCheck(season: SeasonContext, plan: Plan, lost: string | null): Promise<void> {
  const made = await makeRun(season, plan);
  if (made === null) return;
  const { staff, second } = season;
  const { data } = await staff.get(`${CHECKS}?bank_account_id=${made.account}&state=ready&per_page=100`);
  const own = new Set((made.run.payments as Body[]).map((one) => one.id));
  const ids = (data as Body[]).filter((one) => own.has(one.payment_id)).map((one) => one.id);
  const { data: { next_check_number } } = await staff.get(
    `${CHECKS}/next-check-number?bank_account_id=${made.account}`);
  const { data: printed } = await staff.post(`${CHECKS}/print`, { bank_account_id: made.account, on: plan.on,
    check_ids: ids, first_number: next_check_number });
  await postPaymentRuns(season.ports);
  if (lost === null) return;
  const [first, last] = [(printed as Body[])[0]!, (printed as Body[]).at(-1)!];
  await second.put(`${CHECKS}/${first.id}/spoil`, { version: first.version, reason: 'Jammed in the printer' });
  season.calendar.add(lost, async () => {
    const { data: check } = await staff.get(`${CHECKS}/${last.id}`);
    await second.put(`${CHECKS}/${last.id}/void`, { version: check.version, on: lost, reason: 'Lost in the mail' });
  });
}

/** Runs are made `days` before today and pay what is due by then, or some days `ahead`. */
function planRun(season: SeasonContext, division: Division, method: Plan['method'], days: number,
  pay: (season: SeasonContext, plan: Plan) => Promise<unknown>, ahead = 0): void {
  const on = addDays(season.today, -days);
  season.calendar.add(on, async () => {
    await pay(season, { division, method, on, due_by: addDays(on, ahead),
      value_on: addDays(on, method === 'check' ? 0 : 3) });
  });
}

/** Days back between which a few vendors bill each month, in turn, and the days between the runs that pay them. */
const EARLIER = { from: 720, to: 150, every: 30, paid: 90 };
/** One bill in seven was billed twice and is void, another one credited. */
const EARLIER_PLACES = [APPROVED, APPROVED, APPROVED, 9, APPROVED, APPROVED, 1];

function planEarlierYears(season: SeasonContext, ids: ReadonlyMap<Abroad, number>): void {
  const random = seeded(1907);
  for (let days = EARLIER.from, month = 0; days >= EARLIER.to; days -= EARLIER.every, month += 1) {
    const day = addDays(season.today, -days);
    const place = EARLIER_PLACES[month % EARLIER_PLACES.length]!;
    season.calendar.add(day, async () => {
      await enterAmerican(season, day, random, (k, all) => {
        const turn = (k - month * 2 % all + all) % all;
        return turn < 2 ? turn === 0 ? place : APPROVED : null;
      });
      await enterBills(season, ids, day, random, (k) => (k % 4 === month % 4 ? APPROVED : null));
    });
  }
  for (let days = EARLIER.from - 50; days > EARLIER.to - 30; days -= EARLIER.paid) {
    planRun(season, 'US', 'ach', days, payByFile);
    planRun(season, 'US', 'check', days - 2, (of, plan) => payByCheck(of, plan, null));
    planRun(season, 'UK', 'bacs', days - 3, payByFile);
    planRun(season, 'EU', 'sepa', days - 4, payByFile);
  }
}

/** A random sequence of its own: the rest of the season stays as it was. */
export async function planPayables(season: SeasonContext): Promise<void> {
  const ids = await loadVendors(season);
  await loadProfiles(season);
  planEarlierYears(season, ids);
  const random = seeded(1934);
  for (const days of BILLED) {
    const day = addDays(season.today, -days);
    season.calendar.add(day, () => enterBills(season, ids, day, random, () => APPROVED));
  }
  const last = addDays(season.today, -STATES_BILLED);
  season.calendar.add(last, () => enterBills(season, ids, last, random, (k) => PLACES[k] ?? APPROVED));
  planRun(season, 'US', 'ach', 88, payByFile);
  planRun(season, 'US', 'check', 86, (of, plan) => payByCheck(of, plan, addDays(of.today, -70)));
  planRun(season, 'UK', 'bacs', 85, payByFile);
  planRun(season, 'EU', 'sepa', 84, payByFile);
  planRun(season, 'US', 'ach', 56, payByFile);
  planRun(season, 'US', 'check', 54, (of, plan) => payByCheck(of, plan, null));
  planRun(season, 'UK', 'bacs', 27, (of, plan) => payAndGetBack(of, plan, 'Account closed'));
  planRun(season, 'US', 'ach', 26, (of, plan) => payAndGetBack(of, plan, 'R03 No account'));
  planRun(season, 'EU', 'sepa', 24, payByFile);
  planRun(season, 'US', 'check', 12, (of, plan) => payByCheck(of, plan, null));
  planRun(season, 'EU', 'sepa', 1, payByFile, 7);
}
