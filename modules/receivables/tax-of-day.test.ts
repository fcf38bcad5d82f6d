/** A document carries the tax of its tax point: at issue, when a pro forma is opened or paid, and for late money. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { issueProFormaOf, recordReceipt, issueProForma } from '#modules/receivables/receivables.public.server.ts';
import { applyReceiptToInvoice } from './payments/apply-receipt.server.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { command, DAY, makeCustomer, makeLicense, movement, testPorts, type TestLicense }
  from '#tests/support/receivables.ts';
import { issueDraft, createDraft } from './invoices/edit-draft.server.ts';
import { refreshTax } from './invoices/refresh-tax.server.ts';
import type { Ports } from '#server/context.ts';

const app = testApp();
let ports: Ports;
beforeAll(async () => {
  ports = testPorts(app.database.db);
  await app.signedIn('staff_admin');
});

/** A school's certificate that ends on a day. */
async function certificate(customer: number, expires_on: string | null): Promise<void> {
  await app.database.db.exec(sql`
    insert into tax_exemption_certificates (customer_id, country, state, number, kind, valid_from, expires_on, status,
      verified_at, verified_by_id)
    values (${customer}, 'US', 'NY', 'EX-1', 'school', '2026-01-01', ${expires_on}, 'verified', now(),
      (select min(id) from users))`);
}
const endCertificate = (customer: number, on: string) => app.database.db.exec(sql`
  update tax_exemption_certificates set expires_on = ${on} where customer_id = ${customer}`);
const rental = (net_minor = 100_000) => ({ kind: 'rental' as const, description: 'Hire', item_class: 'rental' as const,
  net_minor });
const invoiceRow = (id: number) => app.database.db.one<Record<string, unknown>>(sql`
  select kind, status, net_minor, tax_minor, total_minor, paid_minor, balance_minor, tax_shortfall_minor, revision,
    issued_on, due_on, tax_point_on from invoices where id = ${id}`);

