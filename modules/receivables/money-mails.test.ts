/** Mails about money: one for each document and receipt, in the English of its division, with its paper. */
import { beforeAll, describe, expect, test } from 'vitest';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { fixedClock } from '#server/clock.ts';
import { workContext, type Ports } from '#server/context.ts';
import { deliverOutbox } from '#server/deliver-outbox.ts';
import type { OutgoingMail } from '#server/mail.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, makeLicense, testPorts, type TestLicense } from '#tests/support/receivables.ts';
import { issueInvoice, issueReportInvoices, moneyPaper, recordReceipt, requestDeposit }
  from './receivables.public.server.ts';

const database = testDatabase();
let ports: Ports;
beforeAll(async () => {
  ports = { ...testPorts(database.db), clock: fixedClock('2026-03-31T12:00:00Z') };
  // Of the US alone: the UK has no account here.
  await database.db.exec(sql`
    update divisions set payee = 'Grand Rights', payee_account = '123456789', payee_routing = '021000021'
    where code = 'US'`);
});

/** A licence whose customer reads mails about money at an address of its own. */
async function licenseOf(division: string): Promise<TestLicense & { email: string }> {
  const license = await makeLicense(database.db, division);
  const email = `books-${license.id}@players.example`;
  await database.db.exec(sql`
    update customers set statement_email = ${email}, payment_terms_days = 30 where id = ${license.customer_id}`);
  return { ...license, email };
}

const bill = (license: TestLicense, net_minor: number) => command(ports, (ctx) => issueInvoice(ctx, {
  license_id: license.id, customer_id: license.customer_id, division: license.division, currency: license.currency,
  issued_on: DAY, lines: [{ kind: 'royalty', description: 'Royalty of two performances',
    item_class: 'performing_licence', net_minor }] }));

const receive = (license: TestLicense, amount_minor: number, more: object = {}) => command(ports, (ctx) =>
  recordReceipt(ctx, { customer_id: license.customer_id, division: license.division, currency: license.currency,
    amount_minor, method: 'check', reference: 'Check 1042', received_on: DAY, ...more }));

interface Stored { template: string; subject: string; body_text: string; body_html: string; attachments: object[] }
const mailsTo = (email: string) => database.db.query<Stored>(sql`
  select template, subject, body_text, body_html, attachments from mail_outbox where ${email} = any (recipients)
  order by id`);

