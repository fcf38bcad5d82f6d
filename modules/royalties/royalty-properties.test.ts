/**
 * Ties royalties to the ledger for any sequence of events: random walks of reports, invoices, releases, receipts in
 * parts, un-applied receipts, credits, closes, statements and payments, then the invariants of domain.md 7.2.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { fixedClock } from '#server/clock.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import {
  applyReceiptToInvoice, creditInvoice, issueInvoice, recordReceipt, releaseLicense, unapplyReceipt,
} from '#modules/receivables/receivables.public.server.ts';
import { acceptReport, submitReport } from '#modules/licensing/box-office/box-office.public.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, giveForeignAccount, makeCustomer, testPorts } from '#tests/support/receivables.ts';
import { runsOf, timeOf } from '#tests/support/full.ts';
import { approveBatch, makeRoyaltyRun, payBatch } from '#modules/payables/payables.public.server.ts';
import { accrueClose, accrueIncome, approveRun, calculateRun, issueRun, tieOut }
  from './royalties.public.server.ts';
import { makeDeal, makeShow, type TestDeal } from './testing/royalty-fixtures.ts';

const database = testDatabase();
let ports: Ports;
let customer: number;
let week = 0;
const ON = '2026-03-02';
/** Every act of a walk has its own day, and every day its own rate. */
const dayOf = (step: number): string => `2026-03-${String(2 + step).padStart(2, '0')}`;