describe('a draft by hand', () => {
  const body = (customer_id: number, more: object = {}) => ({ customer_id, license_id: null, division: 'US',
    currency: 'USD', items: [rental()], ...more });

  async function issued(staff: Browser, id: number, version: number, more: object = {}) {
    return staff.post(`/api/admin/staff/invoices/${id}/issue`, { version, ...more });
  }

  test('is issued with the tax of the day; a changed total is confirmed first', async () => {
    const staff = await app.signedIn('staff_admin');
    const customer = await makeCustomer(app.database.db, 'US');
    await certificate(customer, null);
    const { data } = (await staff.post('/api/admin/staff/invoices', body(customer))).body;
    expect(data).toMatchObject({ tax_minor: 0, total_minor: 100_000, issued_on: null, due_on: null });
    await endCertificate(customer, '2026-01-31');
    const asked = await issued(staff, data.id, data.version);
    expect(asked.status).toBe(409);
    expect(asked.body).toMatchObject({ code: 'invoice.tax_changed', old_total_minor: 100_000,
      new_total_minor: 108_875, new_tax_minor: 8_875 });
    expect(asked.body.message).toMatch(/Exemption certificate EX-1/);
    const wrong = await issued(staff, data.id, data.version, { confirmed_total_minor: 100_000 });
    expect(wrong.body.code).toBe('invoice.tax_changed');
    let done = { body: { data: { total_minor: 0, tax_minor: 0, status: '' } } };
    const moved = await movement(app.database.db, async () => {
      done = await issued(staff, data.id, data.version, { confirmed_total_minor: 108_875 }) as never;
    });
    expect(done.body.data).toMatchObject({ status: 'issued', total_minor: 108_875, tax_minor: 8_875 });
    // The box of the return is account 2310 with the base on its tax lines.
    expect(moved).toMatchObject({ 1100: 108_875, 2310: -8_875 });
    const [box] = await app.database.db.query(sql`select sum(base_minor)::bigint as base, sum(tax_minor)::bigint as tax
      from invoice_tax_lines where invoice_id = ${data.id} and jurisdiction = 'US-NY'`);
    expect(box).toEqual({ base: 100_000, tax: 4_000 });
  });

  test('an empty date of issue stays empty until issue; a due date that was not typed follows the terms', async () => {
    const staff = await app.signedIn('staff_admin');
    const customer = await makeCustomer(app.database.db, 'US');
    await app.database.db.exec(sql`update customers set payment_terms_days = 30 where id = ${customer}`);
    const { data } = (await staff.post('/api/admin/staff/invoices', body(customer))).body;
    const day = '2026-11-16';
    const done = await issued(staff, data.id, data.version, { issued_on: day });
    expect(done.body.data, JSON.stringify(done.body)).toMatchObject({ issued_on: day, due_on: '2026-12-16' });
    await app.database.db.exec(sql`update customers set payment_terms_days = 0 where id = ${customer}`);
    const order = (await staff.post('/api/admin/staff/invoices', body(customer, { purchase_order_no: 'PO-7' })))
      .body.data;
    expect((await issued(staff, order.id, order.version, { issued_on: day })).body.data.due_on).toBe('2026-12-16');
    const plain = (await staff.post('/api/admin/staff/invoices', body(customer))).body.data;
    expect((await issued(staff, plain.id, plain.version, { issued_on: day })).body.data.due_on).toBe(day);
    const typed = (await staff.post('/api/admin/staff/invoices', body(customer, { due_on: '2026-12-31' }))).body.data;
    expect(typed).toMatchObject({ issued_on: null, due_on: '2026-12-31' });
    const later = await issued(staff, typed.id, typed.version, { issued_on: day });
    expect(later.body.data).toMatchObject({ due_on: '2026-12-31' });
    const dated = (await staff.post('/api/admin/staff/invoices', body(customer, { issued_on: day }))).body.data;
    const cleared = await staff.put(`/api/admin/staff/invoices/${dated.id}`, { issued_on: null,
      version: dated.version });
    expect(cleared.body.data).toMatchObject({ issued_on: null, due_on: null });
  });

  test('the total of an issued invoice is the total that the person confirmed', async () => {
    await fc.assert(fc.asyncProperty(
      fc.record({ nets: fc.array(fc.integer({ min: 1, max: 5_000_000 }), { minLength: 1, maxLength: 3 }),
        from: fc.constantFrom('exempt', '10001', '12203'), to: fc.constantFrom('exempt', '10001', '12203', '14850') }),
      async ({ nets, from, to }) => {
        const customer = await makeCustomer(app.database.db, 'US');
        const place = async (where: string) => {
          if (where === 'exempt') return certificate(customer, null);
          await endCertificate(customer, '2026-01-31');
          await app.database.db.exec(sql`update customers set billing_address = jsonb_set(billing_address,
            '{postal_code}', to_jsonb(${where}::text)) where id = ${customer}`);
        };
        await place(from);
        const id = await command(ports, (ctx) => createDraft(ctx, { customer_id: customer, license_id: null,
          division: 'US', currency: 'USD', purchase_order_no: null, notes: '',
          items: nets.map((net) => ({ ...rental(net), quantity: 1, royalty_bearing: false })) }));
        const { total, version } = await app.database.db.one<{ total: number; version: number }>(sql`
          select total_minor as total, version from invoices where id = ${id}`);
        if (from === 'exempt' && to !== 'exempt') await place(to);
        else if (to !== 'exempt') await place(to);
        let confirmed = total;
        const issue = (more: object) => command(ports, (ctx) => issueDraft(ctx, id, { version, issued_on: DAY,
          dated_ahead_confirmed: false, ...more }));
        try {
          await issue({});
        } catch (error) {
          confirmed = (error as { facts: { new_total_minor: number } }).facts.new_total_minor;
          expect(confirmed).not.toBe(total);
          await issue({ confirmed_total_minor: confirmed });
        }
        expect((await invoiceRow(id))['total_minor']).toBe(confirmed);
      }), { numRuns: 12 });
  });
});