describe('an invoice', () => {
  test('is told once, with amount, day and its reason, ways to pay and its PDF [domain.md 6.4]', async () => {
    const license = await licenseOf('US');
    const { invoice_id } = await bill(license, 120_000);
    const mails = await mailsTo(license.email);
    expect(mails).toHaveLength(1);
    const { number } = await database.db.one<{ number: string }>(sql`
      select invoice_number as number from invoices where id = ${invoice_id}`);
    expect(mails[0]!.subject).toMatch(new RegExp(`^Invoice ${number} for .*: USD 1,200.00 to pay$`));
    for (const text of [`We issued invoice ${number} on March 2, 2026`, '), October 1, 2026 to October 10, 2026:',
      '- Royalty of two performances: USD 1,200.00', 'Due on April 1, 2026, 30 days after the date of the invoice.',
      'by bank transfer', `/customer/${license.customer_id}/invoices/${invoice_id}`]) {
      expect(mails[0]!.body_text).toContain(text);
    }
    expect(mails[0]!.body_html).toContain('Due on April 1, 2026, 30 days after the date of the invoice.');
    expect(mails[0]!.attachments).toEqual([{ filename: `${number}.pdf`, content_type: 'application/pdf',
      paper: 'invoice', record_id: invoice_id }]);
  });

  test('that is refused is told to nobody: the mail is of its transaction', async () => {
    const license = await licenseOf('US');
    await expect(command(ports, async (ctx) => {
      await issueInvoice(ctx, { license_id: license.id, customer_id: license.customer_id, division: 'US',
        currency: 'USD', issued_on: DAY, lines: [{ kind: 'fee', description: 'Fee', item_class: 'fee',
          net_minor: 500 }] });
      throw new Error('after it');
    })).rejects.toThrow('after it');
    expect(await mailsTo(license.email)).toEqual([]);
  });

  test('of each report is told when many are billed at once, and to nobody where one of them fails', async () => {
    const licenses = [await licenseOf('US'), await licenseOf('US'), await licenseOf('US')];
    const inputs = await Promise.all(licenses.map(async (license, k) => {
      const report = await database.db.one<{ id: number }>(sql`
        insert into box_office_reports (license_id, division, scope, period_from, period_to, currency)
        values (${license.id}, 'US', 'week', ${DAY}, ${DAY}, 'USD') returning id`);
      return { license_id: license.id, customer_id: license.customer_id, division: 'US', currency: 'USD',
        box_office_report_id: report.id, license_venue_id: license.venue_id, description: `Week ${k + 1}`,
        net_minor: 20_000 * (k + 1), issued_on: DAY };
    }));
    await expect(command(ports, async (ctx) => {
      await issueReportInvoices(ctx, inputs);
      throw new Error('after it');
    })).rejects.toThrow('after it');
    const sent = () => Promise.all(licenses.map(({ email }) => mailsTo(email)));
    expect(await sent()).toEqual([[], [], []]);
    const made = await command(ports, (ctx) => issueReportInvoices(ctx, inputs));
    for (const [k, mails] of (await sent()).entries()) {
      const sum = `USD ${(k + 1) * 2}00.00`;
      expect(mails).toMatchObject([{ template: 'invoice.issued', subject: expect.stringContaining(`${sum} to pay`),
        attachments: [{ paper: 'invoice', record_id: made[k]!.invoice_id }] }]);
      expect(mails[0]!.body_text).toContain(`- Week ${k + 1}: ${sum}`);
    }
  });

  test('is British where its division is', async () => {
    const license = await licenseOf('UK');
    await bill(license, 10_000);
    const [mail] = await mailsTo(license.email);
    expect(mail!.body_text).toContain('on 2 March 2026');
    expect(mail!.body_text).not.toMatch(/\bcheck\b/);
    // No way is named that its paper does not give.
    expect(mail!.body_text).toContain('You can pay by cheque.');
    expect(mail!.body_text).not.toContain('bank transfer');
  });
});

describe('a check', () => {
  test('is told with its number, what it paid and what is left; its receipt is drawn as it goes out', async () => {
    const license = await licenseOf('US');
    const { invoice_id } = await bill(license, 50_000);
    await receive(license, 70_000, { apply_to: [{ invoice_id, amount_minor: 50_000 }] });
    const mails = await mailsTo(license.email);
    expect(mails.map((mail) => mail.template)).toEqual(['invoice.issued', 'payment.received']);
    const { subject, body_text } = mails[1]!;
    expect(subject).toBe('We received USD 700.00 by check');
    expect(body_text).toContain('We received USD 700.00 by check 1042 on March 2, 2026.');
    expect(body_text).toMatch(/Used for:\n- invoice INV-US-2026-\d+ for .*: USD 500\.00\n- kept on your account/);
    expect(body_text).toContain('for your next invoices: USD 200.00');
    const sent: OutgoingMail[] = [];
    const mail = { deliver: async (one: OutgoingMail) => { sent.push(one); } };
    await deliverOutbox({ ...ports, mail }, (paper, id) =>
      moneyPaper(workContext(ports, ports.db, SYSTEM_ACTOR), paper, id));
    const papers = sent.filter((one) => one.to.includes(license.email)).flatMap((one) => one.attachments);
    expect(papers.map((file) => file.content.subarray(0, 5).toString())).toEqual(['%PDF-', '%PDF-']);
  });

  test('for a deposit says so, in British words', async () => {
    const license = await licenseOf('UK');
    const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
      kind: 'security', amount_minor: 20_000, due_on: DAY }));
    await receive(license, 20_000, { deposit_id });
    const mail = (await mailsTo(license.email)).at(-1)!;
    expect(mail.subject).toBe('We received GBP 200.00 by cheque');
    expect(mail.body_text).toMatch(/- the deposit for .*: GBP 200\.00/);
  });
});
