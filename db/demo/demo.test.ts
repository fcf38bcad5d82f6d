import { expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { loadDemoInto } from '#tests/support/demo.ts';
import { demoState } from './load.ts';

const test = testApp();

it('the demo season loads through the API into an empty database', { timeout: 400_000 }, async () => {
  await loadDemoInto(test);
  const { db } = test.ports;
  expect(await demoState(db)).toBe('loaded');
  const { shows } = await db.one<{ shows: number }>(sql`select count(*) as shows from shows`);
  expect(shows).toBeGreaterThan(20);
  // Something of everything: what a newcomer opens is never empty.
  const phases = await db.query<{ phase: string }>(sql`select distinct phase from licenses order by phase`);
  expect(phases.map((row) => row.phase)).toEqual(['accepted', 'closed', 'declined', 'draft', 'expired',
    'in_production', 'licensed', 'sent', 'settlement']);
  const returns = await db.query<{ status: string }>(sql`select distinct status from box_office_reports order by 1`);
  expect(returns.map((row) => row.status)).toEqual(expect.arrayContaining(['accepted', 'expected']));
  // Each division has its licences, its returns and somebody who owes something, so that no list is empty.
  const divisions = await db.query<{ division: string; licenses: number; returns: number; open: number }>(sql`
    select d.code as division, (select count(*) from licenses l where l.division = d.code) as licenses,
      (select count(*) from box_office_reports r where r.division = d.code) as returns,
      (select count(*) from invoices i where i.division = d.code and i.kind = 'invoice'
        and i.status in ('issued', 'part_paid') and i.balance_minor > 0) as open
    from divisions d order by 1`);
  const scarce = divisions.filter((one) => one.licenses <= 10 || one.returns <= 10 || one.open === 0);
  expect(scarce).toEqual([]);
  const { offers } = await db.one<{ offers: number }>(sql`select count(*) as offers from licenses l
    join customers c on c.id = l.customer_id where c.name = 'Astoria Community Players' and l.phase = 'sent'`);
  expect(offers, 'offers to sign for the house of the README').toBeGreaterThan(0);
  const statements = await db.query<{ status: string }>(sql`select distinct status from royalty_statements`);
  expect(statements.map((row) => row.status)).toEqual(expect.arrayContaining(['calculated', 'paid']));
  const asked = await db.query<{ status: string }>(sql`select distinct status from license_applications`);
  expect(asked.map((row) => row.status)).toEqual(expect.arrayContaining(['submitted', 'declined']));
  const books = await db.one<{ entries: number; sum: number }>(sql`
    select count(*) as entries, sum(base_amount_minor) as sum from journal_entries`);
  expect(books.entries).toBeGreaterThan(500);
  expect(Number(books.sum)).toBe(0);
});
