/** Lists as CSV: every list and column works, nothing runs as a formula, the list's own permission counts. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { makeDeal, makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { EXPORT_MODELS } from './export.contract.ts';

const URL = '/api/admin/staff/export_csv';

describe('CSV export', () => {
  const app = testApp();

  test.each(Object.keys(EXPORT_MODELS))('%s with all its columns', async (model) => {
    const staff = await app.signedIn('staff_admin');
    const answer = await staff.get(`${URL}?model_name=${model}`);
    expect(answer.status, String(answer.body)).toBe(200);
    expect(parse(answer.raw, { bom: true })[0]).toEqual(EXPORT_MODELS[model as keyof typeof EXPORT_MODELS].columns);
  });

  test('names that look like formulas are held back, pages follow each other, the phase filters', async () => {
    const { db } = app.database;
    const customer = await makeCustomer(db, 'US');
    await db.exec(sql`update customers set name = '=HYPERLINK("x")' where id = ${customer}`);
    await makeDeal(db, await makeShow(db, []), { customer_id: customer });
    await db.exec(sql`insert into customers (name, status, divisions, default_division, default_currency)
      select '+house ' || n, 'active', '{US}', 'US', 'USD' from generate_series(1, 2100) n`);
    const staff = await app.signedIn('staff_admin');
    const names = parse((await staff.get(`${URL}?model_name=customers&columns=name&columns=status`)).raw,
      { bom: true, from: 2 }) as string[][];
    expect(names.length).toBe(2101);
    expect(new Set(names.map(([name]) => name)).size).toBe(2101);
    expect(names.every(([name]) => name!.startsWith("'"))).toBe(true);
    const running = `${URL}?model_name=licenses&columns=customer,phase&phase=`;
    expect(parse((await staff.get(`${running}in_production`)).raw, { bom: true }))
      .toEqual([['customer', 'phase'], [`'=HYPERLINK("x")`, 'in_production']]);
    expect(parse((await staff.get(`${running}draft`)).raw, { bom: true })).toEqual([['customer', 'phase']]);
  });

  test('a column we do not offer, a phase without licences and a list one may not see are refused', async () => {
    const staff = await app.signedIn('staff_user', { permissions: ['export.download', 'customer.list'] });
    expect((await staff.get(`${URL}?model_name=customers`)).status).toBe(200);
    expect((await staff.get(`${URL}?model_name=invoices`)).status).toBe(403);
    expect((await staff.get(`${URL}?model_name=users`)).status).toBe(422);
    expect((await staff.get(`${URL}?model_name=customers&columns=vat_number`)).body.errors.columns[0])
      .toBe('customers has no column "vat_number"');
    expect((await staff.get(`${URL}?model_name=customers&phase=draft`)).status).toBe(422);
  });
});
