/** The money endpoints as browsers and programs call them. */
import { describe, expect, test } from 'vitest';
import { addDays } from '#kernel/calendar/calendar.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { cardPayments } from '#tests/support/card-payments.ts';
import { makeCustomer, makeLicense, type TestLicense } from '#tests/support/receivables.ts';

const app = testApp();
const cards = cardPayments(app);
const invoices = '/api/admin/staff/invoices';
const payments = '/api/admin/staff/accounting/payments';

const line = (net_minor: number, more = {}) => ({ kind: 'fee', description: 'Service', item_class: 'fee', net_minor,
  ...more });

async function draft(staff: Browser, license: TestLicense, items: object[]) {
  return staff.post(invoices, { customer_id: license.customer_id, license_id: license.id, division: license.division,
    currency: license.currency, items });
}

async function issued(staff: Browser, license: TestLicense, items: object[]) {
  const made = await draft(staff, license, items);
  expect(made.status).toBe(201);
  const answer = await staff.post(`${invoices}/${made.body.data.id}/issue`, { version: made.body.data.version });
  expect(answer.body).toMatchObject({ data: { status: 'issued' } });
  return answer.body.data;
}

describe('invoices through the API', () => {
  test('a draft is made, changed, issued; then only credited', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const made = await draft(staff, license, [line(10_000)]);
    expect(made.body.data).toMatchObject({ number: null, status: 'draft', total_minor: 10_000 });
    const more = await staff.post(`${invoices}/${made.body.data.id}/invoice_items`, line(5_000));
    expect(more.status).toBe(201);
    const linesOf = async (search: string): Promise<string[]> =>
      (await staff.get(`${invoices}/${made.body.data.id}/invoice_items?search=${search}`)).body.data
        .map((row: { description: string }) => row.description);
    expect(await linesOf('nothing+of+it')).toEqual([]);
    expect(await linesOf(encodeURIComponent(more.body.data.description.toUpperCase()))).toContain(
      more.body.data.description);
    const shown = (await staff.get(`${invoices}/${made.body.data.id}`)).body.data;
    expect(shown.total_minor).toBe(15_000);
    const stale = await staff.post(`${invoices}/${shown.id}/issue`, { version: shown.version - 1 });
    expect(stale.status).toBe(412);
    const issue = await staff.post(`${invoices}/${shown.id}/issue`, { version: shown.version });
    expect(issue.body.data.number).toMatch(/^INV-US-2026-\d{6}$/);
    const gone = await staff.remove(`${invoices}/${shown.id}`);
    expect([gone.status, gone.body.code]).toEqual([409, 'posted_document']);
    const change = await staff.put(`${invoices}/${shown.id}`, { version: issue.body.data.version, notes: 'x' });
    expect(change.body.code).toBe('posted_document');
    const credit = await staff.post(`${invoices}/${shown.id}/credit_notes`, { reason: 'Wrong customer' });
    expect(credit.body.data).toMatchObject({ kind: 'credit_note', total_minor: 15_000, balance_minor: 0 });
    expect(credit.body.data.number).toMatch(/^CN-US-2026-\d{6}$/);
    expect((await staff.get(`${invoices}/${shown.id}`)).body.data.status).toBe('credited');
  });

  test('the preview bills what the draft then bills, says why, and takes no number', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const body = { customer_id: license.customer_id, license_id: null, division: 'US', currency: 'USD',
      issued_on: '2026-11-20', items: [line(10_000), { ...line(20_000), kind: 'rental', item_class: 'rental' }] };
    const before = await staff.get(`${invoices}/next-invoice-number?division=US`);
    const preview = (await staff.post(`${invoices}/preview`, body)).body.data;
    expect(preview).toMatchObject({ net_minor: 30_000, tax_minor: 1_775, total_minor: 31_775, prepaid_minor: 0,
      issued_on: '2026-11-20', due_on: '2026-11-20', next_number: before.body.data.number,
      lines: [{ tax_minor: 0, reason: 'Not taxable in NY', release_rule: 'at_once', account_code: '4400' },
        { tax_minor: 1_775, rate_ppm: 88_750, reason: 'Sales tax of NY' }] });
    expect((await staff.get(`${invoices}?customer_id=${license.customer_id}`)).body.data).toEqual([]);
    const wrong = await staff.post(`${invoices}/preview`, { ...body, items: [line(-5)] });
    expect(wrong.body.errors['items.0.net_minor'][0]).toBe('The amount cannot be negative');
    const other = await makeLicense(app.database.db, 'US');
    const foreign = await staff.post(`${invoices}/preview`, { ...body, license_id: other.id });
    expect(foreign.body.errors.license_id[0]).toMatch(/another customer/);
    // A second press of one form makes one draft; a second press of issue takes one number.
    const idempotencyKey = 'invoice-form-1';
    const [first, second] = [await staff.post(invoices, body, { idempotencyKey }),
      await staff.post(invoices, body, { idempotencyKey })];
    expect([first.body.data.id, first.body.data.tax_minor]).toEqual([second.body.data.id, 1_775]);
    const issue = () => staff.post(`${invoices}/${first.body.data.id}/issue`, { version: first.body.data.version });
    const answers = await Promise.all([issue(), issue()]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    expect((await staff.get(`${invoices}?customer_id=${license.customer_id}`)).body.data).toMatchObject([
      { number: preview.next_number, status: 'issued' }]);
  });

  test('a draft goes to the trash, comes back, and is deleted for good', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const { id } = (await draft(staff, license, [line(10_000)])).body.data;
    expect((await staff.remove(`${invoices}/${id}/force`)).status).toBe(409);
    expect((await staff.remove(`${invoices}/${id}`)).status).toBe(204);
    const trash = await staff.get(`${invoices}/trash?customer_id=${license.customer_id}`);
    expect(trash.body.data.map((row: { id: number }) => row.id)).toEqual([id]);
    expect((await staff.put(`${invoices}/${id}/restore`)).body.data.status).toBe('draft');
    await staff.remove(`${invoices}/${id}`);
    expect((await staff.remove(`${invoices}/${id}/force`)).status).toBe(204);
    expect((await staff.get(`${invoices}/${id}`)).status).toBe(404);
  });

  test('bad amounts are refused at their field', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    for (const net_minor of [-1, 1_000_000_000_001, 10.5]) {
      const answer = await draft(staff, license, [line(net_minor)]);
      expect([net_minor, answer.status, Object.keys(answer.body.errors)]).toEqual([net_minor, 422,
        ['items.0.net_minor']]);
    }
    const invoice = await issued(staff, license, [line(10_000)]);
    for (const amount of ['12.345', '-5', '0', '10000000000.01', 'ten', 1.005]) {
      const answer = await staff.post(`${invoices}/${invoice.id}/payments`, { amount });
      expect([amount, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([amount, 422, ['amount']]);
    }
    expect((await staff.get(`${invoices}/${invoice.id}`)).body.data.balance_minor).toBe(10_000);
  });

  test('A325: a receipt in SPEC\'s words; double click and repeat post once', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const invoice = await issued(staff, license, [line(10_000)]);
    const body = { amount: '60.00', method: 'check', reference: '1001' };
    const [one, two] = await Promise.all([1, 2].map(() =>
      staff.post(`${invoices}/${invoice.id}/payments`, body, { idempotencyKey: 'double-click' })));
    const later = await staff.post(`${invoices}/${invoice.id}/payments`, body, { idempotencyKey: 'double-click' });
    expect([one!.status, two!.status, later.status].every((status) => status === 201)).toBe(true);
    expect(later.headers['idempotent-replayed']).toBe('true');
    expect((await staff.get(`${invoices}/${invoice.id}`)).body.data).toMatchObject({ paid_minor: 6_000,
      balance_minor: 4_000, status: 'part_paid' });
    const missing = await staff.post(`${invoices}/${invoice.id}/payments`, body, { idempotencyKey: null });
    expect(missing.status).toBe(422);
    const long = await staff.post(`${invoices}/${invoice.id}/payments`, body, { idempotencyKey: 'k'.repeat(256) });
    expect([long.status, long.body.message]).toEqual([400, 'The Idempotency-Key has more than 255 characters.']);
  });

  test('sixteen clients at once never apply more than is open', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const invoice = await issued(staff, license, [line(100_000)]);
    const answers = await Promise.all(Array.from({ length: 16 }, () =>
      staff.post(`${invoices}/${invoice.id}/payments`, { amount_minor: 30_000, duplicate_confirmed: true })));
    const done = answers.filter((answer) => answer.status === 201);
    expect(done).toHaveLength(3);
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(13);
    expect((await staff.get(`${invoices}/${invoice.id}`)).body.data).toMatchObject({ paid_minor: 90_000,
      balance_minor: 10_000 });
  });

  test('un-applying leaves the receipt on account, from where it pays again', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const invoice = await issued(staff, license, [line(10_000)]);
    const paid = await staff.post(`${invoices}/${invoice.id}/payments`, { amount_minor: 10_000 });
    const { payment_id } = paid.body.data.payments[0];
    expect((await staff.remove(`${invoices}/${invoice.id}/payments/${payment_id}`)).status).toBe(204);
    expect((await staff.get(`${payments}/${payment_id}`)).body.data).toMatchObject({ unapplied_minor: 10_000,
      applications: [], open_documents: [{ kind: 'invoice', id: invoice.id, balance_minor: 10_000 }] });
    const again = await staff.post(`${invoices}/${invoice.id}/payments`, { amount_minor: 4_000, payment_id });
    expect(again.body.data.balance_minor).toBe(6_000);
    const changed = await staff.put(`${invoices}/${invoice.id}/payments/${payment_id}`, { amount: '70.00' });
    expect(changed.body.data.balance_minor).toBe(3_000);
  });

  test('lists filter, total and find', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'UK');
    const first = await issued(staff, license, [line(10_000)]);
    await draft(staff, license, [line(20_000)]);
    const open = await staff.get(`${invoices}?customer_id=${license.customer_id}&open=true`);
    expect(open.body.data.map((row: { id: number }) => row.id)).toEqual([first.id]);
    const found = await staff.get(`${invoices}?search=${encodeURIComponent(first.number.toLowerCase())}`);
    expect(found.body.meta.total).toBe(1);
    const totals = await staff.get(`${invoices}/totals?customer_id=${license.customer_id}`);
    expect(totals.body.data).toEqual([{ currency: 'GBP', documents: 2, total_minor: 12_000, balance_minor: 12_000,
      overdue_minor: 0, requested_minor: 0 }]);
  });

  test('what is due is late only once its day is over in its division', async () => {
    let staff = await app.signedIn('staff_admin');
    const [home, abroad] = [await makeLicense(app.database.db, 'US'), await makeLicense(app.database.db, 'UK')];
    const { due_on: due } = await issued(staff, home, [line(10_000)]);
    expect((await issued(staff, abroad, [line(10_000)])).due_on).toBe(due);
    const late = async (license: TestLicense, more = '') => {
      const { data } = (await staff.get(`${invoices}?customer_id=${license.customer_id}${more}`)).body;
      const totals = (await staff.get(`${invoices}/totals?customer_id=${license.customer_id}${more}`)).body.data;
      return [data.filter((row: { overdue: boolean }) => row.overdue).length, totals[0].overdue_minor > 0];
    };
    // Nine in the evening of the day in New York, two in the morning of the next in London.
    app.clock.set(`${addDays(due, 1)}T02:00:00Z`);
    try {
      staff = await app.signedIn('staff_admin');
      expect([await late(home), await late(home, '&division=US')]).toEqual([[0, false], [0, false]]);
      expect([await late(abroad), await late(abroad, '&division=UK')]).toEqual([[1, true], [1, true]]);
      const of = (license: TestLicense, due_within: string) =>
        staff.get(`${invoices}?customer_id=${license.customer_id}&division=${license.division}&due=${due_within}`)
          .then((answer) => answer.body.meta.total);
      expect([await of(home, 'overdue'), await of(home, 'days_1_30')]).toEqual([0, 0]);
      expect([await of(abroad, 'overdue'), await of(abroad, 'days_1_30'), await of(abroad, 'days_31_60')])
        .toEqual([1, 1, 0]);
    } finally {
      app.clock.set('2026-11-20T15:00:00Z');
    }
  });

  test('[I12] the document is stored once and stays as it is; it goes out by mail', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'UK');
    const invoice = await issued(staff, license, [line(10_000)]);
    const [one, two] = await Promise.all([1, 2].map(() => staff.get(`${invoices}/${invoice.id}/document`)));
    expect(one!.headers['content-type']).toBe('application/pdf');
    expect(one!.raw.subarray(0, 5).toString()).toBe('%PDF-');
    expect(one!.raw.equals(two!.raw)).toBe(true);
    app.clock.set('2026-11-20T16:00:00Z');
    const later = await staff.get(`${invoices}/${invoice.id}/document`);
    app.clock.set('2026-11-20T15:00:00Z');
    expect(later.raw.equals(one!.raw)).toBe(true);
    const sent = await staff.post(`${invoices}/${invoice.id}/send`, { recipients: ['box@office.example'] });
    expect(sent.status).toBe(202);
    const mail = await app.database.db.one<{ subject: string; attachments: unknown[] }>(sql`
      select subject, attachments from mail_outbox where entity = 'invoice' and entity_id = ${invoice.id}`);
    expect(mail.subject).toBe(`Invoice ${invoice.number}`);
    expect(mail.attachments).toHaveLength(1);
  });
});

