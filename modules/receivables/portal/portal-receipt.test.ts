/** A payment in the portal: amount, day, way, the documents it settled, what is left of it, and the receipt. */
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { pdfText } from '#tests/support/pdf-text.ts';
import { command, DAY, makeLicense } from '#tests/support/receivables.ts';
import { issueInvoice } from '../invoices/issue-invoice.server.ts';
import { recordReceipt } from '../payments/record-receipt.server.ts';
import { refundReceipt } from '../payments/refund.server.ts';
import { returnReceipt } from '../payments/return-receipt.server.ts';

const app = testApp();
type License = Awaited<ReturnType<typeof makeLicense>>;
let license: License;
let payer: Browser;

const readerOf = (customer: number) => app.signedIn('customer', { customers: [{ id: customer, role: 'member' }] });
const receive = (of: License, amount_minor: number, more: object = {}) => command(app.ports, (ctx) =>
  recordReceipt(ctx, { customer_id: of.customer_id, division: of.division, currency: of.currency, amount_minor,
    method: 'check', reference: '1042', received_on: DAY, ...more }));
const at = (id: number, customer = license.customer_id) => `/api/customers/${customer}/receipts/${id}`;

beforeAll(async () => {
  license = await makeLicense(app.database.db, 'US');
  payer = await readerOf(license.customer_id);
});

describe('a payment of a customer', () => {
  test('says what it settled and what is left on account, with its receipt', async () => {
    const { invoice_id } = await command(app.ports, (ctx) => issueInvoice(ctx, { license_id: license.id,
      customer_id: license.customer_id, division: 'US', currency: 'USD', issued_on: DAY,
      lines: [{ kind: 'royalty', description: 'Royalty', item_class: 'performing_licence', net_minor: 30_000 }] }));
    const { payment_id } = await receive(license, 50_000, { apply_to: [{ invoice_id, amount_minor: 30_000 }] });
    const { status, body } = await payer.get(at(payment_id));
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({ amount_minor: 50_000, currency: 'USD', paid_on: DAY, method: 'check',
      reference: '1042', returned_on: null, deposit: null, left_minor: 20_000, given_back_minor: 0,
      settled: [{ invoice_id, settled_minor: 30_000 }] });
    const { body: moves } = await payer.get(`/api/customers/${license.customer_id}/transactions?kind=receipt`);
    expect(moves.data).toMatchObject([{ document_id: payment_id, number: body.data.number }]);
    const paper = await payer.get(`${at(payment_id)}/document`);
    expect(await pdfText(paper.raw)).toMatch(new RegExp(`${body.data.number}.*USD 500\\.00.*On account USD 200\\.00`));
    await command(app.ports, (ctx) => refundReceipt(ctx, { payment_id, amount_minor: 15_000, on: DAY,
      reason: 'Paid twice', bank_account_id: null }));
    expect((await payer.get(at(payment_id))).body.data).toMatchObject({ left_minor: 5_000, given_back_minor: 15_000 });
  });

  test('pays nothing once the bank took it back', async () => {
    const { payment_id } = await receive(license, 7_000);
    await command(app.ports, (ctx) => returnReceipt(ctx, { payment_id, on: DAY, reason: 'No funds' }));
    expect((await payer.get(at(payment_id))).body.data).toMatchObject({ returned_on: DAY, settled: [], left_minor: 0,
      given_back_minor: 0 });
  });

  test('is theirs alone, at their own address and at that of the other', async () => {
    const { payment_id } = await receive(license, 9_000);
    const other = await makeLicense(app.database.db, 'US');
    const stranger = await readerOf(other.customer_id);
    for (const end of ['', '/document']) {
      expect((await stranger.get(`${at(payment_id)}${end}`)).status).toBe(404);
      expect((await stranger.get(`${at(payment_id, other.customer_id)}${end}`)).status).toBe(404);
      expect((await payer.get(`${at(payment_id)}${end}`)).status).toBe(200);
    }
  });
});
