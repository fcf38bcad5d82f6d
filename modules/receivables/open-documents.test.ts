/** Open amounts of documents against those in the ledger: equal throughout their life, differences detected. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Ports } from '#server/context.ts';
import { sql, Sql } from '#server/sql.ts';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, makeLicense, testPorts, type TestLicense } from '#tests/support/receivables.ts';
import {
  creditInvoice, disposeDeposit, issueInvoice, recordReceipt, refundReceipt, requestDeposit, returnReceipt,
} from './receivables.public.server.ts';

const at = testDatabase();
let ports: Ports, license: TestLicense;
let invoice = 0, receipt = 0, refund = 0, security = 0, prepaid = 0, note = 0;

const issue = (net_minor: number, of = license) => command(ports, (ctx) => issueInvoice(ctx, { license_id: of.id,
  customer_id: of.customer_id, division: of.division, currency: of.currency, issued_on: DAY,
  due_on: DAY, lines: [{ kind: 'royalty', description: 'Fee', item_class: 'performing_licence', net_minor }] }));
const receive = (amount_minor: number, more = {}) => command(ports, (ctx) => recordReceipt(ctx, {
  customer_id: license.customer_id, division: license.division, currency: license.currency, amount_minor,
  method: 'wire', received_on: DAY, ...more }));

async function deposit(kind: 'security' | 'on_account', amount_minor: number): Promise<number> {
  const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id, kind,
    amount_minor, due_on: DAY }));
  await receive(amount_minor, { deposit_id });
  return deposit_id;
}

async function broken(): Promise<string[]> {
  return (await ledgerIntegrity(at.owner)).filter((one) => !one.ok).map((one) => one.key);
}

beforeAll(async () => {
  ports = testPorts(at.db);
  license = await makeLicense(at.db, 'UK');
  invoice = (await issue(100_000)).invoice_id;
  receipt = (await receive(90_000, { apply_to: [{ invoice_id: invoice, amount_minor: 50_000 }] })).payment_id;
  refund = (await command(ports, (ctx) => refundReceipt(ctx, { payment_id: receipt, amount_minor: 10_000, on: DAY,
    reason: 'Too much' }))).payment_id;
  const credited = (await issue(40_000)).invoice_id;
  note = (await command(ports, (ctx) => creditInvoice(ctx, { invoice_id: credited, reason: 'Wrong', on: DAY })))
    .credit_note_id;
  const bounced = await receive(5_000);
  await command(ports, (ctx) => returnReceipt(ctx, { payment_id: bounced.payment_id, on: DAY, reason: 'No funds' }));
  prepaid = await deposit('on_account', 60_001);
  security = await deposit('security', 30_000);
  await command(ports, (ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id: security, on: DAY,
    dispositions: [{ type: 'apply', amount_minor: 7_000, invoice_id: invoice }] }));
  await command(ports, (ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id: prepaid, on: DAY,
    dispositions: [{ type: 'apply', amount_minor: 9_999, invoice_id: invoice }] }));
});

/** Changes something as the owner of the tables, past every guard, and takes it back afterwards. */
async function breaking(change: Sql, table: string): Promise<string[]> {
  let found: string[] = [];
  await at.owner.tx(async (tx) => {
    await tx.exec(new Sql([`alter table ${table} disable trigger user`], []));
    await tx.exec(change);
    found = (await ledgerIntegrity(tx)).filter((one) => !one.ok).map((one) => one.key);
    throw new Error('undo');
  }).catch((error: Error) => { if (error.message !== 'undo') throw new Error(`${table}: ${error.message}`); });
  return found;
}

describe('documents against their open items', () => {
  test('agree through invoicing, receipts, refunds, credits, returns and deposits', async () => {
    expect(await broken()).toEqual([]);
  });

  test.each<[string, () => Sql, string]>([
    ['invoice_open', () => sql`update invoices set paid_minor = paid_minor - 1 where id = ${invoice}`, 'invoices'],
    ['credit_note_open', () => sql`update invoices set credited_minor = credited_minor - 1 where id = ${note}`,
      'invoices'],
    ['receipt_open', () => sql`update payments set applied_minor = applied_minor - 1 where id = ${receipt}`,
      'payments'],
    ['deposit_open', () => sql`update deposits set applied_minor = applied_minor - 1 where id = ${security}`,
      'deposits'],
    ['prepayment_open', () => sql`update deposits set applied_minor = applied_minor - 1200 where id = ${prepaid}`,
      'deposits'],
    ['refund_open', () => sql`update payments set status = 'void' where id = ${refund}`, 'payments'],
    ['document_postings', () => sql`update payments set status = 'returned' where id = ${receipt}`, 'payments'],
  ])('%s sees a document that was changed by itself', async (key, change, table) => {
    expect(await breaking(change(), table)).toContain(key);
    expect(await broken()).toEqual([]);
  });

  test('a posting taken back past its document is seen on the document and by its open amount', async () => {
    const other = (await issue(20_000, await makeLicense(at.db, 'US'))).invoice_id;
    const { transaction_id } = await at.db.one<{ transaction_id: number }>(sql`
      select transaction_id from invoices where id = ${other}`);
    await at.db.query(sql`select ledger_reverse(${transaction_id}::bigint, ${DAY}::date, 'x', null, 'invoice',
      ${other}::bigint)`);
    expect((await broken()).toSorted()).toEqual(['document_postings', 'invoice_open']);
  });
});
