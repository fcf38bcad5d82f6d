/** Nothing asks for money that nobody can pay: every door of issuing, the ways by division and currency, the words. */
import { globSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, giveAccountInEurope, giveForeignAccount, makeLicense, testPorts, type TestLicense }
  from '#tests/support/receivables.ts';
import { canBePaid, waysToPay } from './documents/ways-to-pay.server.ts';
import { createDraft, issueDraft } from './invoices/edit-draft.server.ts';
import {
  creditInvoice, issueInstalment, issueInvoice, issueProForma, issueProFormaOf, issueReportInvoices, recordReceipt,
  requestDeposit, unpayable, type InvoiceLineInput,
} from './receivables.public.server.ts';

const database = testDatabase();
let ports: Ports;
beforeEach(() => { ports = testPorts(database.db); });

const FEE: InvoiceLineInput = { kind: 'fee', item_class: 'fee', description: 'Service', net_minor: 10_000 };
const of = ({ customer_id, division, currency }: TestLicense) => ({ customer_id, division, currency });

/** Nobody can pay the EU in euros, nor the US in dollars: neither account, nor address for checks, nor a processor. */
const closeWays = () => database.db.exec(sql`update divisions set payee = null, payee_bank = null, payee_iban = null,
  payee_bic = null, payee_account = null, payee_routing = null, address = '{}' where code in ('EU', 'US')`);
const openWays = async () => {
  await giveAccountInEurope(database.db);
  await database.db.exec(sql`update divisions set payee = 'House', payee_account = '000123456789',
    payee_routing = '110000000' where code = 'US'`);
};

async function instalment(license: TestLicense, deposit = false): Promise<number> {
  await database.db.exec(sql`
    insert into license_charges (license_id, license_venue_id, kind, description, unit_minor, net_minor, item_class,
      royalty_bearing, tax_minor, total_minor)
    values (${license.id}, ${license.venue_id}, 'fee', 'Fee', 10000, 10000, 'fee', false, 0, 10000)`);
  const { id } = await database.db.one<{ id: number }>(sql`
    insert into license_instalments (license_id, sort, label, due_event, line_kinds, share_ppm, is_deposit, net_minor,
      amount_minor) values (${license.id}, 0, 'Instalment', 'execution', '{}', ${deposit ? null : 1_000_000},
      ${deposit}, 10000, 10000) returning id`);
  return id;
}

async function reports(license: TestLicense, count: number) {
  const rows = await database.db.query<{ id: number }>(sql`
    insert into box_office_reports (license_id, division, scope, period_from, period_to, currency)
    select ${license.id}, ${license.division}, 'week', ${DAY}::date - 7 * n, ${DAY}::date - 7 * n, ${license.currency}
    from generate_series(1, ${count}::int) n returning id`);
  return rows.map(({ id }, k) => ({ ...of(license), license_id: license.id, box_office_report_id: id,
    license_venue_id: license.venue_id, description: `Week ${k + 1}`, net_minor: 20_000, issued_on: DAY }));
}

type Door = (license: TestLicense) => Promise<(ctx: WorkContext) => Promise<unknown>>;
const DOORS: Record<string, Door> = {
  'an invoice': async (license) => (ctx) => issueInvoice(ctx, { ...of(license), license_id: license.id, issued_on: DAY,
    lines: [FEE] }),
  'a draft by hand': async (license) => {
    const id = await command(ports, (ctx) => createDraft(ctx, { ...of(license), license_id: null, notes: '',
      purchase_order_no: null, items: [{ ...FEE, quantity: 1, royalty_bearing: false }] } as never));
    const { version, total } = await database.db.one<{ version: number; total: number }>(sql`
      select version, total_minor as total from invoices where id = ${id}`);
    return (ctx) => issueDraft(ctx, id, { version, issued_on: DAY, dated_ahead_confirmed: false,
      confirmed_total_minor: total });
  },
  'an installment': async (license) => {
    const instalment_id = await instalment(license);
    return (ctx) => issueInstalment(ctx, { license_id: license.id, instalment_id, on: DAY });
  },
  'the pro forma of an installment': async (license) => {
    const instalment_id = await instalment(license);
    return (ctx) => issueProForma(ctx, { license_id: license.id, instalment_id, on: DAY });
  },
  'the deposit of an installment': async (license) => {
    const instalment_id = await instalment(license, true);
    return (ctx) => issueProForma(ctx, { license_id: license.id, instalment_id, on: DAY });
  },
  'a pro forma of goods': async (license) => (ctx) => issueProFormaOf(ctx, { ...of(license), issued_on: DAY,
    lines: [FEE] }),
  'a deposit': async (license) => (ctx) => requestDeposit(ctx, { license_id: license.id, amount_minor: 5_000 }),
  'a box-office report': async (license) => {
    const inputs = await reports(license, 1);
    return (ctx) => issueReportInvoices(ctx, inputs);
  },
  'many box-office reports': async (license) => {
    const inputs = await reports(license, 3);
    return (ctx) => issueReportInvoices(ctx, inputs);
  },
};

const asked = () => database.db.one<{ documents: number; deposits: number; postings: number }>(sql`
  select (select count(*) from invoices where invoice_number is not null or reference is not null) as documents,
    (select count(*) from deposits) as deposits, (select count(*) from transactions) as postings`);

describe.each([['US', 'USD'], ['EU', 'EUR']])('%s in %s', (division, currency) => {
  test.each(Object.keys(DOORS))('%s is not issued without a way to pay, and is with one', async (door) => {
    const license = await makeLicense(database.db, division);
    await openWays();
    const issue = await DOORS[door]!(license);
    await closeWays();
    const before = await asked();
    await expect(command(ports, issue)).rejects.toMatchObject({ code: 'invoice.no_way_to_pay', status: 409,
      message: `${division} cannot be paid in ${currency} yet: enter its bank account under System, Divisions, or `
        + 'switch on online payment.', facts: { division, currency } });
    expect(await asked(), 'nothing is left of it').toEqual(before);
    await openWays();
    await command(ports, issue);
    expect(await asked()).not.toEqual(before);
  });
});

