/**
 * Real returns through the import: upload, preview, process, answer, against the oracle of the data. 31,296 of them in
 * `npm run test:full`, every sixteenth and the first of each licence in `npm test`.
 * Source: issue "It must hold on real input".
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { workImports } from './imports/work-imports.server.ts';
import { acceptHeld, broadwayIsHere, broadwayWeeks, makeBroadwayLicenses } from '#tests/support/broadway.ts';
import { command } from '#tests/support/receivables.ts';

const BASE = '/api/admin/staff/imports';

describe.skipIf(!broadwayIsHere())('the Broadway file through the import', () => {
  const app = testApp();
  const weeks = broadwayWeeks();
  let staff: Browser;
  let templateId: number;

  beforeAll(async () => {
    expect(await makeBroadwayLicenses(app.database.db)).toBe(850);
    staff = await app.signedIn('staff_admin');
    templateId = (await staff.get('/api/admin/staff/import_templates?search=Box office return')).body.data[0].id;
  });

  async function upload(name: string) {
    const answer = await staff.post(BASE, undefined, { multipart: { fields: { import_template_id: String(templateId) },
      file: { field: 'file', name, type: 'text/csv', content: weeks.csv } } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  }

  test('every row is read, questions are answered as reported, the royalty is that of the oracle', async () => {
    const made = await upload('corgis_broadway.csv');
    expect(made).toMatchObject({ status: 'uploaded', rows_total: weeks.rows.length });
    expect(made.mapping).toMatchObject({ date_format: 'MM/DD/YYYY', delimiter: ',', header_row: 1,
      columns: { date: 1, show: 4, venue: 5, gross: 9, performances: 11, attendance: 7, capacity_percent: 8 } });
    let started = performance.now();
    const preview = (await staff.get(`${BASE}/${made.id}/preview`)).body.data;
    console.info(`preview of all rows: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    expect(preview.counts).toMatchObject({ ready: weeks.rows.length, duplicate: 0, refused: 0 });
    expect(preview.missing).toEqual([]);
    started = performance.now();
    expect((await staff.post(`${BASE}/${made.id}/process`)).status).toBe(202);
    await workImports(app.ports);
    const imported = performance.now() - started;
    const done = (await staff.get(`${BASE}/${made.id}`)).body.data;
    expect(done).toMatchObject({ status: 'completed', failure: null, rows_done: weeks.rows.length,
      rows_imported: weeks.rows.length, rows_duplicate: 0, rows_refused: 0 });
    expect(done.rows_questioned).toBe(preview.counts.questioned);
    // Attendance of 277 to 892 percent in the file: held until somebody says that it is so.
    expect(await command(app.ports, acceptHeld)).toBeGreaterThan(0);
    expect((await staff.put(`${BASE}/${made.id}/answers`, { answer: 'as_reported' })).status).toBe(202);
    await workImports(app.ports);
    const seconds = (performance.now() - started) / 1000;
    console.info(`import ${(imported / 1000).toFixed(1)} s, with answers ${seconds.toFixed(1)} s, `
      + `${Math.round(weeks.rows.length / seconds)} rows/s, RSS ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
    expect((await staff.get(`${BASE}/${made.id}`)).body.data)
      .toMatchObject({ status: 'completed', open_questions: [] });
    const total = await app.database.db.one(sql`
      select count(*) as n, sum(earned_minor)::bigint as earned, count(*) filter (where minimum_pending) as pending
      from box_office_reports where status = 'accepted' and import_id = ${made.id}`);
    expect(total).toEqual({ n: weeks.rows.length, earned: weeks.total_minor, pending: 0 });
    const balance = await app.database.db.one(sql`
      select sum(base_debit_minor - base_credit_minor)::bigint as minor from ledger_balances`);
    expect(balance).toEqual({ minor: 0 });
  }, 900_000);

  test('the same file again: every row is a duplicate, nothing is posted twice', async () => {
    const before = await counts();
    const again = await upload('the same once more.csv');
    await staff.post(`${BASE}/${again.id}/process`);
    await workImports(app.ports);
    expect((await staff.get(`${BASE}/${again.id}`)).body.data).toMatchObject({ status: 'completed', rows_imported: 0,
      rows_duplicate: weeks.rows.length, rows_refused: 0 });
    expect(await counts()).toEqual(before);
  }, 300_000);

  function counts() {
    return app.database.db.one(sql`select (select count(*) from box_office_reports) as reports,
      (select count(*) from transactions) as transactions, (select count(*) from invoices) as invoices`);
  }
});