beforeAll(async () => {
  ports = { ...testPorts(database.db), clock: fixedClock('2026-04-10T17:00:00Z') };
  customer = await makeCustomer(database.db, 'US');
  await giveForeignAccount(ports, 'US', 'EUR');
  const rates = ['1.10', '1.1234567891', '0.97', '1.31', '1.05', '1.2', '1.17', '1.0900000001', '1.4', '0.9999',
    '1.15'];
  for (const [n, rate] of rates.entries()) {
    await database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
      values ('EUR', 'USD', ${dayOf(n)}, ${rate}, 'manual')`);
  }
});

interface House { deal: TestDeal; currency: 'USD' | 'EUR'; paid: { payment_id: number; invoice_id: number }[] }
interface Act {
  act: 'report' | 'fee' | 'receive' | 'take_back' | 'perform' | 'credit' | 'close';
  minor: number;
  pick: number;
}

const basis = fc.constantFrom('on_receipt' as const, 'on_invoice' as const, 'on_close' as const);
const acts = fc.array(fc.record({
  act: fc.constantFrom<Act['act'][]>('report', 'fee', 'receive', 'receive', 'take_back', 'perform', 'credit', 'close'),
  minor: fc.integer({ min: 1, max: 999_999 }), pick: fc.nat(),
}), { minLength: 4, maxLength: 12 });
type Terms = typeof house extends fc.Arbitrary<infer T> ? T : never;
const house = fc.record({
  parties: fc.array(fc.record({ rate_ppm: fc.integer({ min: 1, max: 330_000 }), accrual_basis: basis }),
    { minLength: 1, maxLength: 3 }),
  presentation: fc.constantFrom('gross' as const, 'net' as const),
  currency: fc.constantFrom('USD' as const, 'EUR' as const),
});

async function run(at: House, { act, minor, pick }: Act, on: string): Promise<void> {
  const { deal, currency } = at;
  const work = (body: (ctx: WorkContext) => Promise<unknown>): Promise<unknown> => command(ports, body);
  const invoices = await database.db.query<{ id: number; balance_minor: number }>(sql`
    select id, balance_minor from invoices where license_id = ${deal.license_id} and kind = 'invoice' order by id`);
  const invoice = invoices[pick % Math.max(1, invoices.length)];
  switch (act) {
    case 'report': await work(async (ctx) => {
      week += 1;
      const { report_id } = await submitReport(ctx, { ...deal, source: 'staff', scope: 'week', currency,
        period_from: '2026-02-01', period_to: '2026-02-03', gross_minor: minor * 9, performances_held: 8, add: true,
        add_reason: 'Other seats' });
      await acceptReport(ctx, { report_id, on });
    }); break;
    case 'fee': await work((ctx) => issueInvoice(ctx, { license_id: deal.license_id, customer_id: customer,
      division: 'US', currency, issued_on: on, lines: [{ kind: 'royalty', item_class: 'performing_licence',
        description: 'Licence fee', net_minor: minor, royalty_bearing: true }] })); break;
    case 'receive': if (invoice && invoice.balance_minor > 0) {
      const amount = Math.max(1, Math.min(invoice.balance_minor, pick % 2 === 0 ? invoice.balance_minor : minor));
      at.paid.push({ invoice_id: invoice.id, ...await command(ports, (ctx) => recordReceipt(ctx, {
        customer_id: customer, division: 'US', currency, amount_minor: amount, method: 'wire', received_on: on,
        apply_to: [{ invoice_id: invoice.id, amount_minor: amount }] })) });
    } break;
    case 'take_back': if (at.paid.length > 0) {
      const taken = at.paid.splice(pick % at.paid.length, 1)[0]!;
      const applied = await database.db.query(sql`
        select invoice_id from payment_allocations where payment_id = ${taken.payment_id}
          and invoice_id = ${taken.invoice_id} group by invoice_id having sum(amount_minor) > 0`);
      if (applied.length === 0) break;
      await work((ctx) => unapplyReceipt(ctx, { ...taken, on }));
      if (pick % 3 === 0) await work((ctx) => applyReceiptToInvoice(ctx, { ...taken, amount_minor: 1, on }));
    } break;
    case 'perform': await database.db.exec(sql`
      update performances set status = 'performed' where id = ${deal.performance_ids[pick % 3]!}`);
      await work((ctx) => releaseLicense(ctx, { license_id: deal.license_id, up_to: on })); break;
    case 'credit': if (invoice) {
      const open = await database.db.maybeOne<{ id: number; left: number }>(sql`
        select t.id, (t.net_minor - coalesce((select sum(n.net_minor) from invoice_items n
          where n.credits_item_id = t.id), 0))::bigint as left
        from invoice_items t where t.invoice_id = ${invoice.id}`);
      if (open && open.left > 0) {
        await work((ctx) => creditInvoice(ctx, { invoice_id: invoice.id, on, reason: 'Agreed',
          lines: [{ invoice_item_id: open.id, amount_minor: pick % 2 === 0 ? open.left : 1 + (minor % open.left) }] }));
      }
    } break;
    case 'close': await work((ctx) => accrueClose(ctx, { license_id: deal.license_id, on })); break;
  }
}

const FINISHED = '2026-03-20';

/** Brings every license to its end: all is played and released, open amounts are paid, and it closes. */
async function finish(at: House): Promise<void> {
  for (const pick of [0, 1, 2]) await run(at, { act: 'perform', minor: 1, pick }, FINISHED);
  const open = await database.db.query<{ id: number }>(sql`
    select id from invoices where license_id = ${at.deal.license_id} and kind = 'invoice' order by id`);
  for (const pick of open.keys()) await run(at, { act: 'receive', minor: 1_000_000_000, pick }, FINISHED);
  await run(at, { act: 'close', minor: 1, pick: 0 }, FINISHED);
}

/** A credit that takes the last deferred part of a foreign invoice beside income that was released (a cent stayed). */
const CREDITED_TO_THE_END: [Terms, Act[]] = [{ presentation: 'gross', currency: 'EUR', parties: [
  { rate_ppm: 301_434, accrual_basis: 'on_invoice' }, { rate_ppm: 178_563, accrual_basis: 'on_receipt' }] }, [
  { act: 'receive', minor: 1, pick: 0 }, { act: 'receive', minor: 1, pick: 0 },
  { act: 'fee', minor: 396_421, pick: 0 }, { act: 'perform', minor: 1, pick: 210_559_813 },
  { act: 'fee', minor: 980_572, pick: 0 }, { act: 'credit', minor: 959_088, pick: 1_802_328_113 }]];

/** Nine cents of which no royaltor gets one: paid, taken back, and a cent paid again (the rest was not given back). */
const TOO_SMALL_TO_SHARE: [Terms, Act[]] = [{ presentation: 'net', currency: 'EUR', parties: [
  { rate_ppm: 175_467, accrual_basis: 'on_close' }, { rate_ppm: 48_105, accrual_basis: 'on_receipt' }] }, [
  { act: 'report', minor: 9, pick: 8 }, { act: 'receive', minor: 1, pick: 0 },
  { act: 'take_back', minor: 1, pick: 0 }]];

/** A net show in EUR: of the royaltors' part of its deferred income a cent stayed in USD when credits took the rest. */
const CREDITED_NET: [Terms, Act[]] = [{ presentation: 'net', currency: 'EUR', parties: [
  { rate_ppm: 109_360, accrual_basis: 'on_close' }, { rate_ppm: 660, accrual_basis: 'on_invoice' },
  { rate_ppm: 203_928, accrual_basis: 'on_invoice' }] }, [
  { act: 'perform', minor: 1, pick: 0 }, { act: 'perform', minor: 1, pick: 18 }, ...Array.from({ length: 4 },
    (): Act => ({ act: 'receive', minor: 1, pick: 0 })), { act: 'fee', minor: 109, pick: 17 },
  { act: 'credit', minor: 50_550, pick: 580_667_527 }]];

/** Of a net show: credits of what was not yet income took the house's cent, and the royaltors kept one too many. */
const DEFERRED_TAKEN: [Terms, Act[]] = [{ presentation: 'net', currency: 'EUR', parties: [
  { rate_ppm: 253_643, accrual_basis: 'on_invoice' }, { rate_ppm: 257_364, accrual_basis: 'on_close' },
  { rate_ppm: 316_612, accrual_basis: 'on_close' }] }, [
  { act: 'perform', minor: 1, pick: 1 }, { act: 'fee', minor: 8, pick: 0 }, { act: 'credit', minor: 1, pick: 1 },
  { act: 'receive', minor: 9, pick: 1 }, { act: 'close', minor: 1, pick: 0 }, { act: 'credit', minor: 2, pick: 1 }]];

/** On close, and credited whole before it: the royaltor was paid 2,893.41 of nothing. */
const CREDITED_BEFORE_CLOSE: [Terms, Act[]] = [{ presentation: 'gross', currency: 'USD', parties: [
  { rate_ppm: 329_987, accrual_basis: 'on_close' }] }, [
  { act: 'report', minor: 885_683, pick: 0 }, { act: 'credit', minor: 1, pick: 0 },
  { act: 'receive', minor: 1, pick: 0 }, { act: 'receive', minor: 1, pick: 0 }]];

describe('royalties and the ledger', () => {
  test('[I1] [I11] after any walk every sharing sums; 2200, 2210, 1140 tie in both currencies', async () => {
    await fc.assert(fc.asyncProperty(house, acts, async ({ parties, presentation, currency }, walk) => {
      const show = await makeShow(database.db, parties, presentation);
      const deal = await makeDeal(database.db, show, { customer_id: customer, currency,
        performances: ['2026-02-01', '2026-02-02', '2026-02-03'] });
      const at: House = { deal, currency, paid: [] };
      for (const [step, act] of walk.entries()) await run(at, act, dayOf(step));
      const own = new Set(show.parties.map((party) => party.royaltor_id));
      const wrong = (await tieOut(database.db, 'US', true)).filter((row) => own.has(row.royaltor_id));
      expect(wrong).toEqual([]);
      const sums = await database.db.query(sql`
        select l.id from royalty_allocations l left join royalty_accruals a on a.royalty_allocation_id = l.id
        where l.show_id = ${show.show_id} group by l.id
        having coalesce(sum(a.amount_minor), 0) + l.house_minor <> l.amount_minor`);
      expect(sums).toEqual([]);
      // Deferred income that has gone is gone in both currencies, royaltors' part (11b) included.
      const deferred = await database.db.query(sql`
        select e.invoice_id from journal_entries e join ledger_accounts c on c.id = e.ledger_account_id
          join transactions t on t.id = e.transaction_id
        where e.license_id = ${deal.license_id} and c.code = '2100' group by e.invoice_id, t.kind = 'royalty_cost'
        having sum(e.amount_minor) = 0 and sum(e.base_amount_minor) <> 0`);
      expect(deferred).toEqual([]);
      if (presentation === 'gross') {
        const cost = await database.db.one<{ accrued: number; earned: number }>(sql`
          select coalesce(sum(l.amount_minor) filter (where l.role = 'cost' or l.role = 'line' and not exists (
              select 1 from royalty_accruals a where a.royalty_allocation_id = l.id and a.cost_on is null)), 0)::bigint
              as accrued,
            (select coalesce(-sum(e.amount_minor), 0)::bigint from journal_entries e
              join ledger_accounts c on c.id = e.ledger_account_id
              where e.license_id = ${deal.license_id} and c.code in ('4000', '4010')) as earned
          from royalty_allocations l where l.license_id = ${deal.license_id}`);
        expect(cost.accrued).toBe(cost.earned);
      }
      const carries = await database.db.query(sql`
        select weights_hash from royalty_carries where show_id = ${show.show_id}
        group by group_key, weights_hash, division, currency having sum(carry) <> 0`);
      expect(carries).toEqual([]);
      await finish(at);
      // Played, paid and closed: what was earned is what is due, of every line and royaltor, and nothing is deferred.
      const left = await database.db.query(sql`
        select c.code, e.invoice_id, e.party_id, sum(e.amount_minor) as minor, sum(e.base_amount_minor) as base
        from journal_entries e join ledger_accounts c on c.id = e.ledger_account_id
        where e.license_id = ${deal.license_id} and c.code in ('1140', '2100', '2210')
        group by c.code, e.invoice_id, e.party_id having sum(e.amount_minor) <> 0 or sum(e.base_amount_minor) <> 0`);
      expect(left).toEqual([]);
    }), { numRuns: runsOf(10), endOnFailure: true, examples: [CREDITED_TO_THE_END, TOO_SMALL_TO_SHARE,
      CREDITED_NET, DEFERRED_TAKEN, CREDITED_BEFORE_CLOSE] });
  }, timeOf(180_000));

  test('parts of one line in one call end exactly on its shares', async () => {
    await fc.assert(fc.asyncProperty(fc.integer({ min: 7, max: 999_999 }), fc.integer({ min: 1, max: 6 }),
      async (net_minor, first) => {
        const show = await makeShow(database.db, [{ rate_ppm: 170_000 }, { rate_ppm: 330_000 }]);
        const deal = await makeDeal(database.db, show, { customer_id: customer, performances: ['2026-09-01'] });
        const cost = await command(ports, async (ctx) => {
          const { invoice_id } = await issueInvoice(ctx, { license_id: deal.license_id, customer_id: customer,
            division: 'US', currency: 'USD', issued_on: ON, lines: [{ kind: 'royalty', royalty_bearing: true,
              item_class: 'performing_licence', description: 'Licence fee', net_minor }] });
          const item = await ctx.db.one<{ id: number }>(sql`
            select id from invoice_items where invoice_id = ${invoice_id}`);
          const part = (transaction_id: number, amount_minor: number) => ({ invoice_item_id: item.id, amount_minor,
            occurred_on: ON, transaction_id, income_account: '4000' });
          await accrueIncome(ctx, [part(1, first), part(2, net_minor - first)]);
          return ctx.db.query<{ cost: number; share: number }>(sql`
            select sum(a.amount_minor) filter (where a.cost_on is not null)::bigint as cost,
              sum(a.amount_minor) filter (where l.role = 'line')::bigint as share
            from royalty_accruals a join royalty_allocations l on l.id = a.royalty_allocation_id
            where l.invoice_item_id = ${item.id} group by a.show_royaltor_id`);
        });
        expect(cost).toHaveLength(2);
        for (const row of cost) expect(row.cost).toBe(row.share);
      }), { numRuns: runsOf(10) });
  }, timeOf(60_000));

  test.each(['USD', 'EUR'] as const)('[I3] [I4] [I5] [I11] statements and payments in %s keep balances', async (
    currency,
  ) => {
    const people = await database.db.query<{ id: number }>(sql`
      insert into users (email, first_name, last_name, role, email_verified_at) values
        (${`one.${currency.toLowerCase()}@royalties.example`}, 'One', 'Person', 'staff_admin', now()),
        (${`two.${currency.toLowerCase()}@royalties.example`}, 'Two', 'Person', 'staff_admin', now()) returning id`);
    // Walks may all have been in the other currency: this house earns for certain.
    const deal = await makeDeal(database.db, await makeShow(database.db, [{ rate_ppm: 170_000 }]),
      { customer_id: customer, currency, performances: ['2026-02-01', '2026-02-02', '2026-02-03'] });
    const earns: House = { deal, currency, paid: [] };
    await run(earns, { act: 'fee', minor: 500_000, pick: 0 }, ON);
    await finish(earns);
    const as = <T>(n: 0 | 1, body: (ctx: WorkContext) => Promise<T>): Promise<T> => command(ports, (ctx) =>
      body({ ...ctx, actor: { ...ctx.actor, actor_id: people[n]!.id } }));
    const { run_id } = await as(0, (ctx) => calculateRun(ctx, { division: 'US', currency,
      period_from: '2026-01-01', period_to: '2026-03-31' }));
    const version = async (): Promise<number> => (await database.db.one<{ version: number }>(sql`
      select version from royalty_statement_runs where id = ${run_id}`)).version;
    await as(1, async (ctx) => approveRun(ctx, run_id, await version()));
    await as(1, async (ctx) => issueRun(ctx, run_id, await version(), ON));
    const payable = await database.db.query<{ id: number }>(sql`
      select id from royalty_statements where royalty_statement_run_id = ${run_id} and payable_minor > 0`);
    expect(payable.length).toBeGreaterThan(0);
    const { batch_id } = await as(0, (ctx) => makeRoyaltyRun(ctx, { division: 'US', method: 'ach', pay_on: '2026-04-10',
      statement_ids: payable.map((row) => row.id), advance_ids: [] }));
    await as(1, (ctx) => approveBatch(ctx, batch_id, 1));
    await as(0, (ctx) => payBatch(ctx, batch_id, 2));
    expect(await tieOut(database.db, 'US', true)).toEqual([]);
    const open = await database.db.query(sql`
      select id from royalty_statements where status = 'paid' and closing_minor <> 0
      union all select id from royalty_reserves where taken_minor <> released_minor + held_minor
      union all select id from royalty_advances where status = 'paid'
        and amount_minor <> recouped_minor + unrecouped_minor`);
    expect(open).toEqual([]);
  });
});