async function proFormaOf(license: TestLicense): Promise<number> {
  await app.database.db.exec(sql`
    insert into license_charges (license_id, license_venue_id, kind, description, unit_minor, net_minor, item_class,
      royalty_bearing, tax_minor, total_minor)
    values (${license.id}, ${license.venue_id}, 'rental', 'Hire', 100000, 100000, 'rental', false, 0, 100000)`);
  const { id } = await app.database.db.one<{ id: number }>(sql`
    insert into license_instalments (license_id, sort, label, due_event, line_kinds, share_ppm, net_minor, amount_minor)
    values (${license.id}, 0, 'All', 'execution', '{}', 1000000, 100000, 100000) returning id`);
  const made = await command(ports, (ctx) => issueProForma(ctx, { license_id: license.id, instalment_id: id }));
  return made.invoice_id!;
}

const paying = (license: TestLicense, invoice_id: number, amount_minor: number) => command(ports, (ctx) =>
  recordReceipt(ctx, { customer_id: license.customer_id, division: 'US', currency: 'USD', amount_minor, method: 'wire',
    received_on: DAY, apply_to: [{ invoice_id, amount_minor }] }));

describe('a pro forma', () => {
  async function exempt(): Promise<{ license: TestLicense; id: number }> {
    const customer = await makeCustomer(app.database.db, 'US');
    await certificate(customer, null);
    const license = await makeLicense(app.database.db, 'US', 2, customer);
    return { license, id: await proFormaOf(license) };
  }

  test('opened to be paid after its certificate ended is a new version that says so', async () => {
    const { license, id } = await exempt();
    await endCertificate(license.customer_id, '2026-02-28');
    expect(await command(ports, (ctx) => refreshTax(ctx, id))).toBe(true);
    expect(await invoiceRow(id)).toMatchObject({ total_minor: 108_875, revision: 2, status: 'proforma' });
    const staff = await app.signedIn('staff_admin');
    const { data } = (await staff.get(`/api/admin/staff/invoices/${id}`)).body;
    expect(data.revision_note).toMatch(/88.75 instead of 0.00. Sales tax of NY \(before: Exemption certificate EX-1\)/);
    expect(data.earlier_versions).toMatchObject([{ revision: 1, total_minor: 100_000 }]);
    expect(await command(ports, (ctx) => refreshTax(ctx, id))).toBe(false);
    const moved = await movement(app.database.db, () => paying(license, id, 108_875));
    expect(moved).toEqual({ 1000: 108_875, 2100: -100_000, 2310: -8_875 });
  });

  test('money for an older version: tax of the tax point, a shortfall of tax alone stays open as a task', async () => {
    const { license, id } = await exempt();
    await endCertificate(license.customer_id, '2026-02-28');
    let made = { payment_id: 0, invoice_ids: [0] };
    const moved = await movement(app.database.db, async () => { made = await paying(license, id, 100_000); });
    expect(moved).toEqual({ 1000: 100_000, 1100: 8_875, 2100: -100_000, 2310: -8_875 });
    const invoiceId = made.invoice_ids[0]!;
    expect(await invoiceRow(invoiceId)).toMatchObject({ total_minor: 108_875, paid_minor: 100_000,
      balance_minor: 8_875, tax_shortfall_minor: 8_875, status: 'part_paid' });
    // The net is paid in full, so authors get their whole share; the licence has its instalment.
    const [line] = await app.database.db.query(sql`select net_minor, tax_minor from payment_allocations
      where invoice_id = ${invoiceId}`);
    expect(line).toEqual({ net_minor: 100_000, tax_minor: 0 });
    const [plan] = await app.database.db.query(sql`select status from license_instalments
      where license_id = ${license.id}`);
    expect(plan).toEqual({ status: 'paid' });
    const tasks = () => app.database.db.query(sql`select kind, status from tasks where entity = 'invoice'
      and entity_id = ${invoiceId}`);
    expect(await tasks()).toEqual([{ kind: 'tax_shortfall', status: 'open' }]);
    await paying(license, invoiceId, 8_875);
    expect(await tasks()).toEqual([{ kind: 'tax_shortfall', status: 'done' }]);
    expect(await invoiceRow(invoiceId)).toMatchObject({ status: 'paid', balance_minor: 0 });
  });

  test('too much for an older version stays on account', async () => {
    const customer = await makeCustomer(app.database.db, 'US');
    const license = await makeLicense(app.database.db, 'US', 2, customer);
    const id = await proFormaOf(license);
    expect(await invoiceRow(id)).toMatchObject({ total_minor: 108_875 });
    await certificate(customer, null);
    const { payment_id, invoice_ids } = await paying(license, id, 108_875);
    expect(await invoiceRow(invoice_ids[0]!)).toMatchObject({ total_minor: 100_000, balance_minor: 0, status: 'paid' });
    const [payment] = await app.database.db.query(sql`select applied_minor, unapplied_minor from payments
      where id = ${payment_id}`);
    expect(payment).toEqual({ applied_minor: 100_000, unapplied_minor: 8_875 });
  });

  test('a sum that no version asked for is refused with the total of today', async () => {
    const { license, id } = await exempt();
    await endCertificate(license.customer_id, '2026-02-28');
    await expect(paying(license, id, 50_000)).rejects.toThrow(/paid whole: 1,088.75/);
  });

  test('money on account pays an older version too; goods keep where they go and what they carry', async () => {
    const customer = await makeCustomer(app.database.db, 'US');
    const ship_to = { country_code: 'US', thoroughfare: '1 Main St', locality: 'Ithaca', administrative_area: 'NY',
      postal_code: '14850' };
    const { invoice_id } = await command(ports, (ctx) => issueProFormaOf(ctx, { customer_id: customer, division: 'US',
      currency: 'USD', issued_on: DAY, ship_to: ship_to as never, lines: [{ ...rental(), kind: 'sale',
        item_class: 'printed_script' }, { kind: 'shipping', description: 'Shipping', item_class: 'shipping',
        net_minor: 1_000, carries: 'printed_script', tax_free: true }] }));
    expect(await invoiceRow(invoice_id)).toMatchObject({ tax_minor: 8_000 });
    expect(await command(ports, (ctx) => refreshTax(ctx, invoice_id))).toBe(false);
    await certificate(customer, null);
    await command(ports, (ctx) => refreshTax(ctx, invoice_id));
    expect(await invoiceRow(invoice_id)).toMatchObject({ tax_minor: 0, revision: 2 });
    await endCertificate(customer, '2026-02-28');
    const { payment_id } = await command(ports, (ctx) => recordReceipt(ctx, { customer_id: customer, division: 'US',
      currency: 'USD', amount_minor: 101_000, method: 'wire', received_on: DAY }));
    const applied = await command(ports, (ctx) => applyReceiptToInvoice(ctx, { payment_id, invoice_id,
      amount_minor: 101_000, on: DAY }));
    expect(await invoiceRow(applied.invoice_id)).toMatchObject({ tax_minor: 8_000, balance_minor: 8_000,
      tax_shortfall_minor: 8_000 });
  });

  test('a payment issues its invoice although no local rate is known: nobody is asked', async () => {
    const customer = await makeCustomer(app.database.db, 'US');
    const license = await makeLicense(app.database.db, 'US', 2, customer);
    await app.database.db.exec(sql`update customers set billing_address = jsonb_set(billing_address,
      '{postal_code}', '"13021"') where id = ${customer}`);
    const id = await proFormaOf(license);
    const { invoice_ids } = await paying(license, id, 104_000);
    expect(await invoiceRow(invoice_ids[0]!)).toMatchObject({ tax_minor: 4_000, balance_minor: 0 });
  });
});
