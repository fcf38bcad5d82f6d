/** The banks of the season and the accounts of each division, with their numbers. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { Division } from '#kit/field.ts';
import type { Body } from './client.ts';
import type { SeasonContext } from './load-licenses.ts';

const BOOKS = '/api/admin/staff/accounting';

const BANKS = [
  { key: 'harbor', name: 'Harbor National Bank', country: 'US', bic: 'HRBRUS33', phone: '+1 212 555 0144',
    website: 'https://harbor.example' },
  { key: 'liffey', name: 'Liffey Bank', country: 'IE', bic: 'LFFYIE2D', phone: '+353 1 555 0117',
    website: 'https://liffey.example' },
  { key: 'southwark', name: 'Southwark & Borough Bank', country: 'GB', bic: 'SWBBGB2L', phone: '+44 20 7946 0101',
    website: 'https://southwark.example' },
] as const;

interface Plan {
  bank: (typeof BANKS)[number]['key'];
  name: string;
  holder: string;
  check?: number;
  format: string;
  number: { kind: string; account: string; routing: string | null };
}

/** By division and currency. The numbers hold by their check digits and belong to nobody. */
const ACCOUNTS: Readonly<Record<string, Plan>> = {
  'US USD': { bank: 'harbor', name: 'Operating account', holder: 'Grand Rights Inc.', check: 4_101, format: 'ofx',
    number: { kind: 'us', account: '004417729035', routing: '123456780' } },
  'US EUR': { bank: 'harbor', name: 'Euro account', holder: 'Grand Rights Inc.', format: 'ofx',
    number: { kind: 'us', account: '004417729043', routing: '123456780' } },
  'PROD USD': { bank: 'harbor', name: 'Production account', holder: 'Grand Rights Productions LLC', check: 1_001,
    format: 'ofx', number: { kind: 'us', account: '004418830114', routing: '123456780' } },
  'EU EUR': { bank: 'liffey', name: 'Operating account', holder: 'Grand Rights Europe DAC', format: 'camt',
    number: { kind: 'iban', account: 'IE64IRCE92050112345678', routing: null } },
  'UK GBP': { bank: 'southwark', name: 'Current account', holder: 'Grand Rights UK Ltd', format: 'csv',
    number: { kind: 'uk', account: '31926819', routing: '601613' } },
  'UK EUR': { bank: 'southwark', name: 'Euro account', holder: 'Grand Rights UK Ltd', format: 'mt940',
    number: { kind: 'iban', account: 'GB29NWBK60161331926819', routing: null } },
};

/** The number of an account as its bank writes it into a file. */
export function accountNumber(row: Pick<Body, 'division' | 'currency'>): { account: string; isIban: boolean } {
  const { number: { kind, account } } = ACCOUNTS[`${row.division} ${row.currency}`]!;
  return { account, isIban: kind === 'iban' };
}

/** Names the banks and puts every account under its own, with its number; the others go to the trash. */
export async function loadBanks({ staff }: SeasonContext): Promise<void> {
  const ids = new Map<string, number>();
  const { data: former } = await staff.get(`${BOOKS}/banks?per_page=100`);
  for (const { key, ...body } of BANKS) ids.set(key, (await staff.post(`${BOOKS}/banks`, body)).data.id);
  const { data: accounts } = await staff.get(`${BOOKS}/bank_accounts?per_page=100`);
  for (const row of accounts as Body[]) {
    const plan = ACCOUNTS[`${row.division} ${row.currency}`];
    if (!plan) {
      await staff.remove(`${BOOKS}/bank_accounts/${row.id}`);
      continue;
    }
    const { data } = await staff.put(`${BOOKS}/bank_accounts/${row.id}`, { bank_id: ids.get(plan.bank),
      name: plan.name, holder: plan.holder, next_check_number: plan.check ?? null, statement_format: plan.format,
      version: row.version });
    await staff.put(`${BOOKS}/bank_accounts/${row.id}/number`, { version: data.version, ...plan.number });
  }
  for (const row of former as Body[]) await staff.remove(`${BOOKS}/banks/${row.id}`);
}

/** Once a week the checks and cash of each account go to the bank; those of the last days still wait. */
export async function depositChecks(season: SeasonContext, day: string): Promise<void> {
  if (addDays(day, 7) > season.today) return;
  const { data: waiting } = await season.staff.get(`${BOOKS}/deposit_slips/undeposited`);
  for (const { division, currency, receipt_count: count } of waiting as Body[]) {
    if (count === 0) continue;
    const { data: [account] } = await season.staff.get(
      `${BOOKS}/bank_accounts/options?division=${division}&currency=${currency}`);
    const { data: items } = await season.staff.get(`${BOOKS}/deposit_slips/waiting?bank_account_id=${account.id}`);
    const ids = (items as Body[]).filter((one) => one.received_on <= day).map((one) => one.payment_id);
    if (ids.length === 0) continue;
    const { data: slip } = await season.staff.post(`${BOOKS}/deposit_slips`, { bank_account_id: account.id,
      deposited_on: day, payment_ids: ids });
    await season.staff.put(`${BOOKS}/deposit_slips/${slip.id}/deposit`, { version: slip.version, deposited_on: day });
  }
}

/** Accounts that the season never used go to the trash. */
export async function trashUnusedAccounts({ staff }: SeasonContext): Promise<void> {
  const { data } = await staff.get(`${BOOKS}/bank_accounts?per_page=100`);
  const unused = (data as (Body & { division: Division })[]).filter((row) => row.is_used === false);
  for (const row of unused) await staff.remove(`${BOOKS}/bank_accounts/${row.id}`);
}
