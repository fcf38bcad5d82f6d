/** The authors of story 6 in three divisions: their records, bank details and agreements, made over the API. */
import { initialOf } from '#kit/field.ts';
import { agreement } from '#modules/catalogue/agreement/agreement.contract.ts';
import { royaltor } from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { show } from '#modules/catalogue/show/show.contract.ts';

const API = '/api/admin/staff';

export type House = 'US' | 'UK' | 'EU';
export const HOUSES = {
  US: { currency: 'USD', country: 'US', rate_ppm: 600_000, income: 1_000_000, method: 'ach', file: 'ach',
    bank: { kind: 'us', routing: '021000021' }, account: (n: number) => String(400_070_000 + n),
    address: { thoroughfare: '1 Mill Road', locality: 'Keene', administrative_area: 'NH', postal_code: '03431' } },
  UK: { currency: 'GBP', country: 'GB', rate_ppm: 500_000, income: 400_000, method: 'bacs', file: 'txt',
    bank: { kind: 'uk', routing: '089999' }, account: () => '66374958',
    address: { thoroughfare: '1 Mill Lane', locality: 'Leeds', administrative_area: '', postal_code: 'LS1 1AA' } },
  EU: { currency: 'EUR', country: 'DE', rate_ppm: 500_000, income: 500_000, method: 'sepa', file: 'xml',
    bank: { kind: 'iban', routing: null }, account: () => 'DE02120300000000202051',
    address: { thoroughfare: 'Mill Road 4', locality: 'Berlin', administrative_area: '', postal_code: '10115' } },
} as const;

export interface Person {
  name: string;
  /** Left out: three quarters of the forty have nothing special. */
  agent?: { name: string; pays: 'split_payment' | 'all_to_agent'; ppm: number };
  reserve_ppm?: number;
  min_payout_minor?: number;
  group?: string;
  method?: 'check';
  no_tin?: true;
  unverified?: true;
}

const several = (count: number, word: string): Person[] =>
  Array.from({ length: count }, (_, n) => ({ name: `${word} ${n + 1}` }));
export const PEOPLE: Record<House, readonly Person[]> = {
  US: [...several(12, 'Avery'),
    { name: 'Cora Check', method: 'check' }, { name: 'Carl Check', method: 'check' },
    { name: 'Ada Agented', agent: { name: 'Lane Agency', pays: 'split_payment', ppm: 100_000 } },
    { name: 'Rhea Reserve', reserve_ppm: 200_000 },
    { name: 'Gus Group', group: 'Advance of Gus Group' },
    { name: 'Bo Backup', no_tin: true },
    { name: 'Una Unverified', unverified: true },
    { name: 'Max Minimum', min_payout_minor: 50_000 }],
  UK: [...several(9, 'Bryn'), { name: 'Alec Agented', agent: { name: 'Quay Agency', pays: 'all_to_agent',
    ppm: 150_000 } }],
  EU: several(10, 'Clara'),
};

// oxlint-disable-next-line no-explicit-any -- answers of many endpoints, read where they are used
type Body = any;
/** A signed-in person: of a test by calls, or of a journey. */
export interface Caller {
  get(path: string): Promise<Body>;
  post(path: string, body?: unknown): Promise<Body>;
  put(path: string, body?: unknown): Promise<Body>;
}

/** `key` ends every name and code, so that the same people can be made again. */
export class AuthorMaker {
  readonly ids = new Map<string, number>();
  group = 0;
  private made = 0;
  private readonly callers: { staff: Caller; second: Caller };
  private readonly key: string;
  constructor(callers: { staff: Caller; second: Caller }, key = '') {
    this.callers = callers;
    this.key = key;
  }

  async person(house: House, name: string, of: Partial<Person> & { kind?: string } = {}): Promise<number> {
    const { staff, second } = this.callers;
    const { currency, country, bank, account, address, method } = HOUSES[house];
    const { data: person } = await staff.post(`${API}/royaltors`, { ...initialOf(royaltor.fields),
      name: `${name}${this.key}`, kind: of.kind ?? 'person', currency, divisions: [house], residence_country: country,
      email: `${name.toLowerCase().replaceAll(' ', '.')}${this.key.trim()}@authors.example`,
      payment_method: of.method ?? method, tax_form_type: country === 'US' && !of.no_tin ? 'w9' : 'none',
      address: { country_code: country, premise: '', ...address } });
    const path = `${API}/royaltors/${person.id}`;
    const version = async (): Promise<number> => (await staff.get(path)).data.version;
    this.ids.set(name, person.id);
    this.made += 1;
    if (country === 'US' && !of.no_tin) {
      await staff.put(`${path}/tax_id`, { version: await version(), tin: `80-70${String(10_000 + this.made)}` });
    }
    if (of.method === 'check') return person.id;
    await staff.put(`${path}/bank_details`, { version: await version(), ...bank, account: account(this.made) });
    if (!of.unverified) {
      await second.put(`${path}/bank_details/verify`, { version: await version(), note: 'Called' });
    }
    return person.id;
  }

  async agreement(house: House, show_id: number, person: Person): Promise<number> {
    const { staff } = this.callers;
    const { currency, rate_ppm } = HOUSES[house];
    const agent = person.agent && { agent_royaltor_id: await this.person(house, person.agent.name, { kind: 'agent' }),
      agent_ppm: person.agent.ppm, agent_pays: person.agent.pays };
    const { data: row } = await staff.post(`${API}/show_royaltors`, { ...initialOf(agreement.fields), show_id,
      royaltor_id: this.ids.get(person.name), signed_on: '2026-01-01', term_from: '2026-01-01', payer_division: house,
      currency, accrual_basis: 'on_invoice', min_payout_minor: person.min_payout_minor ?? null,
      reserve_schedule_ppm: person.reserve_ppm ? [1_000_000] : [], ...agent });
    const path = `${API}/show_royaltors/${row.id}`;
    await staff.post(`${path}/terms`, { match_income_types: ['royalty'], rate_ppm, share_points: 1, basis: 'receipts',
      reserve_ppm: person.reserve_ppm ?? 0 });
    const { data: { version } } = await staff.get(path);
    await staff.put(path, { status: 'active', version });
    if (person.group) {
      this.group = row.id;
      const { data: now } = await staff.get(path);
      await staff.put(`${path}/group`, { version: now.version, name: `${person.group}${this.key}` });
    }
    return row.id;
  }

  /** A show with its authors. */
  async show(house: House, title: string, people: readonly Person[]): Promise<{ show_id: number; show_code: string }> {
    const show_code = title.toUpperCase().replaceAll(/[^A-Z]/g, '').slice(0, 10) + this.key.trim();
    const { data } = await this.callers.staff.post(`${API}/shows`, { ...initialOf(show.fields), show_code,
      title: `${title}${this.key}`, type: 'musical', divisions: [house], active: true, royalty_presentation: 'gross' });
    for (const person of people) await this.agreement(house, data.id, person);
    return { show_id: data.id, show_code };
  }
}
