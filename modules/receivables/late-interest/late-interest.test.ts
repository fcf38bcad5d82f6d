/** Interest on overdue invoices: shown, billed once, waived, credited. The server's clock stands at 20 November. */
import { expect, test } from 'vitest';
import { textOfPages } from '#server/pdf-pages.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { makeLicense, movement, type TestLicense } from '#tests/support/receivables.ts';

const app = testApp();
const invoices = '/api/admin/staff/invoices';

/** An invoice of 2,000.00, due on 30 September and 51 days late. */
async function overdue(staff: SignedIn, license: TestLicense): Promise<number> {
  const made = await staff.post(invoices, { customer_id: license.customer_id, license_id: license.id,
    division: license.division, currency: license.currency, issued_on: '2026-09-16', due_on: '2026-09-30',
    items: [{ kind: 'fee', description: 'Service', item_class: 'fee', net_minor: 200_000 }] });
  const { id, version, total_minor } = made.body.data;
  const answer = await staff.post(`${invoices}/${id}/issue`, { version, confirmed_total_minor: total_minor });
  expect(answer.body).toMatchObject({ data: { status: 'issued' } });
  return id;
}

/** A contract signed on 1 September; later the terms were changed without being signed. */
async function sign(license: TestLicense, ppmPerMonth: number): Promise<void> {
  const digest = String(license.id).padStart(64, '0');
  await app.database.db.exec(sql`
    with file as (insert into files (storage_key, sha256, size_bytes, mime_type, original_name)
        values (${`files/${digest}`}, ${digest}, 1, 'application/pdf', 'c.pdf') returning id),
      v as (insert into license_versions (license_id, version_no, snapshot, sha256, grand_total_minor, currency)
        values (${license.id}, 1, ${JSON.stringify({ terms: { late_interest_ppm_per_month: ppmPerMonth } })},
          ${'b'.repeat(64)}, 200000, ${license.currency}) returning id)
    insert into signatures (license_id, license_version_id, sha256, method, signer_name, signed_on, recorded_by_id,
      document_id)
    select ${license.id}, v.id, ${'b'.repeat(64)}, 'wet', 'Dana Drama', '2026-09-01',
      (select min(id) from users), file.id from v, file`);
  await app.database.db.exec(sql`
    insert into license_terms (license_id, late_interest_ppm_per_month) values (${license.id}, 90000)`);
}

test('the interest of the signed contract is billed once, in an invoice that says how it came about', async () => {
  const staff = await app.signedIn('staff_admin');
  const license = await makeLicense(app.database.db, 'US');
  const id = await overdue(staff, license);
  const path = `${invoices}/${id}/late_interest`;
  expect((await staff.get(path)).body.data).toMatchObject({ rate: null, none: 'not_agreed', amount_minor: 0 });
  await sign(license, 10_000);
  expect((await staff.post(`${invoices}/${id}/payments`, { amount_minor: 150_000, received_on: '2026-10-10' })).status)
    .toBe(201);
  const shown = (await staff.get(path)).body.data;
  expect(shown).toMatchObject({ none: null, to_on: '2026-11-20', amount_minor: 1_332, rate: { ppm: 10_000, per: 'month',
    basis: 'contract', signed_on: '2026-09-01' }, steps: [
    { from_on: '2026-10-01', to_on: '2026-10-10', days: 10, principal_minor: 200_000, interest_minor: 658 },
    { from_on: '2026-10-11', to_on: '2026-11-20', days: 41, principal_minor: 50_000, interest_minor: 674 }] });
  expect((await staff.get(`${path}?to_on=2026-11-21`)).body.errors).toHaveProperty('to_on');
  const other = await staff.post(path, { to_on: '2026-11-20', amount_minor: 1_331 });
  expect([other.status, other.body.code]).toEqual([409, 'invoice.interest_changed']);

  const body = { to_on: '2026-10-31', amount_minor: 1_003 };
  let bill = 0;
  expect(await movement(app.database.db, async () => {
    const made = await Promise.all([staff.post(path, body), staff.post(path, body)]);
    expect(made.map((one) => one.status).toSorted()).toEqual([201, 409]);
    const { data } = made.find((one) => one.status === 201)!.body;
    bill = data.id;
    expect(data).toMatchObject({ kind: 'invoice', status: 'issued', net_minor: 1_003, tax_minor: 0, taxes: [],
      license_id: license.id, items: [{ kind: 'late_interest', net_minor: 658, royalty_bearing: false },
        { kind: 'late_interest', net_minor: 345 }] });
    expect(data.number).toMatch(/^INV-US-2026-/);
  })).toEqual({ 1100: 1_003, 4600: -1_003 });
  const { raw } = await staff.get(`${invoices}/${bill}/document`);
  const paper = (await textOfPages(raw)).join(' ').replace(/\s+/g, ' ');
  expect(paper).toContain('October 1, 2026 to October 10, 2026, 10 days at 1% per month on 2,000.00');
  expect(paper).toContain('open amount × 1% × 12 × days ÷ 365');
  expect((await staff.get(`${invoices}/${bill}/late_interest`)).body.data.none).toBe('not_overdue');

  // Billed in two parts or in one: the same sum.
  expect((await staff.get(path)).body.data).toMatchObject({ amount_minor: 1_332 - 1_003, steps: [{
    from_on: '2026-11-01', to_on: '2026-11-20', days: 20, principal_minor: 50_000 }] });
  await expect(app.database.db.exec(sql`
    insert into late_interest_charges (invoice_id, from_on, to_on, state, amount_minor, rate_ppm, rate_per, reason)
    values (${id}, '2026-10-31', '2026-11-02', 'waived', 1, 10000, 'month', 'Again')`)).rejects
    .toThrow(/late_interest_charges_once/);

  const credit = await staff.post(`${invoices}/${bill}/credit_notes`, { reason: 'The transfer was ours' });
  expect(credit.body.data).toMatchObject({ total_minor: 1_003 });
  const after = (await staff.get(path)).body.data;
  expect(after.amount_minor).toBe(1_332);
  expect(after.charges[0].credited_at).not.toBeNull();
});