describe('tax', () => {
  const quote = () => [
    { kind: 'royalty', description: 'Licence fee', item_class: 'performing_licence', net_minor: 591_000 },
    { kind: 'rental', description: 'Rental', item_class: 'rental', net_minor: 59_500 },
    { kind: 'extra_week', description: 'Extra weeks', item_class: 'rental', net_minor: 22_500, quantity: 3 },
    { kind: 'add_on', description: 'Logo', item_class: 'logo', net_minor: 7_500 },
    { kind: 'digital', description: 'Tracks', item_class: 'tracks', net_minor: 40_000 },
    { kind: 'shipping', description: 'Delivery', item_class: 'shipping', net_minor: 6_500 },
  ];

  test('E14b: delivery is taxed in New York, 120.71; E14c: a certificate takes all; E14: not taxed, 114.94', async () =>
    {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const shipped = await draft(staff, license, quote());
    expect(shipped.body.data).toMatchObject({ tax_minor: 12_071, total_minor: 739_071 });
    const school = await makeCustomer(app.database.db, 'US');
    const certificate = await staff.call('POST', `/api/admin/staff/customers/${school}/exemption_certificates`, {
      multipart: { fields: { jurisdiction: 'US-NY', number: 'EX-77', expires_on: '2027-12-31' } } });
    expect(certificate.status).toBe(201);
    const exempt = await draft(staff, await makeLicense(app.database.db, 'US', 2, school), quote());
    expect(exempt.body.data).toMatchObject({ tax_minor: 0, total_minor: 727_000 });
    const rate = await staff.post('/api/admin/staff/accounting/tax_codes', { division: 'US', jurisdiction: 'US-NY',
      code: 'SALES', rate_ppm: 40_000, taxes_shipping: false, valid_from: '2026-11-20' });
    expect(rate.body.data).toMatchObject({ taxes_shipping: false });
    const plain = await draft(staff, license, quote());
    expect(plain.body.data).toMatchObject({ tax_minor: 11_494, total_minor: 738_494 });
  });

  test('a new rate ends the one before it; the past is not rewritten', async () => {
    const staff = await app.signedIn('staff_admin');
    const path = '/api/admin/staff/accounting/tax_codes';
    const body = { division: 'UK', jurisdiction: 'GB', code: 'STANDARD', rate_ppm: 210_000, valid_from: '2027-04-01' };
    expect((await staff.post(path, body)).status).toBe(201);
    const rows = (await staff.get(`${path}?division=UK&jurisdiction=GB&sort_by=valid_from`)).body.data
      .filter((row: { code: string }) => row.code === 'STANDARD');
    expect(rows.map((row: { rate_ppm: number; valid_to: string | null }) => [row.rate_ppm, row.valid_to]))
      .toEqual([[200_000, '2027-03-31'], [210_000, null]]);
    const between = await staff.post(path, { ...body, valid_from: '2026-01-01' });
    expect(between.body.errors.valid_from).toBeDefined();
  });
});

