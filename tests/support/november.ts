/**
 * The November of a small British house for story 8: three bank accounts, sales in three currencies, hire over three
 * months, rent that comes again each month, a charge from the American house, and last year's November. Everything is
 * entered on its day; on December 3 the controller begins to close.
 */
import { expect } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import type { TestApp } from './app.ts';
import { API, openStage, type Stage } from './story.ts';

const BOOKS = `${API}/accounting`;
export type BankCurrency = 'GBP' | 'EUR' | 'USD';

export interface November {
  stage: Stage;
  /** Bank accounts of the UK. */
  banks: Record<BankCurrency, number>;
  /** Id of an account of the ledger. */
  account(division: 'US' | 'UK', code: string): Promise<number>;
  post(path: string, body: object): Promise<Body>;
  put(path: string, body: object): Promise<Body>;
  day(on: string): void;
  player: number;
  vendor: number;
}

const ADDRESSES = {
  GB: { country_code: 'GB', thoroughfare: '1 Mill Lane', locality: 'Leeds', administrative_area: '',
    postal_code: 'LS1 1AA' },
  US: { country_code: 'US', thoroughfare: '1 Broadway', locality: 'New York', administrative_area: 'NY',
    postal_code: '10004' },
};
/** Units of the second currency for one of the first. */
const RATES: readonly [base: BankCurrency, quote: 'GBP' | 'USD', on: string, rate: string][] = [
  ['EUR', 'GBP', '2026-11-05', '0.86'], ['EUR', 'GBP', '2026-11-10', '0.85'], ['EUR', 'GBP', '2026-11-27', '0.84'],
  ['EUR', 'GBP', '2026-11-30', '0.84'], ['GBP', 'USD', '2025-11-14', '1.30'], ['GBP', 'USD', '2025-11-28', '1.30'],
  ['GBP', 'USD', '2025-12-31', '1.30'],
  ...['2026-08-10', '2026-10-30', '2026-11-01', '2026-11-05', '2026-11-09', '2026-11-14', '2026-11-18', '2026-11-20',
    '2026-11-25',
    '2026-11-30'].map((on): [BankCurrency, 'USD', string, string] => ['GBP', 'USD', on, '1.25'])];

type Base = Omit<November, 'banks' | 'player' | 'vendor'>;
function worldOf(stage: Stage): Base {
  return {
    stage,
    post: async (path, body) => (await stage.staff.post(path, body)).data,
    put: async (path, body) => (await stage.staff.put(path, body)).data,
    day: (on) => { stage.test.clock.set(`${on}T12:00:00Z`); },
    account: async (division, code) => (await stage.staff.get(`${BOOKS}/ledger_accounts?search=${code}&per_page=100`))
      .data.find((row: Body) => row.division === division && row.code === code).id,
  };
}

async function customer(of: Base, more: object): Promise<number> {
  const { id } = await of.post(`${API}/customers`, { legal_name: null, phone: null, website: null, is_business: false,
    business_evidence: null, vat_number: null, payment_terms_days: 30, purchase_orders_accepted: false,
    execution_policy_default: null, marketing_opt_in: false, kind: 'community', ...more });
  await of.stage.staff.put(`${API}/customers/${id}/activate`);
  return id;
}

interface Sale { customer_id: number; division?: string; currency: BankCurrency; on: string; kind?: string;
  net_minor: number; more?: object }
/** Issues an invoice of one line on its day. */
export async function sell(of: Base,
  { customer_id, division = 'UK', currency, on, kind = 'fee', net_minor, more }: Sale):
Promise<Body> {
  of.day(on);
  const draft = await of.post(`${API}/invoices`, { customer_id, license_id: null, division, currency, items: [{ kind,
    description: kind === 'fee' ? 'Workshop' : 'Hire of scores', item_class: kind, net_minor, ...more }] });
  return of.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version, issued_on: on,
    confirmed_total_minor: draft.total_minor });
}

async function receive(of: Base & Pick<November, 'banks'>, invoice: Body, on: string, amount_minor: number) {
  of.day(on);
  await of.post(`${BOOKS}/payments`, { customer_id: invoice.customer_id, division: invoice.division,
    currency: invoice.currency, amount_minor, method: 'wire', received_on: on, reference: invoice.invoice_number,
    bank_account_id: of.banks[invoice.currency as BankCurrency],
    apply_to: [{ invoice_id: invoice.id, amount_minor }] });
}

interface Entry { currency: BankCurrency; on: string; minor: number; code: string; text: string }
/** Money in or out without a document. */
export async function enter(of: Base & Pick<November, 'banks'>, { currency, on, minor, code, text }: Entry) {
  of.day(on);
  await of.post(`${BOOKS}/bank_accounts/${of.banks[currency]}/entries`, { on, direction: minor > 0 ? 'in' : 'out',
    description: text, lines: [{ ledger_account_id: await of.account('UK', code), amount_minor: Math.abs(minor) }] });
}

async function openBanks(of: Base): Promise<November['banks']> {
  const list: Body[] = (await of.stage.staff.get(`${BOOKS}/bank_accounts?division=UK`)).data;
  const bank = await of.post(`${BOOKS}/banks`, { name: 'Mill Lane Bank', country: 'GB' });
  const dollars = await of.post(`${BOOKS}/bank_accounts`, { bank_id: bank.id, division: 'UK', currency: 'USD',
    name: 'Dollar account', is_default: true });
  const own = (currency: string): Body => list.find((row) => row.currency === currency)!;
  // Numbers that invoices tell customers, and the statements of the month name.
  for (const [row, account] of [[own('EUR'), '778899'], [dollars, '445566']] as const) {
    await of.put(`${BOOKS}/bank_accounts/${row.id}/number`, { version: row.version, kind: 'other', account });
  }
  return { GBP: own('GBP').id, EUR: own('EUR').id, USD: dollars.id };
}

