/** The profit and loss on the cash basis over documents that the product itself posts (accounting.md 3.3). */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#kit/errors.ts';
import type { Division } from '#kernel/money/division.ts';
import { cashBasis, resultsByPart } from '#modules/accounting/accounting.public.server.ts';
import { fixedClock } from '#server/clock.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { runsOf, timeOf } from '#tests/support/full.ts';
import { command, giveForeignAccount, makeLicense, testPorts, type TestLicense } from '#tests/support/receivables.ts';
import {
  applyReceiptToInvoice, creditInvoice, disposeDeposit, issueInvoice, recordReceipt, recoverWriteOff,
  releaseCancelled, requestDeposit, returnReceipt, unapplyReceipt, writeOff,
} from './receivables.public.server.ts';

const database = testDatabase();
let ports: Ports;
const LAST = '2026-03-31';
beforeAll(async () => {
  ports = { ...testPorts(database.db), clock: fixedClock(`${LAST}T12:00:00Z`) };
  await giveForeignAccount(ports, 'US', 'EUR');
  for (const [day, rate] of [['2026-03-01', '1.10'], ['2026-03-15', '1.12'], [LAST, '1.0733']] as const) {
    await database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
      values ('EUR', 'USD', ${day}, ${rate}, 'manual')`);
  }
});

const run = <T>(work: (ctx: WorkContext) => Promise<T>): Promise<T> => command(ports, work);
const partyOf = (license: TestLicense) => ({ customer_id: license.customer_id, division: license.division,
  currency: license.currency });
const issue = (license: TestLicense, fee: number, hire: number, on: string) => run((ctx) => issueInvoice(ctx, {
  ...partyOf(license), license_id: license.id, issued_on: on, due_on: on, lines: [
    { kind: 'royalty', description: 'Fee', item_class: 'performing_licence', net_minor: fee },
    { kind: 'rental', description: 'Hire', item_class: 'rental', net_minor: hire }] }));
const receive = (license: TestLicense, amount_minor: number, on: string, invoice_id?: number) => run((ctx) =>
  recordReceipt(ctx, { ...partyOf(license), amount_minor, method: 'wire', received_on: on,
    ...(invoice_id ? { apply_to: [{ invoice_id, amount_minor }] } : {}) }));

type Totals = Record<string, number>;
/** By code, debits positive; accounts at nothing are left out. */
async function cash(division: string, from: string, to: string, each = false): Promise<Totals> {
  const made = await cashBasis(database.db, { division: division as Division, from, to },
    { each, parts: false });
  const accounts = await database.db.query<{ id: number; code: string }>(sql`
    select id, code from ledger_accounts where division = ${division}`);
  const code = new Map(accounts.map((one) => [one.id, one.code]));
  const totals: Totals = {};
  for (const { account, minor } of made) totals[code.get(account)!] = (totals[code.get(account)!] ?? 0) + Number(minor);
  return Object.fromEntries(Object.entries(totals).filter(([, minor]) => minor !== 0));
}
async function accrual(division: string): Promise<Totals> {
  const rows = await database.db.query<{ code: string; minor: number }>(sql`
    select a.code, sum(e.base_amount_minor)::bigint as minor from journal_entries e
      join ledger_accounts a on a.id = e.ledger_account_id
    where a.division = ${division} and a.class in ('income', 'expense')
    group by 1 having sum(e.base_amount_minor) <> 0`);
  return Object.fromEntries(rows.map((row) => [row.code, row.minor]));
}
type PartAmounts = [part: number, minor: number][];
/** By show or class of customer, debits positive, on each basis; whatever comes to nothing is left out. */
async function byPart(division: string, by: 'show' | 'customer_class', to = LAST) {
  const span = { division: division as Division, from: '2026-01-01', to };
  const sums = (list: readonly { part: number; minor: number }[]): PartAmounts =>
    [...Map.groupBy(list, (one) => one.part)].map(([part, of]): PartAmounts[number] =>
      [part, of.reduce((total, one) => total + one.minor, 0)]).filter(([, minor]) => minor !== 0)
      .toSorted(([one], [other]) => one - other);
  const made = await cashBasis(database.db, span, { each: false, parts: true });
  return { cash: sums(made.map((one) => ({ part: Number(one.part.split(' ')[by === 'show' ? 0 : 1]),
    minor: Number(one.minor) }))), accrual: sums((await resultsByPart(database.db, span, by)).map((one) =>
    ({ part: one.part_id, minor: -one.minor }))) };
}
const sumOf = (list: PartAmounts): number => list.reduce((total, [, minor]) => total + minor, 0);
const net = (totals: Totals): number => Object.values(totals).reduce((sum, minor) => sum + minor, 0);
const less = (after: Totals, before: Totals): Totals => Object.fromEntries([...new Set([...Object.keys(after),
  ...Object.keys(before)])].map((code) => [code, (after[code] ?? 0) - (before[code] ?? 0)] as const)
  .filter(([, minor]) => minor !== 0));

/** A license of a class of its own. */
async function classed(division: string): Promise<TestLicense> {
  const license = await makeLicense(database.db, division);
  await database.db.exec(sql`with made as (insert into customer_classifications (key, name)
      values (${`of_${license.id}`}, ${`Of ${license.id}`}) returning id)
    update licenses set customer_classification_id = made.id from made where licenses.id = ${license.id}`);
  return license;
}

describe('an invoice on the cash basis', () => {
  test('is income by the paid share on the day of each payment, whatever is released', async () => {
    // Own example: fee 1,000.00 with VAT 200.00 and hire of books 500.00; 600.00 of 1,700.00 are 6 of 17 parts.
    const license = await makeLicense(database.db, 'UK');
    const { invoice_id } = await issue(license, 100_000, 50_000, '2026-03-02');
    await run((ctx) => releaseCancelled(ctx, { license_id: license.id, on: '2026-03-03' }));
    expect(await cash('UK', '2026-03-01', LAST)).toEqual({});
    await receive(license, 60_000, '2026-03-10', invoice_id);
    expect(await cash('UK', '2026-03-01', LAST)).toEqual({ 4000: -35_294, 4100: -17_647 });
    await receive(license, 110_000, '2026-03-20', invoice_id);
    expect(await cash('UK', '2026-03-11', LAST)).toEqual({ 4000: -64_706, 4100: -32_353 });
    expect(await cash('UK', '2026-03-01', LAST, true)).toEqual({ 4000: -100_000, 4100: -50_000 });
  });

  test('is income when its payment is applied, and none again when the payment is returned', async () => {
    const license = await makeLicense(database.db, 'PROD');
    const { invoice_id } = await issue(license, 100_000, 0, '2026-03-02');
    const { payment_id } = await receive(license, 100_000, '2026-03-04');
    expect(await cash('PROD', '2026-03-01', LAST)).toEqual({});
    await run((ctx) => applyReceiptToInvoice(ctx, { payment_id, invoice_id, amount_minor: 100_000, on: '2026-03-06' }));
    expect(await cash('PROD', '2026-03-06', '2026-03-06')).toEqual({ 4000: -100_000 });
    await run((ctx) => returnReceipt(ctx, { payment_id, on: '2026-03-09', reason: 'x', fee_minor: 2_500 }));
    expect(await cash('PROD', '2026-03-09', '2026-03-09')).toEqual({ 4000: 100_000, 6100: 2_500 });
  });

  test('that is written off is income and bad debt, neither once taken back, and income when it is paid', async () => {
    const license = await makeLicense(database.db, 'EU');
    const { invoice_id } = await issue(license, 100_000, 0, '2026-03-02');
    const { open } = await database.db.one<{ open: number }>(sql`
      select balance_minor as open from invoices where id = ${invoice_id}`);
    await run((ctx) => writeOff(ctx, { invoice_id, amount_minor: open, reason: 'x', on: '2026-03-05' }));
    expect(await cash('EU', '2026-03-01', LAST)).toEqual({ 4000: -100_000, 6000: open });
    await run((ctx) => recoverWriteOff(ctx, { invoice_id, amount_minor: open, reason: 'x', on: '2026-03-08' }));
    expect(await cash('EU', '2026-03-01', LAST)).toEqual({});
    await receive(license, open, '2026-03-10', invoice_id);
    expect(await cash('EU', '2026-03-01', LAST)).toEqual({ 4000: -100_000 });
  });
});

const KINDS = ['invoice', 'receive', 'apply', 'unapply', 'credit', 'deposit', 'set_off', 'write_off',
  'recover'] as const;
interface Step { kind: (typeof KINDS)[number]; pick: number; amount: number }
const steps = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(99),
  amount: fc.integer({ min: 1, max: 60_000 }) }), { minLength: 10, maxLength: 10 });

async function idsOf(query: ReturnType<typeof sql>): Promise<number[]> {
  return (await database.db.query<{ id: number }>(query)).map((row) => row.id);
}

async function act(license: TestLicense, { kind, pick, amount }: Step, on: string): Promise<void> {
  const one = (ids: number[]): number => ids[pick % Math.max(1, ids.length)] ?? 0;
  const invoice = one(await idsOf(sql`select id from invoices where license_id = ${license.id} and kind = 'invoice'
    order by id`));
  const deposit = one(await idsOf(sql`select id from deposits where license_id = ${license.id} order by id`));
  const pairOf = (from: ReturnType<typeof sql>) => database.db.maybeOne<{ payment_id: number; invoice_id: number;
    most: number }>(sql`${from} order by 1 desc, 2 limit 1`);
  const work: Record<Step['kind'], () => Promise<unknown>> = {
    invoice: () => issue(license, amount, pick * 37, on),
    receive: () => receive(license, amount, on, pick % 2 === 0 ? invoice : undefined),
    apply: async () => {
      const pair = await pairOf(sql`select p.id as payment_id, i.id as invoice_id, least(p.unapplied_minor,
        i.balance_minor) as most from payments p, invoices i where p.customer_id = ${license.customer_id}
        and i.license_id = ${license.id} and p.unapplied_minor > 0 and i.balance_minor > 0 and i.kind = 'invoice'`);
      if (pair) await run((ctx) => applyReceiptToInvoice(ctx, { ...pair, on,
        amount_minor: Math.min(amount, pair.most) }));
    },
    unapply: async () => {
      const pair = await pairOf(sql`select payment_id, a.invoice_id, 0 as most from payment_allocations a
        join invoices i on i.id = a.invoice_id where i.license_id = ${license.id} and ledger_allocation_id is not null
        group by 1, 2 having sum(amount_minor) > 0`);
      if (pair) await run((ctx) => unapplyReceipt(ctx, { ...pair, on }));
    },
    credit: async () => {
      const items = await idsOf(sql`select id from invoice_items where invoice_id = ${invoice} order by id`);
      await run((ctx) => creditInvoice(ctx, { invoice_id: invoice, reason: 'x', on, ...(pick % 3 === 0 ? {}
        : { lines: [{ invoice_item_id: items[pick % 2]!, amount_minor: amount }] }) }));
    },
    deposit: () => run(async (ctx) => {
      const { deposit_id } = await requestDeposit(ctx, { license_id: license.id, amount_minor: amount });
      await recordReceipt(ctx, { ...partyOf(license), amount_minor: amount, method: 'wire', received_on: on,
        deposit_id });
    }),
    set_off: () => run((ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id: deposit, on, dispositions: [
      { type: 'apply', amount_minor: amount, invoice_id: invoice }] })),
    write_off: () => run((ctx) => writeOff(ctx, { invoice_id: invoice, amount_minor: amount, reason: 'x', on })),
    recover: () => run((ctx) => recoverWriteOff(ctx, { invoice_id: invoice, amount_minor: amount, reason: 'x', on })),
  };
  await work[kind]().catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  });
}

/** Everything is earned, credits are used up on a last invoice, and all that is open is paid. */
async function settleAll(license: TestLicense): Promise<void> {
  await issue(license, 5_000_000, 0, LAST);
  await run((ctx) => releaseCancelled(ctx, { license_id: license.id, on: LAST }));
  for (const id of await idsOf(sql`select id from invoices where license_id = ${license.id} and kind = 'invoice'
    order by id desc`)) {
    for (const payment of await idsOf(sql`select id from payments where customer_id = ${license.customer_id}
      and direction = 'in' and unapplied_minor > 0 order by id`)) {
      const { most } = await database.db.one<{ most: number }>(sql`
        select least(p.unapplied_minor, i.balance_minor) as most from payments p, invoices i
        where p.id = ${payment} and i.id = ${id}`);
      if (most > 0) await run((ctx) => applyReceiptToInvoice(ctx, { payment_id: payment, invoice_id: id,
        amount_minor: most, on: LAST }));
    }
    const { open } = await database.db.one<{ open: number }>(sql`select balance_minor as open from invoices
      where id = ${id}`);
    if (open > 0) await receive(license, open, LAST, id);
  }
}

/** Both bases by show and by class of customer; `sums`: cash of all parts, in the middle and at the end. */
async function partsOf(division: string) {
  const found = [];
  for (const by of ['show', 'customer_class'] as const) {
    const [half, all] = [await byPart(division, by, '2026-03-11'), await byPart(division, by)];
    found.push({ ...all, sums: [sumOf(half.cash), sumOf(all.cash)] });
  }
  return found;
}

/** Totals of a license of random commands on both bases; `months` reads the cash basis in parts. */
async function season(name: string, list: readonly Step[]): Promise<{ cash: Totals; accrual: Totals; parts: number }> {
  const [division = '', , currency] = name.split(' ');
  const before = [await cash(division, '2026-01-01', LAST), await accrual(division)] as const;
  const license = await classed(division);
  if (currency) {
    license.currency = currency;
    await database.db.exec(sql`update licenses set currency = ${currency} where id = ${license.id}`);
  }
  for (const [n, one] of list.entries()) await act(license, one, `2026-03-${String(2 + n * 2).padStart(2, '0')}`);
  await settleAll(license);
  const parts = net(await cash(division, '2026-01-01', '2026-03-11')) + net(await cash(division, '2026-03-12', LAST));
  return { cash: less(await cash(division, '2026-01-01', LAST), before[0]),
    accrual: less(await accrual(division), before[1]), parts: parts - net(before[0]) };
}

test.each(['US', 'UK'])('%s: where everything is settled, both bases are the same by account, show and class',
  async (name) => {
    await fc.assert(fc.asyncProperty(steps, async (list) => {
      const made = await season(name, list);
      expect(made.cash).toEqual(made.accrual);
      expect(made.parts).toBe(net(made.cash));
      for (const parts of await partsOf(name)) {
        expect(parts.sums).toEqual([net(await cash(name, '2026-01-01', '2026-03-11')),
          net(await cash(name, '2026-01-01', LAST))]);
        expect(parts.cash).toEqual(parts.accrual);
      }
    }), { numRuns: runsOf(3), endOnFailure: true });
  }, timeOf(240_000));

test('in a foreign currency the sum is the same, and each account to the cents of its releases', async () => {
  await fc.assert(fc.asyncProperty(steps, async (list) => {
    const made = await season('US in EUR', list);
    expect(net(made.cash)).toBe(net(made.accrual));
    for (const [code, minor] of Object.entries(less(made.cash, made.accrual))) {
      expect(Math.abs(minor), code).toBeLessThanOrEqual(list.length + 1);
    }
  }), { numRuns: runsOf(3), endOnFailure: true });
}, timeOf(240_000));