describe('the portal', () => {
  async function proForma(license: TestLicense, staff: Browser) {
    const { id } = (await draft(staff, license, [line(10_000)])).body.data;
    await app.database.db.exec(sql`update invoices set kind = 'proforma', status = 'proforma', tax_point_on = null,
      reference = next_number('proforma', division, issued_on) where id = ${id}`);
    return id as number;
  }

  test('a pro forma is paid whole, by a signer, and becomes the tax invoice in the same breath', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const signer = await app.signedIn('customer', { customers: [{ id: license.customer_id, role: 'signer' }] });
    const member = await app.signedIn('customer', { customers: [{ id: license.customer_id, role: 'member' }] });
    const id = await proForma(license, staff);
    const path = `/api/customers/${license.customer_id}/invoices/${id}`;
    const shown = (await signer.get(path)).body.data;
    expect(shown.payment_methods.map((offered: { test: boolean }) => offered.test)).toEqual([true, true]);
    expect(shown.transfer).toBeNull();
    await app.database.db.exec(sql`update divisions set payee = 'House', payee_account = '000123456789',
      payee_routing = '110000000' where code = 'US'`);
    expect((await member.get(path)).body.data.transfer).toMatchObject({ payee: 'House', routing_number: '110000000',
      account_number: '000123456789', iban: null, reference: shown.number });
    expect((await member.get(`${path}/document`)).status).toBe(200);
    expect((await member.post(`${path}/pay`, { method: 'card', amount_minor: 10_000 })).status).toBe(403);
    const part = await signer.post(`${path}/pay`, { method: 'card', amount_minor: 5_000 });
    expect(part.body.errors.amount_minor[0]).toMatch(/paid whole/);
    const order = await signer.post(`${path}/pay`, { method: 'purchase_order', amount_minor: 10_000 });
    expect(order.body.errors.method).toBeDefined();
    const transfer = await signer.post(`${path}/pay`, { method: 'bank_transfer', amount_minor: 10_000 });
    expect(transfer.body.data).toMatchObject({ outcome: 'instructions', payment_id: null });
    await cards.pay(signer, path, 10_000);
    const { id: invoiceId } = await app.database.db.one<{ id: number }>(sql`
      select id from invoices where proforma_id = ${id}`);
    const invoice = (await signer.get(`/api/customers/${license.customer_id}/invoices/${invoiceId}`)).body.data;
    expect(invoice).toMatchObject({ status: 'paid', balance_minor: 0, payable: false });
    expect((await signer.get(path)).body.data.status).toBe('paid');
    expect((await signer.post(`${path}/pay`, { method: 'card', amount_minor: 10_000 })).status).toBe(409);
  });

  test('a purchase order is offered where the customer may order on account, and needs its number', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const signer = await app.signedIn('customer', { customers: [{ id: license.customer_id, role: 'signer' }] });
    const id = await proForma(license, staff);
    const path = `/api/customers/${license.customer_id}/invoices/${id}`;
    const methods = async () => (await signer.get(path)).body.data.payment_methods
      .map((offered: { method: string }) => offered.method);
    expect(await methods()).not.toContain('purchase_order');
    await app.database.db.exec(sql`
      update customers set purchase_orders_accepted = true where id = ${license.customer_id}`);
    expect(await methods()).toContain('purchase_order');
    const order = (purchase_order_no?: string) => signer.post(`${path}/pay`, { method: 'purchase_order',
      amount_minor: 10_000, ...(purchase_order_no === undefined ? {} : { purchase_order_no }) });
    for (const none of [undefined, '', '   ']) {
      const refused = await order(none);
      expect([refused.status, Object.keys(refused.body.errors)], none).toEqual([422, ['purchase_order_no']]);
    }
    expect((await signer.get(path)).body.data.purchase_order_no).toBeNull();
    const given = await order(' PO-4711 ');
    expect(given.body.data, JSON.stringify(given.body)).toMatchObject({ outcome: 'purchase_order_recorded',
      reference: 'PO-4711', payment_id: null });
    expect((await signer.get(path)).body.data).toMatchObject({ purchase_order_no: 'PO-4711', status: 'proforma',
      balance_minor: 10_000 });
    expect(await app.database.db.query(sql`select purchase_order_no from licenses where id = ${license.id}`))
      .toEqual([{ purchase_order_no: 'PO-4711' }]);
  });

  test('another customer\'s invoice and a draft do not exist for them', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const other = await makeCustomer(app.database.db, 'US');
    const stranger = await app.signedIn('customer', { customers: [{ id: other, role: 'admin' }] });
    const id = await proForma(license, staff);
    expect((await stranger.get(`/api/customers/${other}/invoices/${id}`)).status).toBe(404);
    expect((await stranger.get(`/api/customers/${license.customer_id}/invoices/${id}`)).status).toBe(404);
    const own = await app.signedIn('customer', { customers: [{ id: license.customer_id, role: 'admin' }] });
    const hidden = (await draft(staff, license, [line(1)])).body.data.id;
    expect((await own.get(`/api/customers/${license.customer_id}/invoices/${hidden}`)).status).toBe(404);
    const list = await own.get(`/api/customers/${license.customer_id}/invoices`);
    expect(list.body.data.map((row: { id: number }) => row.id)).toEqual([id]);
  });
});

