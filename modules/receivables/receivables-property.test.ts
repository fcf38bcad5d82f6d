/** Random actions in random order: documents, open items and the control account stay consistent. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { AppError } from '#kit/errors.ts';
import { fixedClock } from '#server/clock.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, makeLicense, testPorts, type TestLicense } from '#tests/support/receivables.ts';
import { runsOf, timeOf } from '#tests/support/full.ts';
import { accountStatement } from './aging/account-statement.server.ts';
import { agingReport } from './aging/aging.server.ts';
import { customerFinance } from './aging/customer-finance.server.ts';
import { invoiceTotals } from './invoices/invoice-queries.server.ts';
import {
  applyReceiptToInvoice, creditInvoice, disposeDeposit, issueInvoice, recordReceipt, refundReceipt,
    releaseForPerformance,
  recoverWriteOff, requestDeposit, returnReceipt, unapplyReceipt, writeOff,
} from './receivables.public.server.ts';

const database = testDatabase();
let ports: Ports;
/** Of the licences billed in another currency every command has its own day, and every day its own rate. */
const dayOf = (n: number): string => `2026-03-${String(2 + n).padStart(2, '0')}`;
beforeAll(async () => {
  ports = { ...testPorts(database.db), clock: fixedClock(`${dayOf(29)}T12:00:00Z`) };
  for (let n = 0; n < 30; n += 1) {
    await database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
      values ('EUR', 'USD', ${dayOf(n)}, ${(0.9 + ((n * 37) % 31) / 61).toFixed(10)}, 'manual')`);
  }
});

const KINDS = ['invoice', 'receive', 'apply', 'unapply', 'credit', 'refund', 'return', 'release', 'deposit', 'dispose',
  'write_off', 'recover', 'settle'] as const;
interface Step { kind: (typeof KINDS)[number]; pick: number; amount: number }
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(99),
  amount: fc.integer({ min: 1, max: 60_000 }) });

async function idsOf(query: ReturnType<typeof sql>): Promise<number[]> {
  return (await database.db.query<{ id: number }>(query)).map((row) => row.id);
}

/** All that is left of an invoice: cash, tax withheld, and what the division forgives. */
async function settle(ctx: WorkContext, license: TestLicense, invoice: number, pick: number, on: string) {
  const of = { customer_id: license.customer_id, division: license.division, currency: license.currency };
  const [left] = await ctx.db.query<{ open: number }>(sql`
    select balance_minor as open from invoices where id = ${invoice} and kind = 'invoice'`);
  const forgiven = Math.min(400, Math.floor((left?.open ?? 0) / 100));
  const withheld = Math.floor((left?.open ?? 0) / (2 + (pick % 3)));
  const cash = (left?.open ?? 0) - forgiven - withheld;
  if (pick % 2 === 0) {
    return recordReceipt(ctx, { ...of, amount_minor: cash, method: 'wire', received_on: on, accept_short: true,
      withheld_minor: withheld, apply_to: [{ invoice_id: invoice, amount_minor: cash }] });
  }
  const { payment_id } = await recordReceipt(ctx, { ...of, amount_minor: cash, method: 'wire', received_on: on });
  return applyReceiptToInvoice(ctx, { payment_id, invoice_id: invoice, amount_minor: cash, on, accept_short: true,
    withheld_minor: withheld });
}

/** One command; a refusal of the product is a fine answer, anything else fails the run. */
async function run(license: TestLicense, { kind, pick, amount }: Step, on: string): Promise<void> {
  const one = (ids: number[]): number => ids[pick % Math.max(1, ids.length)] ?? 0;
  const invoice = one(await idsOf(sql`select id from invoices where license_id = ${license.id} and kind = 'invoice'
    order by id`));
  // Receipts, and what credit notes left over: both are used by the same verbs.
  const payment = one(await idsOf(sql`select id from payments where customer_id = ${license.customer_id}
    and direction = 'in' order by id`));
  const deposit = one(await idsOf(sql`select id from deposits where license_id = ${license.id} order by id`));
  const of = { customer_id: license.customer_id, division: license.division, currency: license.currency };
  const work: Record<Step['kind'], Parameters<typeof command>[1]> = {
    invoice: (ctx) => issueInvoice(ctx, { ...of, license_id: license.id, issued_on: on, lines: [
      { kind: 'royalty', description: 'Fee', item_class: 'performing_licence', net_minor: amount,
        royalty_bearing: true },
      { kind: 'rental', description: 'Hire', item_class: 'rental', net_minor: pick * 37 }] }),
    receive: (ctx) => recordReceipt(ctx, { ...of, amount_minor: amount, method: 'wire', received_on: on,
      ...(pick % 2 === 0 && invoice ? { apply_to: [{ invoice_id: invoice, amount_minor: amount }] } : {}) }),
    apply: async (ctx) => {
      const [pair] = await ctx.db.query<{ payment_id: number; invoice_id: number; most: number }>(sql`
        select p.id as payment_id, i.id as invoice_id, least(p.unapplied_minor, i.balance_minor) as most
        from payments p, invoices i where p.customer_id = ${license.customer_id} and i.license_id = ${license.id}
          and p.unapplied_minor > 0 and i.balance_minor > 0 and i.kind = 'invoice' order by (p.id * i.id * ${pick}) %
            7`);
      if (pair) await applyReceiptToInvoice(ctx, { ...pair, amount_minor: Math.min(amount, pair.most), on });
    },
    unapply: async (ctx) => {
      const [pair] = await ctx.db.query<{ payment_id: number; invoice_id: number }>(sql`
        select payment_id, a.invoice_id from payment_allocations a join invoices i on i.id = a.invoice_id
        where i.license_id = ${license.id} and ledger_allocation_id is not null group by 1, 2
        having sum(amount_minor) > 0 order by (payment_id * a.invoice_id * ${pick}) % 7`);
      if (pair) await unapplyReceipt(ctx, { ...pair, on });
    },
    credit: async (ctx) => {
      const [item] = await ctx.db.query<{ id: number }>(sql`
        select id from invoice_items where invoice_id = ${invoice} order by id`);
      return creditInvoice(ctx, { invoice_id: invoice, reason: 'x', on, ...(pick % 3 === 0 || !item ? {}
        : { lines: [{ invoice_item_id: item.id, amount_minor: amount }] }) });
    },
    refund: async (ctx) => {
      const [left] = await ctx.db.query<{ most: number }>(sql`
        select unapplied_minor as most from payments where id = ${payment}`);
      return refundReceipt(ctx, { payment_id: payment, amount_minor: Math.min(amount, left?.most ?? 0), reason: 'x',
        on });
    },
    return: (ctx) => returnReceipt(ctx, { payment_id: payment, on, reason: 'x', fee_minor: pick, recharge: true }),
    release: (ctx) => releaseForPerformance(ctx, { performance_id: license.performance_ids[pick % 2]!,
      on: '2026-10-01' }),
    deposit: async (ctx) => {
      const { deposit_id } = await requestDeposit(ctx, { license_id: license.id, amount_minor: amount });
      return recordReceipt(ctx, { ...of, amount_minor: amount, method: 'wire', received_on: on, deposit_id });
    },
    dispose: (ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id: deposit, on, dispositions: [
      { type: pick % 2 === 0 ? 'refund' : 'apply', amount_minor: amount, invoice_id: invoice }] }),
    write_off: (ctx) => writeOff(ctx, { invoice_id: invoice, amount_minor: amount, reason: 'x', on }),
    recover: (ctx) => recoverWriteOff(ctx, { invoice_id: invoice, amount_minor: amount, reason: 'x', on }),
    settle: (ctx) => settle(ctx, license, invoice, pick, on),
  };
  await command<unknown>(ports, work[kind]).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
  });
}

interface Truth { open: number; control: number; open_base: number; control_base: number; owed: number;
  account: number; license: number; drift: number;
  deferred: number; planned: number; held: number; parts: number; lines: number; sources: number }

/** A credit that was refunded can leave an invoice open again that has no open line: between its rest and all of it. */
function truth(license: TestLicense): Promise<Truth> {
  const ledger = (code: string) => sql`(select coalesce(sum(e.amount_minor), 0)::bigint from journal_entries e
    join ledger_accounts a on a.id = e.ledger_account_id where a.code = ${code} and e.party_type = 'customer'
      and e.party_id = ${license.customer_id})`;
  return database.db.one<Truth>(sql`
    select (select coalesce(sum(open_minor), 0)::bigint from open_items i join ledger_accounts a
        on a.id = i.ledger_account_id where a.code = '1100' and i.party_id = ${license.customer_id}) as open,
      ${ledger('1100')} as control,
      (select coalesce(sum(open_base_minor), 0)::bigint from open_items i join ledger_accounts a
        on a.id = i.ledger_account_id where a.code = '1100' and i.party_id = ${license.customer_id}) as open_base,
      (select coalesce(sum(e.base_amount_minor), 0)::bigint from journal_entries e join ledger_accounts a
        on a.id = e.ledger_account_id where a.code = '1100' and e.party_type = 'customer'
        and e.party_id = ${license.customer_id}) as control_base,
      (select coalesce(sum(balance_minor),
        0)::bigint from invoices where license_id = ${license.id} and kind = 'invoice')
        as owed,
      (select coalesce(sum(i.open_minor), 0)::bigint from open_items i join invoices n on n.open_item_id = i.id
        where n.license_id = ${license.id}) as account,
      (select balance_minor from licenses where id = ${license.id}) as license,
      (select count(*) from balance_drift) as drift,
      -${ledger('2100')} as deferred,
      (select coalesce(sum(r.amount_minor - r.credited_minor), 0)::bigint from release_schedule r
        join invoice_items t on t.id = r.invoice_item_id join invoices i on i.id = t.invoice_id
        where i.license_id = ${license.id} and r.status = 'planned') as planned,
      -${ledger('2150')} - ${ledger('2160')} as held,
      (select coalesce(sum(case when kind = 'security' then remaining_minor else remaining_minor - round(vat_minor
          * remaining_minor::numeric / amount_minor) end), 0)::bigint from deposits
        where license_id = ${license.id} and status in ('held', 'settled')) as parts,
      (select count(*) from invoices i where i.license_id = ${license.id} and i.kind = 'invoice' and
        i.written_off_minor = 0
        and (select i.total_minor - i.balance_minor - i.credited_minor - coalesce(sum(t.applied_minor), 0)
            from invoice_items t where t.invoice_id = i.id)
          not between (select coalesce(sum(c.unapplied_minor), 0) from payments c
            join invoices n on n.id = c.credit_note_id where n.credits_invoice_id = i.id)
          and (select coalesce(sum(n.total_minor - n.credited_minor), 0) from invoices n
            where n.credits_invoice_id = i.id)) as lines,
      (select count(*) from payments p join open_items o on o.transaction_id = p.transaction_id
        join ledger_accounts a on a.id = o.ledger_account_id and a.code = '1100'
        where p.customer_id = ${license.customer_id} and p.direction = 'in' and p.status = 'posted'
          and not exists (select 1 from invoice_write_offs w where w.open_item_id = o.id)
          and p.unapplied_minor <> -o.open_minor) as sources`);
}

/** The finance page, the aging, the statement and the list say the same of a customer as the ledger. */
async function oneFigure(license: TestLicense, day: string): Promise<void> {
  await command(ports, async (ctx) => {
    const at = { ...ctx, today: () => Promise.resolve(day) };
    const finance = (await customerFinance(at, license.customer_id)).accounts;
    const aging = (await agingReport(at, license.division, day)).rows
      .filter((row) => row.customer_id === license.customer_id);
    const statement = (await accountStatement(at, license.customer_id, { to: day })).accounts;
    const list = await invoiceTotals(ctx, { customer_id: license.customer_id } as never);
    const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((all, row) => all + of(row), 0);
    const balance = sum(finance, (row) => row.open_minor - row.on_account_minor);
    expect(sum(aging, (row) => row.total_minor)).toBe(balance);
    expect(sum(statement, (row) => row.closing_minor)).toBe(balance);
    expect(sum(finance, (row) => row.invoiced_minor - row.credited_minor - row.paid_minor - row.written_off_minor
      + row.other_minor)).toBe(balance);
    expect(sum(list, (row) => row.balance_minor)).toBe(sum(finance, (row) => row.open_minor));
  });
}

test.each(['US', 'UK', 'US in EUR'])(
  '[I2] [I7] %s: control account, open items, documents and deposits after 30 random commands',
  async (name) => {
  const [division = '', , currency] = name.split(' ');
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 30 }), async (steps) => {
    const license = await makeLicense(database.db, division);
    if (currency) {
      license.currency = currency;
      await database.db.exec(sql`update licenses set currency = ${currency} where id = ${license.id}`);
    }
    for (const [n, one] of steps.entries()) await run(license, one, currency ? dayOf(n) : DAY);
    const now = await truth(license);
    expect(now.open).toBe(now.control);
    expect(now.account).toBe(now.owed);
    expect(now.license).toBe(now.owed);
    expect(now.deferred).toBe(now.planned);
    expect(Math.abs(now.held - (division === 'US' ? now.parts : now.held))).toBe(0);
    expect(now.drift).toBe(0);
    expect(now.lines).toBe(0);
    expect(now.sources).toBe(0);
    await oneFigure(license, currency ? dayOf(29) : DAY);
    // With no open item in a currency, nothing is left of it in the division's own. An unmatched invoice and receipt of
    // the same amount keep the difference of their rates.
    expect(await database.db.query(sql`
      select a.code, sum(e.base_amount_minor) as base from journal_entries e
        join ledger_accounts a on a.id = e.ledger_account_id
      where e.party_type = 'customer' and e.party_id = ${license.customer_id} group by a.id, e.currency
      having sum(e.base_amount_minor) <> 0 and sum(e.amount_minor) = 0 and not exists (select 1 from open_items o
        where o.ledger_account_id = a.id and o.party_type = 'customer' and o.party_id = ${license.customer_id}
          and o.currency = e.currency and o.open_minor <> 0)`)).toEqual([]);
    expect(now.open_base).toBe(now.control_base);
  }), { numRuns: runsOf(6), endOnFailure: true });
}, timeOf(240_000));
