/** Sums of a VAT return read by the database against its items one by one. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { addDays } from '#kernel/calendar/calendar.ts';
import { itemsOfBox, vatReturn } from '#kernel/tax/vat-return.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import { fixedClock } from '#server/clock.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { runsOf, timeOf } from '#tests/support/full.ts';
import { command, makeLicense, testPorts } from '#tests/support/receivables.ts';
import { openItems, openSums } from './vat-items.server.ts';

const database = testDatabase();
let authority = 0;
const codes = new Map<string, number>();

beforeAll(async () => {
  authority = (await database.owner.one<{ id: number }>(sql`insert into tax_authorities (jurisdiction, name)
    values ('GB', 'HMRC') on conflict (jurisdiction) do update set name = excluded.name returning id`)).id;
  for (const row of await database.db.query<{ id: number; division: string; code: string }>(sql`
    select id, division, code from tax_codes`)) codes.set(`${row.division} ${row.code}`, row.id);
});

interface Line { on: string; side: 'output' | 'input'; tax: number; net: number; reverse: boolean }
async function booked(division: 'UK' | 'EU', { on, side, tax, net, reverse }: Line): Promise<void> {
  if (tax === 0) return;
  const currency = division === 'UK' ? 'GBP' : 'EUR';
  const amount = BigInt(side === 'output' ? -tax : tax);
  await database.db.tx((db) => postJournal(db, { division, kind: 'bank_entry', transaction_at: on, description: side,
    source: null, lines: [{ account: side === 'output' ? '2300' : '1300', currency, amount, base: amount,
      party: { type: 'tax_authority', id: authority }, tax_base: BigInt(side === 'output' ? -net : net),
      tax_code_id: codes.get(`${division} ${reverse ? 'REVERSE_CHARGE' : 'STANDARD'}`)! },
    { account: '6200', currency, amount: -amount, base: -amount }] }));
}

async function expectSame(division: 'UK' | 'EU', from: string, to: string): Promise<number> {
  const of = { division, from, to };
  const [items, sums] = [await openItems(database.db, of), await openSums(database.db, of)];
  const [plain, summed] = [vatReturn(division, items), vatReturn(division, sums)];
  expect(summed).toEqual(plain);
  const count = (list: readonly { items: number }[]): number => list.reduce((total, one) => total + one.items, 0);
  for (const { box } of plain.boxes) {
    const behind = itemsOfBox(division, box);
    if (behind) expect(count(sums.filter(behind)), box).toBe(items.filter(behind).length);
  }
  expect(count(sums.filter((one) => one.is_late))).toBe(items.filter((one) => one.is_late).length);
  return items.length;
}

const line = fc.record({ on: fc.integer({ min: 0, max: 120 }).map((days) => addDays('2025-01-01', days)),
  side: fc.constantFrom('output' as const, 'input' as const), tax: fc.integer({ min: -2, max: 2 }),
  net: fc.integer({ min: -2, max: 2 }), reverse: fc.boolean() });

it.each(['UK', 'EU'] as const)('%s: sums give the boxes, their numbers of items and what is late', async (division) => {
  await fc.assert(fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
    for (const one of lines) await booked(division, one);
    await expectSame(division, '2025-01-01', '2025-03-31');
  }), { numRuns: runsOf(3), endOnFailure: true });
}, timeOf(60_000));

it('takes an invoice that was paid in the period and issued after it', async () => {
  const ports = { ...testPorts(database.db), clock: fixedClock('2026-07-31T12:00:00Z') };
  const license = await makeLicense(database.db, 'UK');
  const { invoice_id } = await command(ports, (ctx) => issueInvoice(ctx, { customer_id: license.customer_id,
    division: 'UK', currency: 'GBP', license_id: license.id, issued_on: '2026-07-05', due_on: '2026-07-05', lines: [
      { kind: 'royalty', description: 'Fee', item_class: 'performing_licence', net_minor: 100_000 }] }));
  expect(await expectSame('UK', '2026-04-01', '2026-06-30')).toBe(0);
  await database.owner.exec(sql`alter table invoices disable trigger user`);
  await database.owner.exec(sql`update invoices set tax_point_on = '2026-06-29' where id = ${invoice_id}`);
  await database.owner.exec(sql`alter table invoices enable trigger user`);
  expect(await expectSame('UK', '2026-04-01', '2026-06-30')).toBe(1);
  expect((await openItems(database.db, { division: 'UK', from: '2026-07-01', to: '2026-07-31' }))
    .map((item) => [item.is_late, item.tax_minor])).toEqual([[true, 20_000n]]);
  expect(await expectSame('UK', '2026-07-01', '2026-07-31')).toBe(1);
});