test('no other file gives a document its number or reference, or asks for a deposit', () => {
  const SQL = /ledger_take_number|nextNumber\(ctx\.db|next_number\('proforma'|insert into deposits/;
  const found = globSync('modules/**/*.server.ts').filter((file) => SQL.test(readFileSync(file, 'utf8'))).toSorted();
  expect(found).toEqual([
    'modules/accounting/ledger/series.server.ts',
    'modules/receivables/deposits/request-deposit.server.ts',
    'modules/receivables/invoices/draft-invoice.server.ts',
    'modules/receivables/ledger/post.server.ts',
    // A deposit of former books, which was asked for there.
    'modules/receivables/openings/bring-deposits.server.ts',
    // A self-billed invoice asks nobody for money.
    'modules/royalties/statements/issue-statement.server.ts',
  ]);
});

describe('documents that ask for nothing', () => {
  test('a credit note, an invoice of 0.00 and one that a deposit pays are issued all the same', async () => {
    const license = await makeLicense(database.db, 'US');
    await openWays();
    const bill = (lines: InvoiceLineInput[]) => command(ports, (ctx) => issueInvoice(ctx, { ...of(license),
      license_id: license.id, issued_on: DAY, lines }));
    const { invoice_id } = await bill([FEE]);
    const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
      kind: 'on_account', amount_minor: 10_000 }));
    await command(ports, (ctx) => recordReceipt(ctx, { ...of(license), amount_minor: 10_000, method: 'wire',
      received_on: DAY, deposit_id }));
    await closeWays();
    await command(ports, (ctx) => creditInvoice(ctx, { invoice_id, reason: 'Waived', on: DAY }));
    await bill([{ ...FEE, net_minor: 0 }]);
    await bill([{ ...FEE, kind: 'royalty', item_class: 'performing_licence', net_minor: 10_000 }]);
    await expect(bill([FEE])).rejects.toMatchObject({ code: 'invoice.no_way_to_pay' });
  });

  test('the money for a pro forma is booked and invoiced although the account was closed since', async () => {
    const license = await makeLicense(database.db, 'EU');
    await openWays();
    const { invoice_id } = await command(ports, (ctx) => issueProFormaOf(ctx, { ...of(license), issued_on: DAY,
      lines: [FEE] }));
    const { total } = await database.db.one<{ total: number }>(sql`
      select total_minor as total from invoices where id = ${invoice_id}`);
    await closeWays();
    const { invoice_ids } = await command(ports, (ctx) => recordReceipt(ctx, { ...of(license), amount_minor: total,
      method: 'wire', received_on: DAY, apply_to: [{ invoice_id, amount_minor: total }] }));
    expect(invoice_ids).toHaveLength(1);
  });
});

describe('the ways of a division', () => {
  const ways = (division: string, currency: string) =>
    waysToPay(workContext(ports, database.db, SYSTEM_ACTOR), { division, currency });

  test('are its account and checks in the currency of its books, and its processor', async () => {
    await openWays();
    expect(await ways('UK', 'GBP')).toMatchObject({ transfer: null, check: ['Grand Rights Ltd', '52 St Martin\'s Lane',
      'London, Greater London', 'WC2N 4EA', 'United Kingdom'], online: [] });
    expect(await ways('EU', 'EUR')).toMatchObject({ transfer: { iban: 'IE29AIBK93115212345678' }, check: null });
    await closeWays();
    ports.settings.stripe = { api_url: null, keys: new Map([['EU', 'sk_test_1']]), webhook_secrets: new Map() };
    expect(await ways('EU', 'EUR')).toEqual({ transfer: null, check: null, online: ['card', 'sepa'] });
    expect(canBePaid(await ways('EU', 'USD')), 'a processor pays out in the currency of the books alone').toBe(false);
  });

  test('in another currency are its default bank account there, once that has a number and is open', async () => {
    expect(canBePaid(await ways('UK', 'EUR'))).toBe(false);
    const license = await makeLicense(database.db, 'UK');
    await database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
      values ('EUR', 'GBP', ${DAY}, '0.85', 'manual')`);
    const issue = () => command(ports, (ctx) => issueInvoice(ctx, { ...of(license), currency: 'EUR', license_id: null,
      issued_on: DAY, lines: [FEE] }));
    await expect(issue()).rejects.toMatchObject({ message: 'UK cannot be paid in EUR yet: enter the number of its EUR '
      + 'account under Banking, Bank accounts, and make that account the default.' });
    const id = await giveForeignAccount(ports, 'UK', 'EUR');
    expect((await ways('UK', 'EUR')).transfer).toMatchObject({ payee: 'Grand Rights', iban: 'GB29NWBK60161331926819',
      account_number: null });
    await issue();
    await database.db.exec(sql`update bank_accounts set is_default = false where id = ${id}`);
    expect(canBePaid(await ways('UK', 'EUR'))).toBe(false);
  });

  test('are asked for each division and currency once, however many documents there are', async () => {
    await closeWays();
    const rows = [{ division: 'EU', currency: 'EUR', n: 1 }, { division: 'UK', currency: 'GBP', n: 2 },
      { division: 'EU', currency: 'EUR', n: 3 }];
    const left = await unpayable(workContext(ports, database.db, SYSTEM_ACTOR), rows);
    expect(left.map(({ n }) => n)).toEqual([1, 3]);
  });
});
