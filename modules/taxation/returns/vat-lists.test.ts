/**
 * One-stop shop and EC sales list of the EU division, from issued invoices and credit notes. Own example; the rate of
 * the last day, or of the next publication, is that of Directive 2006/112/EC art. 369h(2).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { creditInvoice, issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import { fixedClock } from '#server/clock.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, giveForeignAccount, makeCustomer, testPorts } from '#tests/support/receivables.ts';
import { ecSalesRows, ossRows } from './vat-lists.server.ts';

const database = testDatabase();
const quarter = (number: 2 | 3) => ({ division: 'EU' as const, from: number === 2 ? '2026-04-01' : '2026-07-01',
  to: number === 2 ? '2026-06-30' : '2026-09-30' });
const SUPPLIES = {
  service: { kind: 'fee' as const, item_class: 'fee' as const },
  digital: { kind: 'digital' as const, item_class: 'digital_music' as const },
  goods: { kind: 'sale' as const, item_class: 'merchandise' as const },
};

const ports = () => ({ ...testPorts(database.db), clock: fixedClock('2026-09-30T12:00:00Z') });
async function issued(customer_id: number, of: keyof typeof SUPPLIES, on: string, net_minor: number, currency = 'EUR') {
  const { invoice_id } = await command(ports(), (ctx) => issueInvoice(ctx, { customer_id, division: 'EU',
    currency, license_id: null, issued_on: on, due_on: on, lines: [{ ...SUPPLIES[of], description: of, net_minor }] }));
  return invoice_id;
}
const credited = (invoice_id: number, on: string) => command(ports(), (ctx) =>
  creditInvoice(ctx, { invoice_id, on, reason: 'Returned' }));
/** Paid before it was issued: its tax belongs to the earlier quarter. */
async function taxPoint(invoice_id: number, on: string): Promise<void> {
  await database.owner.exec(sql`alter table invoices disable trigger user`);
  await database.owner.exec(sql`update invoices set tax_point_on = ${on} where id = ${invoice_id}`);
  await database.owner.exec(sql`alter table invoices enable trigger user`);
}
async function business(country: string, number: string): Promise<number> {
  const id = await makeCustomer(database.db, 'EU', { business: true, country });
  await database.db.exec(sql`update customers set vat_number = ${number} where id = ${id}`);
  return id;
}
const rate = (on: string, value: string) => database.db.exec(sql`
  insert into exchange_rates (base, quote, on_date, rate, source) values ('EUR', 'USD', ${on}, ${value}, 'ecb')`);

describe('the one-stop shop', () => {
  let first = 0;
  let early = 0;
  beforeAll(async () => {
    await rate('2026-06-11', '1.10');
    await giveForeignAccount(ports(), 'EU', 'USD');
    const consumer = await makeCustomer(database.db, 'EU', { country: 'DE' });
    first = await issued(consumer, 'digital', '2026-06-10', 10_000);
    await issued(consumer, 'digital', '2026-06-11', 20_000, 'USD');
    early = await issued(consumer, 'digital', '2026-07-02', 5_000);
    await taxPoint(early, '2026-06-29');
  });

  it('waits for the next publication where the ECB published no rate on the last day', async () => {
    await expect(ossRows(database.db, quarter(2))).rejects.toMatchObject({ code: 'fx.no_rate' });
    await rate('2026-07-03', '1.30');
    await rate('2026-07-01', '1.24');
    // A Tuesday, on which the ECB published: its rate is not imported yet.
    await expect(ossRows(database.db, quarter(2))).rejects.toThrow('The ECB rate of USD on June 30, 2026 is missing');
    await rate('2026-06-30', '1.25');
    expect(await ossRows(database.db, quarter(2))).toEqual([
      ['DE', '19', '', 'EUR', '150.00', '28.50', '150.00', '28.50', '', ''],
      ['DE', '19', '', 'USD', '200.00', '38.00', '160.00', '30.40', '1.2500000000', '2026-06-30']]);
    // June 28 is a Sunday.
    const toSunday = { ...quarter(2), to: '2026-06-28' };
    await expect(ossRows(database.db, toSunday)).rejects.toThrow('June 29, 2026');
    await rate('2026-06-29', '1.60');
    expect((await ossRows(database.db, toSunday)).at(-1)!.slice(-2)).toEqual(['1.6000000000', '2026-06-29']);
  });

  it('names the quarter that a credit note corrects, by the tax point of its invoice', async () => {
    await credited(first, '2026-07-20');
    await credited(early, '2026-07-21');
    expect(await ossRows(database.db, quarter(3))).toEqual([
      ['DE', '19', '2026-Q2', 'EUR', '-150.00', '-28.50', '-150.00', '-28.50', '', '']]);
  });
});