/** Rent of 600.00 with VAT on the 25th of each month, from November on. */
async function rent(of: Base): Promise<number> {
  const { id: vendor } = await of.post(`${API}/vendors`, { name: 'Mill Lane Estates', divisions: ['UK'],
    default_currency: 'GBP', payment_terms_days: 30 });
  const { accounts, tax_codes } = (await of.stage.staff.get(`${BOOKS}/bills/choices?division=UK&on=2026-11-25`)).data;
  await of.post(`${BOOKS}/bill_schedules`, { name: 'Rent', vendor_id: vendor, division: 'UK', currency: 'GBP',
    every_count: 1, every_unit: 'month', starts_on: '2026-11-25', lines: [{ description: 'Rent',
      ledger_account_id: accounts.find((row: Body) => row.code === '6200').id, net_minor: 60_000,
      tax_code_id: tax_codes.find((row: Body) =>
        row.name === 'Standard rate' && row.treatment === 'recoverable').id }] });
  return vendor;
}

/** Hosting of USD 100.00 that the US paid for the UK. */
async function charge(of: Base): Promise<void> {
  of.day('2026-11-18');
  const asked = await of.post(`${BOOKS}/intercompany_entries`, { kind: 'charge', creditor: 'US', debtor: 'UK',
    currency: 'USD', dated_on: '2026-11-18', amount_minor: 10_000, description: 'Hosting',
    creditor_account_id: await of.account('US', '6200'), debtor_account_id: await of.account('UK', '6200') });
  await of.stage.second.put(`${BOOKS}/intercompany_entries/${asked.id}/approve`, { version: asked.version });
}

/** The return of June to August: from then on the quarters of the house end in November. */
async function fileSummer(of: Base): Promise<void> {
  of.day('2026-09-10');
  const prepared = await of.post(`${BOOKS}/tax_returns`, { division: 'UK', from: '2026-06-01', to: '2026-08-31' });
  expect(prepared.net_minor).toBe(2_000);
  await of.stage.second.put(`${BOOKS}/tax_returns/${prepared.id}/file`, { version: prepared.version });
}

export async function makeNovember(test: TestApp): Promise<November> {
  const base = worldOf(await openStage(test));
  base.day('2025-11-03');
  for (const [from, quote, on, rate] of RATES) {
    await base.post(`${BOOKS}/exchange_rates`, { base: from, quote, on, rate });
  }
  const of = { ...base, banks: await openBanks(base) };
  await enter(of, { currency: 'GBP', on: '2025-11-14', minor: 80_000, code: '4400', text: 'Workshop' });
  await enter(of, { currency: 'GBP', on: '2025-11-20', minor: -30_000, code: '6200', text: 'Posters' });
  const british = { divisions: ['UK'], default_division: 'UK', tax_country: 'GB', billing_address: ADDRESSES.GB };
  const player = await customer(of, { name: 'Leeds Players', default_currency: 'GBP', ...british });
  const american = await customer(of, { name: 'Harbor Stage', divisions: ['US', 'UK'], default_division: 'US',
    default_currency: 'USD', tax_country: 'US', billing_address: ADDRESSES.US, is_business: true,
    business_evidence: 'register' });
  await receive(of, await sell(of, { customer_id: player, currency: 'GBP', on: '2026-08-10', net_minor: 10_000 }),
    '2026-08-20', 12_000);
  await fileSummer(of);
  await sell(of, { customer_id: player, currency: 'GBP', on: '2026-11-02', kind: 'rental', net_minor: 90_000,
    more: { release_rule: 'straight_line', release_from: '2026-11-01', release_to: '2027-01-31' } });
  const workshop = await sell(of, { customer_id: player, currency: 'GBP', on: '2026-11-03', net_minor: 100_000 });
  const euros = await sell(of, { customer_id: player, currency: 'EUR', on: '2026-11-05', net_minor: 50_000 });
  const dollars = await sell(of, { customer_id: american, currency: 'USD', on: '2026-11-09', net_minor: 40_000 });
  await sell(of, { customer_id: american, division: 'US', currency: 'USD', on: '2026-11-09', kind: 'rental',
    net_minor: 100_000 });
  await receive(of, euros, '2026-11-10', 30_000);
  await receive(of, workshop, '2026-11-12', 120_000);
  await receive(of, dollars, '2026-11-18', 40_000);
  await charge(of);
  await enter(of, { currency: 'USD', on: '2026-11-20', minor: -1_500, code: '6100', text: 'Wire fee' });
  const vendor = await rent(of);
  await enter(of, { currency: 'EUR', on: '2026-11-27', minor: -500, code: '6100', text: 'Account fee' });
  await enter(of, { currency: 'GBP', on: '2026-11-27', minor: -1_250, code: '6100', text: 'Account fee' });
  await enter(of, { currency: 'GBP', on: '2026-11-30', minor: -4_000, code: '6200', text: 'Courier' });
  of.day('2026-12-03');
  return { ...of, player, vendor };
}