test('interest is waived with a reason, by who may write off; later days stay billable', async () => {
  const staff = await app.signedIn('staff_admin');
  const license = await makeLicense(app.database.db, 'US');
  const id = await overdue(staff, license);
  await sign(license, 10_000);
  const path = `${invoices}/${id}/late_interest`;
  const { amount_minor } = (await staff.get(`${path}?to_on=2026-11-10`)).body.data;
  const body = { to_on: '2026-11-10', amount_minor };
  expect((await staff.post(`${path}/waive`, { ...body, reason: ' ' })).body.errors).toHaveProperty('reason');
  expect(await movement(app.database.db, async () => {
    const waived = await staff.post(`${path}/waive`, { ...body, reason: 'The school was flooded' });
    expect(waived.body.data).toMatchObject({ steps: [{ from_on: '2026-11-11', days: 10 }], charges: [{ state: 'waived',
      amount_minor, reason: 'The school was flooded', to_on: '2026-11-10' }] });
  })).toEqual({});
});

test('where no rate is agreed, British and European divisions bill the one of the law, outside of VAT', async () => {
  const system = await app.signedIn('system_admin');
  const staff = await app.signedIn('staff_admin');
  const license = await makeLicense(app.database.db, 'UK');
  const id = await overdue(staff, license);
  const path = `${invoices}/${id}/late_interest`;
  await sign(license, 0);
  expect((await staff.get(path)).body.data.none).toBe('no_business');
  await app.database.db.exec(sql`update customers set kind = 'school_k12' where id = ${license.customer_id}`);
  expect((await staff.get(path)).body.data.none).toBe('no_rate');
  const uk = (await system.get('/api/admin/system/divisions')).body.data
    .find((row: { code: string }) => row.code === 'UK');
  const rule = await system.put('/api/admin/system/divisions/UK', { version: uk.version,
    statutory_interest_ppm_per_year: 117_500 });
  expect(rule.body.data.statutory_interest_ppm_per_year).toBe(117_500);
  const shown = (await staff.get(path)).body.data;
  // 2,400.00 with VAT × 11.75% × 51 ÷ 365.
  expect(shown).toMatchObject({ amount_minor: 3_940, rate: { ppm: 117_500, per: 'year', basis: 'statutory' } });
  const bill = await staff.post(path, { to_on: shown.to_on, amount_minor: 3_940 });
  expect(bill.body.data).toMatchObject({ total_minor: 3_940, tax_minor: 0, taxes: [], items: [{
    tax_code: 'NO_SUPPLY' }] });
});
