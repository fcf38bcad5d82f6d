/** Lines of a bank, invoices and receipts for the tests of matching, and what they come to in the ledger. */
// cspell:ignore OFXHEADER BANKMSGSRSV STMTTRNRS STMTRS CURDEF BANKACCTFROM ACCTID BANKTRANLIST STMTTRN DTPOSTED
// cspell:ignore TRNAMT FITID
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { issueInvoice, recordReceipt } from '#modules/receivables/receivables.public.server.ts';
import type { Ports } from '#server/context.ts';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { TEST_NOW, type SignedIn, type TestApp } from './app.ts';
import { command, testPorts } from './receivables.ts';

export const BASE = '/api/admin/staff/accounting';
export const MATCHES = `${BASE}/bank_matches`;
export const LINES = `${BASE}/bank_matching/lines`;
export const DAY = TEST_NOW.slice(0, 10);

export interface BankLine { amount: string; name?: string; memo?: string; on?: string }

export class BankFixtures {
  readonly app: TestApp;
  readonly staff: SignedIn;
  readonly ports: Ports;
  private readonly bankId: number;

  private constructor(app: TestApp, staff: SignedIn, bankId: number) {
    this.app = app;
    this.staff = staff;
    this.bankId = bankId;
    this.ports = { ...testPorts(app.database.db), clock: app.clock };
  }

  static async make(app: TestApp): Promise<BankFixtures> {
    const staff = await app.signedIn('staff_admin');
    const bank = (await staff.post(`${BASE}/banks`, { name: 'First Harbor', country: 'US' })).body.data.id;
    return new BankFixtures(app, staff, bank);
  }

  /** A bank account of its own, in the currency of the division. */
  async account(division = 'US', currency = 'USD'): Promise<number> {
    const answer = await this.staff.post(`${BASE}/bank_accounts`, { bank_id: this.bankId, division, currency,
      name: `Account ${randomUUID().slice(0, 8)}` });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data.id;
  }

  async customer(name: string, division = 'US', currency = 'USD'): Promise<number> {
    const { id } = await this.app.database.db.one<{ id: number }>(sql`
      insert into customers (name, status, divisions, default_division, default_currency, billing_address)
      values (${name}, 'active', ${[division]}, ${division}, ${currency}, ${JSON.stringify({ country_code: 'US',
        thoroughfare: '1 Broadway', locality: 'New York', administrative_area: 'NY', postal_code: '10004' })})
      returning id`);
    return id;
  }

