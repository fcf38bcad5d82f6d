/** Prenotes to the accounts of new vendors: two that held, one that came back and held once corrected, one pending. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { Body } from './client.ts';
import type { SeasonContext } from './load-licenses.ts';

const API = '/api/admin/staff';
const PRENOTES = `${API}/accounting/ach_prenotes`;

interface NewVendor { name: string; contact: string; street: string; town: string; state: string; code: string;
  account: string }
const EARLIER: readonly NewVendor[] = [
  { name: 'Passaic Paper', contact: 'Nora Feld', street: '210 River Street', town: 'Paterson', state: 'NJ',
    code: '07505', account: '20417788' },
  { name: 'Delancey Sound Hire', contact: 'Amos Reyes', street: '88 Delancey Street', town: 'New York', state: 'NY',
    code: '10002', account: '31850064' },
  { name: 'Kingston Freight', contact: 'Ida Strand', street: '5 Rondout Landing', town: 'Kingston', state: 'NY',
    code: '12401', account: '88120047' },
];
const LATEST: NewVendor = { name: 'Mercer Lighting', contact: 'Paul Quade', street: '41 Mercer Street',
  town: 'New York', state: 'NY', code: '10013', account: '61200935' };
const CORRECTED = '88120074';
/** Days back on which the first ones are asked about, and after which the bank returns one and it is asked again. */
const ASKED = 40;
const RETURNED = 3;
const AGAIN = 5;

async function enter({ staff, second }: SeasonContext, one: NewVendor): Promise<number> {
  const { data } = await staff.post(`${API}/vendors`, { name: one.name, divisions: ['US'], default_currency: 'USD',
    contact_name: one.contact, payment_terms_days: 30, tax_form_type: 'w9', payment_method: 'ach', active: true,
    email: `accounts@${one.name.toLowerCase().replace(/[^a-z]+/g, '-')}.example`, tax_1099_category: 'none',
    address: { country_code: 'US', thoroughfare: one.street, premise: '', locality: one.town,
      administrative_area: one.state, postal_code: one.code } });
  await giveAccount({ staff, second }, data, one.account, `Called ${one.contact} on the number of the contract`);
  return data.id;
}

async function giveAccount({ staff, second }: Pick<SeasonContext, 'staff' | 'second'>, vendor: Body, account: string,
  note: string): Promise<void> {
  await staff.put(`${API}/vendors/${vendor.id}/bank_details`, { version: vendor.version, kind: 'us', account,
    routing: '123456780' });
  const { data } = await staff.get(`${API}/vendors/${vendor.id}`);
  await second.put(`${API}/vendors/${vendor.id}/bank_details/verify`, { version: data.version, note });
}

async function ask({ staff }: SeasonContext, ids: readonly number[]): Promise<void> {
  const { data: [account] } = await staff.get(`${API}/accounting/bank_accounts/options?division=US&currency=USD`);
  await staff.post(PRENOTES, { bank_account_id: account.id,
    payees: ids.map((id) => ({ party_type: 'vendor', party_id: id })) });
}

export function planPrenotes(season: SeasonContext): void {
  const { calendar, staff, today } = season;
  const first = addDays(today, -ASKED);
  calendar.add(first, async () => {
    const ids: number[] = [];
    for (const one of EARLIER) ids.push(await enter(season, one));
    await ask(season, ids);
  });
  const wrong = EARLIER.at(-1)!;
  const found = async () => (await staff.get(`${PRENOTES}?search=${encodeURIComponent(wrong.name)}`)).data[0] as Body;
  const back = addDays(first, RETURNED);
  calendar.add(back, async () => {
    const { id, version } = await found();
    await staff.put(`${PRENOTES}/${id}/return`, { version, on: back, reason: 'R04 Invalid account number' });
  });
  calendar.add(addDays(first, AGAIN), async () => {
    const { party_id: id } = await found();
    const { data } = await staff.get(`${API}/vendors/${id}`);
    await giveAccount(season, data, CORRECTED, `Called ${wrong.contact}: two digits were exchanged`);
    await ask(season, [id]);
  });
  calendar.add(addDays(today, -1), async () => ask(season, [await enter(season, LATEST)]));
}
