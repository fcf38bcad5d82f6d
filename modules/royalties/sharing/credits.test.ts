/** Royaltors share the part of a line left after credits, for any basis and presentation. */
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { creditInvoice, issueInvoice, releaseLicense } from '#modules/receivables/receivables.public.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, makeCustomer, movement, testPorts } from '#tests/support/receivables.ts';
import { accrueClose } from '../royalties.public.server.ts';
import { makeDeal, makeShow, type PartyInput, type TestDeal } from '../testing/royalty-fixtures.ts';

const database = testDatabase();
let customer: number;
beforeAll(async () => {
  customer = await makeCustomer(database.db, 'US');
});

const ON = '2026-03-02';

/** A licence fee of 1,000.00 in USD for one performance. */
async function billed(parties: PartyInput[], presentation: 'gross' | 'net' = 'gross') {
  const show = await makeShow(database.db, parties, presentation);
  const deal = await makeDeal(database.db, show, { customer_id: customer, performances: ['2026-02-01'] });
  const { invoice_id } = await command(testPorts(database.db), (ctx) => issueInvoice(ctx, {
    license_id: deal.license_id, customer_id: customer, division: 'US', currency: 'USD', issued_on: ON,
    lines: [{ kind: 'royalty', item_class: 'performing_licence', description: 'Licence fee', net_minor: 100_000,
      royalty_bearing: true }] }));
  return { show, deal, invoice_id };
}

const play = (deal: TestDeal) => command(testPorts(database.db), async (ctx) => {
  await ctx.db.exec(sql`update performances set status = 'performed' where license_id = ${deal.license_id}`);
  await releaseLicense(ctx, { license_id: deal.license_id, up_to: ON });
});

const close = (deal: TestDeal) => command(testPorts(database.db), (ctx) =>
  accrueClose(ctx, { license_id: deal.license_id, on: ON }));

async function credit(invoice_id: number, amount_minor: number) {
  const item = await database.db.one<{ id: number }>(sql`
    select id from invoice_items where invoice_id = ${invoice_id}`);
  await command(testPorts(database.db), (ctx) => creditInvoice(ctx, { invoice_id, on: ON, reason: 'Agreed',
    lines: [{ invoice_item_id: item.id, amount_minor }] }));
}

/** Amount due to all royaltors of the show. */
async function due(show_id: number): Promise<number> {
  const row = await database.db.one<{ due: number }>(sql`
    select coalesce(sum(a.amount_minor), 0)::bigint as due from royalty_accruals a
      join royalty_allocations l on l.id = a.royalty_allocation_id
    where l.show_id = ${show_id} and a.due_on is not null`);
  return row.due;
}

const moved = (work: () => Promise<unknown>) => movement(database.db, work);

describe('a credit before what is due', () => {
  test.each(['gross', 'net'] as const)('%s: the licence closes for what is left, 300.00', async (presentation) => {
    const { show, deal, invoice_id } = await billed([{ rate_ppm: 500_000, accrual_basis: 'on_close' }], presentation);
    await play(deal);
    await credit(invoice_id, 40_000);
    expect(await moved(() => close(deal))).toEqual({ 2200: -30_000, 2210: 30_000 });
    expect(await due(show.show_id)).toBe(30_000);
  });

  test('credited whole, closing makes nothing due', async () => {
    const { show, deal, invoice_id } = await billed([{ rate_ppm: 500_000, accrual_basis: 'on_close' }]);
    await play(deal);
    await credit(invoice_id, 100_000);
    expect(await moved(() => close(deal))).toEqual({});
    expect(await due(show.show_id)).toBe(0);
  });
});

describe('a credit after what is due', () => {
  test('of an agreement that was due at the close goes back, 11r both sides', async () => {
    const { show, deal, invoice_id } = await billed([{ rate_ppm: 500_000, accrual_basis: 'on_close' }]);
    await play(deal);
    await close(deal);
    expect(await moved(() => credit(invoice_id, 40_000)))
      .toEqual({ 1100: -40_000, 2200: 20_000, 4000: 40_000, 5000: -20_000 });
    expect(await due(show.show_id)).toBe(30_000);
  });

  test('two credits that cancel an invoice leave nothing due of an agreement on invoice', async () => {
    const { show, invoice_id } = await billed([{ rate_ppm: 333_333, accrual_basis: 'on_invoice' }]);
    expect(await due(show.show_id)).toBe(33_333);
    await credit(invoice_id, 77_777);
    expect(await due(show.show_id)).toBe(7_408);
    await credit(invoice_id, 22_223);
    expect(await due(show.show_id)).toBe(0);
  });

  test('income from before an agreement began is credited, and no royalty of it goes back', async () => {
    const { show, deal, invoice_id } = await billed([]);
    await play(deal);
    const later = await makeShow(database.db, [{ rate_ppm: 500_000 }]);
    await database.db.exec(sql`
      update show_royaltors set show_id = ${show.show_id} where show_id = ${later.show_id}`);
    expect(await moved(() => credit(invoice_id, 40_000))).toEqual({ 1100: -40_000, 4000: 40_000 });
  });
});