  /** Imports an OFX file with these lines, of the account with that number; answers their ids in the order given. */
  async lines(account: number, lines: readonly BankLine[], currency = 'USD', number = '1'): Promise<number[]> {
    const keys = lines.map(() => randomUUID());
    const escaped = (text: string): string => text.replaceAll('&', '&amp;');
    const content = Buffer.from(`OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}`
      + `<BANKACCTFROM><ACCTID>${number}</BANKACCTFROM><BANKTRANLIST>${lines.map((line, at) => `<STMTTRN><DTPOSTED>${
        (line.on ?? DAY).replaceAll('-', '')}<TRNAMT>${line.amount}<FITID>${keys[at]}<NAME>${
        escaped(line.name ?? 'X')}<MEMO>${escaped(line.memo ?? '')}</STMTTRN>`).join('')}</BANKTRANLIST>`
      + '</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>');
    const answer = await this.staff.post(`${BASE}/bank_statements`, undefined, { multipart: {
      fields: { bank_account_id: String(account), sha256: sha256(content), probable: 'import' },
      file: { field: 'file', name: 'file.ofx', type: 'application/octet-stream', content } } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const rows = await this.app.database.db.query<{ id: number; bank_reference: string }>(sql`
      select id, bank_reference from bank_transactions where bank_reference = any (${keys}::text[])`);
    return keys.map((key) => rows.find((row) => row.bank_reference === key)!.id);
  }

  /** An untaxed invoice; answers id and number. */
  async invoice(customer_id: number, net_minor: number, division = 'US', currency = 'USD'):
  Promise<{ id: number; number: string }> {
    const { invoice_id } = await command(this.ports, (ctx) => issueInvoice(ctx, { customer_id, division, currency,
      issued_on: DAY, due_on: DAY, lines: [{ kind: 'fee', description: 'Fee', item_class: 'fee', net_minor,
        tax_minor: 0 }] }));
    const row = await this.app.database.db.one<{ number: string; open: number }>(sql`
      select invoice_number as number, balance_minor as open from invoices where id = ${invoice_id}`);
    expect(row.open).toBe(net_minor);
    return { id: invoice_id, number: row.number };
  }

  /** A receipt on account, recorded on a bank account; answers its id, number and line of the ledger. */
  async receipt(account: number, customer_id: number, amount_minor: number, division = 'US', currency = 'USD'):
  Promise<{ id: number; number: string; ledger_line_id: number }> {
    const { payment_id } = await command(this.ports, (ctx) => recordReceipt(ctx, { customer_id, division, currency,
      amount_minor, method: 'wire', received_on: DAY, bank_account_id: account }));
    return this.app.database.db.one(sql`
      select p.id, p.number, e.id as ledger_line_id from payments p join journal_entries e
        on e.transaction_id = p.transaction_id and e.ledger_account_id = p.ledger_account_id
      where p.id = ${payment_id}`);
  }

  async vendor(clerk: SignedIn, name: string): Promise<number> {
    const answer = await clerk.post('/api/admin/staff/vendors', { name, divisions: ['US'], default_currency: 'USD',
      payment_terms_days: 14 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data.id;
  }

  /** One line on an expense account, dated nine days before {@link DAY}. */
  async draftBill(clerk: SignedIn,
    more: { vendor_id: number; net_minor: number; kind?: string; currency?: string }):
  Promise<{ id: number; version: number }> {
    const { id } = await this.app.database.db.one<{ id: number }>(sql`
      select id from ledger_accounts where division = 'US' and code = '6200'`);
    const { net_minor, ...rest } = more;
    const answer = await clerk.post(`${BASE}/bills`, { division: 'US', currency: 'USD', billed_on: '2026-11-10',
      duplicate_confirmed: true, lines: [{ ledger_account_id: id, description: 'Supplies', net_minor }], ...rest });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  }

  /** Entered and submitted by one person, approved by another. */
  async bill({ clerk, approver }: { clerk: SignedIn; approver: SignedIn },
    more: { vendor_id: number; net_minor: number; kind?: string; currency?: string }):
  Promise<{ id: number; version: number }> {
    let row = await this.draftBill(clerk, more);
    for (const [who, step] of [[clerk, 'submit'], [approver, 'approve']] as const) {
      const answer = await who.put(`${BASE}/bills/${row.id}/${step}`, { version: row.version });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      row = answer.body.data;
    }
    return row;
  }

  async itemOf(bill: number): Promise<number> {
    return (await this.app.database.db.one<{ id: number }>(sql`
      select open_item_id as id from bills where id = ${bill}`)).id;
  }

  async match(body: object) {
    return this.staff.post(MATCHES, body);
  }

  /** Matched, or the test fails with the refusal. */
  async matched(body: object) {
    const answer = await this.match(body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  }

  async undo(id: number) {
    return this.staff.put(`${MATCHES}/${id}/undo`, { reason: 'Wrong line' });
  }

  async candidates(line: number) {
    const answer = await this.staff.get(`${LINES}/${line}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  }

  /** Accepts a suggestion as the screen does. */
  static body(of: { line_ids: number[]; parts: { kind: string; id: number; amount_minor: number;
    bank_minor: number | null; discount_minor: number }[]; fee_minor: number;
    on_account: object | null; transfer: { bank_account_id: number; bank_transaction_id: number } | null;
    score: number; reasons: object[] }): object {
    return { line_ids: of.line_ids, fee_minor: of.fee_minor, on_account: of.on_account, score: of.score,
      reasons: of.reasons, transfer: of.transfer && { bank_account_id: of.transfer.bank_account_id,
        bank_transaction_id: of.transfer.bank_transaction_id },
      parts: of.parts.map(({ kind, id, amount_minor, bank_minor, discount_minor }) => (kind === 'ledger_line'
        ? { kind, id } : { kind, id, amount_minor: Math.abs(amount_minor), discount_minor,
          bank_minor: bank_minor === null ? null : Math.abs(bank_minor) })) };
  }

  /** Everything that a match may change, as it stands: the ledger, documents, money on account, free lines. */
  async snapshot(): Promise<object> {
    const { db } = this.app.database;
    return {
      ledger: await db.query(sql`
        select e.ledger_account_id, e.party_type, e.party_id, e.transaction_at::text as at, sum(e.amount_minor) as
          amount, sum(e.base_amount_minor) as base from journal_entries e join transactions t on t.id = e.transaction_id
          and t.status in ('posted', 'reversed')
        group by 1, 2, 3, 4 having sum(e.amount_minor) <> 0 or sum(e.base_amount_minor) <> 0 order by 1, 2, 3, 4`),
      invoices: await db.query(sql`select id, status, balance_minor, paid_minor, credited_minor, written_off_minor
        from invoices order by id`),
      items: await db.query(sql`select id, applied_minor from invoice_items order by id`),
      on_account: await db.query(sql`select customer_id, sum(unapplied_minor) as left from payments
        where direction = 'in' and status in ('posted', 'cleared') group by 1 having sum(unapplied_minor) <> 0
        order by 1`),
      payables: await db.query(sql`select i.id, i.open_minor, i.open_base_minor, p.free_minor from open_items i
        join payable_items p on p.id = i.id where i.document_type = 'bill' order by i.id`),
      transfers: await db.query(sql`select id, status, received_on from bank_transfers where status <> 'reversed'
        order by id`),
      open_ledger: await db.query(sql`select e.id from journal_entries e join transactions t on t.id = e.transaction_id
        join ledger_accounts a on a.id = e.ledger_account_id and a.is_bank
        where t.status = 'posted' and t.reverses_id is null and not exists (select 1 from bank_match_entries m
          where m.ledger_line_id = e.id and m.active) order by e.id`),
      open_lines: await db.query(sql`select t.id from bank_transactions t where not exists (
        select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active) order by t.id`),
    };
  }
}