describe('the EC sales list', () => {
  it('has each number by the kind of supply, net of credits, and names the month of an earlier sale', async () => {
    const berlin = await business('DE', 'DE136695976');
    const paris = await business('FR', 'FR40303265045');
    const consumer = await makeCustomer(database.db, 'EU', { country: 'FR' });
    const fee = await issued(berlin, 'service', '2026-06-05', 10_000);
    await issued(berlin, 'goods', '2026-06-06', 4_000);
    const scores = await issued(paris, 'goods', '2026-06-07', 7_000);
    await issued(consumer, 'goods', '2026-06-08', 9_000);
    await credited(scores, '2026-06-20');
    await issued(paris, 'goods', '2026-06-21', 2_500);
    const early = await issued(paris, 'service', '2026-07-03', 3_000);
    await taxPoint(early, '2026-06-28');
    expect(await ecSalesRows(database.db, quarter(2))).toEqual([
      ['DE', '136695976', 'Services', '', '100.00'], ['DE', '136695976', 'Goods', '', '40.00'],
      ['FR', '40303265045', 'Services', '', '30.00'], ['FR', '40303265045', 'Goods', '', '25.00']]);
    await credited(fee, '2026-07-09');
    await credited(early, '2026-07-10');
    expect(await ecSalesRows(database.db, quarter(3))).toEqual([
      ['DE', '136695976', 'Services', '2026-06', '-100.00'], ['FR', '40303265045', 'Services', '2026-06', '-30.00']]);
  });
});

it('goods to Northern Ireland are on the EC sales list under XI; services there are not', async () => {
  const belfast = await business('GB', 'XI123456782');
  await database.db.exec(sql`update customers set billing_address = billing_address || '{"postal_code": "bt1 5GS"}'
    where id = ${belfast}`);
  await issued(belfast, 'goods', '2026-02-05', 6_000);
  await issued(belfast, 'service', '2026-02-06', 9_000);
  const winter = { division: 'EU' as const, from: '2026-01-01', to: '2026-03-31' };
  expect(await ecSalesRows(database.db, winter)).toEqual([['XI', '123456782', 'Goods', '', '60.00']]);
});

describe('a sale that is found after the return of its quarter was filed', () => {
  const filed = (from: string, to: string) => database.owner.exec(sql`
    insert into tax_returns (division, period_from, period_to, status, boxes, net_minor, items_sha256, item_count,
      prepared_by_id, prepared_at, filed_by_id, filed_at)
    select 'EU', ${from}, ${to}, 'filed', '[]', 0, ${'0'.repeat(64)}, 0, min(id), now(), max(id), now()
    from (select id from users order by id limit 2) two`);

  it('comes into the next one by its quarter, and into no other; the filed one stays as it was', async () => {
    for (const name of ['one', 'two']) {
      await database.db.exec(sql`insert into users (email, first_name, last_name, role)
        values (${`${name}@house.example`}, ${name}, 'Filer', 'staff_admin')`);
    }
    const before = [await ossRows(database.db, quarter(2)), await ecSalesRows(database.db, quarter(2))];
    const consumer = await makeCustomer(database.db, 'EU', { country: 'AT' });
    const vienna = await business('AT', 'ATU13585627');
    await filed('2026-04-01', '2026-06-30');
    const late = await issued(consumer, 'digital', '2026-07-05', 40_000);
    await taxPoint(late, '2026-06-15');
    const service = await issued(vienna, 'service', '2026-07-06', 6_000);
    await taxPoint(service, '2026-06-16');
    await issued(consumer, 'digital', '2026-07-07', 1_000);
    expect([await ossRows(database.db, quarter(2)), await ecSalesRows(database.db, quarter(2))]).toEqual(before);
    const austrian = async (number: 2 | 3) => (await ossRows(database.db, quarter(number)))
      .filter(([state]) => state === 'AT').map((row) => row.slice(0, 6));
    const corrected = [['AT', '20', '', 'EUR', '10.00', '2.00'], ['AT', '20', '2026-Q2', 'EUR', '400.00', '80.00']];
    expect(await austrian(3)).toEqual(corrected);
    expect(await ecSalesRows(database.db, quarter(3))).toContainEqual(['AT', 'U13585627', 'Services', '2026-06',
      '60.00']);
    await filed('2026-07-01', '2026-09-30');
    expect(await austrian(3)).toEqual(corrected);
    expect(await ossRows(database.db, { division: 'EU', from: '2026-10-01', to: '2026-12-31' })).toEqual([]);
  });
});
