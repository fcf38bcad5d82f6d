/** The books beside the business: capital, currency that is bought to pay in it, months that are closed and locked. */
import { addDays, startOfMonth } from '#kernel/calendar/calendar.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import { DIVISIONS, type Division } from '#kit/field.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { applyPpm } from '#kernel/money/money.ts';
import { rateOn } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import type { Body } from './client.ts';
import type { SeasonContext } from './load-licenses.ts';

const BOOKS = '/api/admin/staff/accounting';
/** Paid in at the start, in the currency of each division: no payment ever finds the bank empty. */
const CAPITAL_MINOR = 10_000_000;
const CAPITAL = { code: '3000', name: 'Share capital', class: 'equity', currency: null, is_monetary: false,
  allow_manual: true, active: true };

export function planCapital(season: SeasonContext, start: string): void {
  season.calendar.add(start, async () => { for (const division of DIVISIONS) await payIn(season, division, start); });
}

async function payIn({ staff }: SeasonContext, division: Division, on: string): Promise<void> {
  const { data: [retained] } = await staff.get(`${BOOKS}/ledger_accounts?division=${division}&search=3100`);
  const { data: capital } = await staff.post(`${BOOKS}/ledger_accounts`,
    { ...CAPITAL, division, ledger_header_id: retained.ledger_header_id });
  const { data: [bank] } = await staff.get(
    `${BOOKS}/bank_accounts/options?division=${division}&currency=${FUNCTIONAL_CURRENCY[division]}`);
  await staff.post(`${BOOKS}/bank_accounts/${bank.id}/entries`, { on, direction: 'in',
    description: 'Capital paid in by the owners',
    lines: [{ ledger_account_id: capital.id, amount_minor: CAPITAL_MINOR }] });
}

/** A bank's fee for an exchange, and how much dearer than the ledger's rate it sells: 0.4 percent. */
const FEE_MINOR = 1_500;
const SPREAD_PER_MILLE = 4;
/** Bought in hundreds, with room for a rate that moves until the day of payment. */
const LOT_MINOR = 10_000;
const ROOM_PERCENT = 2;

/** Buys what a batch is about to pay, where the division keeps its books in another currency. */
export async function buyFor(
  { ports, staff }: SeasonContext, batch: { division: Division; currency: 'USD' | 'EUR' | 'GBP'; total_minor: number },
  on: string,
): Promise<void> {
  const { division, currency } = batch;
  const own = FUNCTIONAL_CURRENCY[division];
  if (currency === own) return;
  const needed = batch.total_minor + Math.ceil((batch.total_minor * ROOM_PERCENT) / 100);
  const bought = Math.ceil(needed / LOT_MINOR) * LOT_MINOR;
  const { rate } = (await rateOn(ports.db, currency, own, on))!;
  const value = atRate(BigInt(bought), rate);
  const account = async (of: string) => (await staff.get(
    `${BOOKS}/bank_accounts/options?division=${division}&currency=${of}`)).data[0].id;
  await staff.post(`${BOOKS}/bank_transfers`, { from_bank_account_id: await account(own),
    to_bank_account_id: await account(currency), received_minor: bought, fee_minor: FEE_MINOR, sent_on: on,
    amount_minor: Number(value + applyPpm(value, BigInt(SPREAD_PER_MILLE * 1_000))), received_on: on,
    memo: `${currency} bought for royalties` });
}

/** Months from the first of the season that are closed, and the days since which sales are locked. */
const CLOSED_MONTHS = 3;
const LOCKED_DAYS_AGO = 600;

/** The first months of the season are closed by two people, and its first sales are locked after the audit. */
export async function closeOldMonths({ staff, second, today }: SeasonContext, start: string): Promise<void> {
  const division = 'US';
  const list = `${BOOKS}/periods?division=${division}`;
  const { data } = await staff.get(list);
  const oldest = (data as Body[]).filter((one) => one.ends >= start)
    .toSorted((a, b) => a.period - b.period).slice(0, CLOSED_MONTHS);
  for (const { period } of oldest) {
    for (const person of [staff, second]) {
      const { data: rows } = await person.get(list);
      const { version } = (rows as Body[]).find((one) => one.period === period)!;
      await person.put(`${BOOKS}/periods/${period}/close`, { division, version,
        note: 'Kept by the former books until the house moved in' });
    }
  }
  const lock = { division, sales_through: addDays(today, -LOCKED_DAYS_AGO), reason: 'Audited' };
  await staff.put(`${BOOKS}/period_locks`, lock);
  await second.put(`${BOOKS}/period_locks`, lock);
}

/** Shares of costs that US pays for the others, charged in the month that is over; the last one still waits. */
const SHARES = [{ debtor: 'UK', amount_minor: 184_000, description: 'Share of website hosting' },
  { debtor: 'EU', amount_minor: 96_500, description: 'Share of website hosting' },
  { debtor: 'PROD', amount_minor: 42_000, description: 'Share of insurance' },
  { debtor: 'UK', amount_minor: 35_250, description: 'Share of legal fees' }] as const;

export async function chargeShares({ staff, second, today }: SeasonContext): Promise<void> {
  const account = async (division: Division): Promise<number> => (await staff.get(
    `${BOOKS}/ledger_accounts?division=${division}&search=6200`)).data[0].id;
  for (const [k, share] of SHARES.entries()) {
    const { data: asked } = await staff.post(`${BOOKS}/intercompany_entries`, { ...share, creditor: 'US',
      currency: 'USD', dated_on: addDays(startOfMonth(today), -3), creditor_account_id: await account('US'),
      debtor_account_id: await account(share.debtor) });
    if (k === SHARES.length - 1) continue;
    await second.put(`${BOOKS}/intercompany_entries/${asked.id}/approve`, { version: asked.version });
  }
}

/**
 * Rates of the last day of the month that is over, unless they were entered already (the end of a year); what is open
 * in other currencies then is valued at them.
 */
const CLOSING_RATES = { USD: '1.0910', GBP: '0.8540' } as const;

export async function revalueLastMonth({ ports, staff, second, today }: SeasonContext): Promise<void> {
  const on = addDays(startOfMonth(today), -1);
  const entered = await ports.db.query<{ quote: string }>(sql`
    select quote from exchange_rates where base = 'EUR' and on_date = ${on}`);
  for (const [quote, rate] of Object.entries(CLOSING_RATES)) {
    if (entered.some((known) => known.quote === quote)) continue;
    await staff.post(`${BOOKS}/exchange_rates`, { base: 'EUR', quote, on, rate });
  }
  for (const division of DIVISIONS) {
    const { data: seen } = await staff.get(`${BOOKS}/revaluations/preview?division=${division}&on=${on}`);
    if (seen.missing.length > 0 || seen.lines.every((line: Body) => line.gain_minor === 0)) continue;
    const { data: asked } = await staff.post(`${BOOKS}/revaluations`, { division, on });
    await second.put(`${BOOKS}/revaluations/${asked.id}/approve`, { version: asked.version });
  }
}