describe('ages and accounts', () => {
  test('ages tie to the control account, on a past day too; the statement ends at the same balance', async () => {
    const staff = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'PROD');
    const made = await staff.post(invoices, { customer_id: license.customer_id, license_id: license.id,
      division: 'PROD',
      currency: 'USD', issued_on: '2026-08-01', due_on: '2026-08-15', items: [line(100_000)] });
    const invoice = (await staff.post(`${invoices}/${made.body.data.id}/issue`, { version: 1 })).body.data;
    await staff.post(`${invoices}/${invoice.id}/payments`, { amount_minor: 40_000, received_on: '2026-10-01' });
    await staff.post(payments, { customer_id: license.customer_id, division: 'PROD', currency: 'USD',
      amount_minor: 5_000, method: 'wire', received_on: '2026-10-05' });
    const aging = '/api/admin/staff/accounting/accounts_receivable/aging?division=PROD';
    const now = (await staff.get(aging)).body.data;
    expect(now.rows).toEqual([expect.objectContaining({ days_91_minor: 60_000, unapplied_minor: -5_000,
      total_minor: 55_000 })]);
    expect(now.checks).toEqual([expect.objectContaining({ ok: true, expected_minor: 55_000 })]);
    const before = (await staff.get(`${aging}&as_of=2026-09-01`)).body.data;
    expect(before.rows).toEqual([expect.objectContaining({ days_1_30_minor: 100_000, total_minor: 100_000 })]);
    expect(before.checks[0].ok).toBe(true);
    const statement = (await staff.get(
      `/api/admin/staff/customers/${license.customer_id}/statement?from=2026-09-01&to=2026-11-20`)).body.data;
    expect(statement.accounts).toEqual([expect.objectContaining({ opening_minor: 100_000, closing_minor: 55_000 })]);
    const pdf = await staff.get(`/api/admin/staff/customers/${license.customer_id}/statement/document`);
    expect(pdf.raw.subarray(0, 5).toString()).toBe('%PDF-');
    const finance = (await staff.get(`/api/admin/staff/customers/${license.customer_id}/finance`)).body.data;
    expect(finance.accounts).toEqual([expect.objectContaining({ open_minor: 60_000, overdue_minor: 60_000,
      on_account_minor: 5_000, invoiced_minor: 100_000, paid_minor: 45_000 })]);
  });

  test('a refund needs a second person before it leaves the bank', async () => {
    const one = await app.signedIn('staff_admin');
    const two = await app.signedIn('staff_admin');
    const license = await makeLicense(app.database.db, 'US');
    const receipt = await one.post(payments, { customer_id: license.customer_id, division: 'US', currency: 'USD',
      amount_minor: 9_000, method: 'wire', received_on: '2026-11-20' });
    const refund = await one.post(`${payments}/${receipt.body.data.id}/refund`, { amount_minor: 9_000,
      reason: 'Twice' });
    const path = `${payments}/${refund.body.data.id}/status`;
    expect((await one.put(path, { status: 'approved', version: 1 })).body.code).toBe('four_eyes');
    expect((await two.put(path, { status: 'posted', version: 1 })).status).toBe(409);
    const approved = await two.put(path, { status: 'approved', version: 1 });
    const posted = await one.put(path, { status: 'posted', version: approved.body.data.version });
    expect(posted.body.data).toMatchObject({ status: 'posted', direction: 'out' });
    const left = await app.database.db.query(sql`select 1 from open_items where party_type = 'customer'
      and party_id = ${license.customer_id} and open_minor <> 0`);
    expect(left).toEqual([]);
  });
});
