/**
 * Story 2, fifteen per cent: a school in Durham plays six nights for 15% of its takings, at least 80.00 a performance,
 * with 500.00 on account. Every figure is read where a person reads it, the boxes of the VAT return among them.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { runLicenseClocks } from '#modules/licensing/licensing.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { testApp } from '#tests/support/app.ts';
import { authorMinor, deposit, due, GROSS, makeFifteen, NIGHTS, royalty, type Fifteen }
  from '#tests/support/fifteen.ts';
import { API, booked, offerAndSign, openStage, textOf, type Stage } from '#tests/support/story.ts';

const test = testApp();
let stage: Stage;
let house: Fifteen['house'];
let author: number;
let licence: number;
let offer: Body;
let estimate: Body;

const documentsOf = async (): Promise<Body[]> =>
  (await stage.staff.get(`${API}/licenses/${licence}/license_documents`)).data;
const contractText = async (): Promise<string> => {
  const contract = (await documentsOf()).find((one) => one.type === 'production_contract')!;
  return textOf(test, `${API}/licenses/${licence}/license_documents/${contract.id}/file`);
};
/** Boxes of the VAT return of a quarter, minor units. */
const boxesOf = async (from: string, to: string): Promise<Record<string, number>> => {
  const { data } = await stage.staff.get(`${API}/accounting/reports/uk_vat?division=UK&from=${from}&to=${to}`);
  return Object.fromEntries(data.boxes.map((box: Body) => [box.box, box.amount_minor]));
};
const invoiceOf = async (): Promise<Body> => {
  const { data } = await stage.staff.get(`${API}/invoices?license_id=${licence}&kind=invoice`);
  expect(data).toHaveLength(1);
  return (await stage.staff.get(`${API}/invoices/${data[0].id}`)).data;
};

beforeAll(async () => {
  test.clock.set('2026-09-14T10:00:00Z');
  stage = await openStage(test);
  const made = await makeFifteen(stage);
  ({ house, licence, author } = made);
  const { show_id, venues } = made;
  estimate = (await house.signer.post(`/api/customers/${house.id}/price_preview`, { show_id,
    category: 'Amateur', division: 'UK', license_venues: venues })).data;
  offer = await offerAndSign(stage, licence, house, 'Miriam Cole');
});

describe('what the school is told before it signs', () => {
  it('the offer says percentage, minimum and what is due now, with an example; the estimate the same', () => {
    expect(offer.promise).toMatchObject({ now_minor: 50_000, rate: '15% of gross' });
    expect(offer.promise.headline).toContain('500.00');
    const facts = offer.promise.facts.map((fact: Body) => `${fact.label}: ${fact.text}`).join('\n');
    expect(facts).toContain('80.00');
    expect(facts).toMatch(/Example/);
    expect(estimate.promise).toMatchObject({ now_minor: 50_000, rate: offer.promise.rate,
      headline: offer.promise.headline });
    expect(estimate.totals).toMatchObject({ total_minor: offer.totals.total_minor });
  });

  it('the contract says it too', async () => {
    const text = await contractText();
    for (const words of ['15% of gross', 'GBP 80.00 per performance', 'Advance and deposits GBP 500.00', 'Example']) {
      expect(text).toContain(words);
    }
  });
});

describe('the deposit', () => {
  beforeAll(async () => {
    test.clock.set('2026-09-25T10:00:00Z');
    const { data: [asked] } = await stage.staff.get(`${API}/licenses/${licence}/deposits`);
    expect(asked).toMatchObject({ kind: 'on_account', amount_minor: 50_000 });
    await stage.staff.post(`${API}/accounting/payments`, { customer_id: house.id, division: 'UK', currency: 'GBP',
      amount_minor: 50_000, method: 'wire', received_on: '2026-09-25', license_id: licence, deposit_id: asked.id });
  });

  it('is 416.67 and VAT 83.33 on the VAT receipt', async () => {
    const { data: [held] } = await stage.staff.get(`${API}/licenses/${licence}/deposits`);
    expect(held).toMatchObject({ status: 'held', net_minor: deposit.net, vat_minor: deposit.vat });
    const text = await textOf(test, `${API}/accounting/payments/${held.payment_id}/document`);
    for (const words of ['VAT receipt', '416.67', '83.33', '500.00']) expect(text).toContain(words);
  });

  it('is VAT of the quarter it was received in', async () => {
    expect(await booked(stage, 'UK', '2026-07-01', '2026-09-30'))
      .toEqual({ 1000: 50_000, 2160: -deposit.net, 2300: -deposit.vat });
    expect(await boxesOf('2026-07-01', '2026-09-30')).toMatchObject({ 1: deposit.vat, 5: deposit.vat, 6: 41_600 });
  });
});

describe('the takings', () => {
  beforeAll(async () => {
    test.clock.set('2026-10-19T10:00:00Z');
    await runLicenseClocks(workContext(test.ports, test.ports.db, SYSTEM_ACTOR), '2026-10-19');
    const home = `/api/customers/${house.id}/licenses/${licence}/box_office_reports`;
    const { data: [owed] } = await house.signer.get(home);
    const { data: sent } = await house.signer.put(`${home}/${owed.id}`, { license_venue_id: owed.license_venue_id,
      scope: owed.scope, period_from: owed.period_from, period_to: owed.period_to, currency: 'GBP',
      gross_minor: GROSS, performances_held: NIGHTS.length, paid_admissions: 1_540, certified_name: 'Miriam Cole',
      version: owed.version });
    expect(sent).toMatchObject({ status: 'submitted', open_questions: 0, net_minor: GROSS });
    await stage.staff.put(`${API}/licenses/${licence}/box_office_reports/${sent.id}/review`, { event: 'accept',
      version: sent.version });
  });

  it('are billed at 15% with VAT, less the deposit', async () => {
    const invoice = await invoiceOf();
    expect(invoice).toMatchObject({ net_minor: royalty.net, tax_minor: royalty.vat, total_minor: royalty.total,
      prepaid_minor: 50_000, balance_minor: due.total });
    const text = await textOf(test, `${API}/invoices/${invoice.id}/document`);
    for (const words of ['gross 16,008.00', '15% is 2,401.20, minimum 480.00', 'Total 2,401.20 480.24 GBP 2,881.44',
      'Less paid on account -416.67 -83.33 -500.00', 'Due 1,984.53 396.91 GBP 2,381.44']) expect(text).toContain(words);
  });

  it('are owed alike on portal, finance page, aging and statement of account', async () => {
    const { data: [mine] } = await house.signer.get(`/api/customers/${house.id}/invoices`);
    expect(mine).toMatchObject({ balance_minor: due.total });
    const { data: finance } = await stage.staff.get(`${API}/customers/${house.id}/finance`);
    // Invoiced is what the invoice comes to; what was paid on account counts as paid.
    expect(finance.accounts).toMatchObject([{ open_minor: due.total, on_account_minor: 0,
      invoiced_minor: royalty.total, paid_minor: 50_000 }]);
    const { data: aging } = await stage.staff.get(`${API}/accounting/accounts_receivable/aging?division=UK`);
    expect(aging.rows).toMatchObject([{ customer_id: house.id, total_minor: due.total }]);
    const { data: statement } = await stage.staff.get(`${API}/customers/${house.id}/statement`);
    expect(statement.accounts).toMatchObject([{ closing_minor: due.total, lines: [{ kind: 'invoice',
      amount_minor: due.total, set_off_minor: 50_000 }] }]);
    expect(await textOf(test, `${API}/customers/${house.id}/statement/document`))
      .toContain('2,881.44 less 500.00 paid on account');
  });

  it('are VAT and income of the quarter of the invoice: the deposit is not taxed twice', async () => {
    const moved = await booked(stage, 'UK', '2026-10-01', '2026-12-31');
    expect(moved).toMatchObject({ 1100: due.total, 2160: deposit.net, 2300: -due.vat, 4010: -royalty.net,
      5000: authorMinor });
    expect(await boxesOf('2026-10-01', '2026-12-31')).toMatchObject({ 1: due.vat, 5: due.vat, 6: 198_400 });
  });

  it('are the base of the author’s statement, and the licence closes with nothing open', async () => {
    test.clock.set('2027-01-05T10:00:00Z');
    const { data: run } = await stage.staff.post(`${API}/royalty_statement_runs`, { division: 'UK', currency: 'GBP',
      period_from: '2026-10-01', period_to: '2026-12-31', royaltor_ids: [author] });
    const [row] = run.statements;
    const { data: statement } = await stage.staff.get(`${API}/royalty_statements/${row.id}`);
    const earned = statement.lines.filter((line: Body) => line.amount_minor === authorMinor);
    expect(earned).toHaveLength(1);
    expect(earned[0]).toMatchObject({ base_minor: royalty.net });
    expect(statement.payable_minor + statement.expected_wht_minor).toBe(authorMinor);
    const invoice = await invoiceOf();
    await stage.staff.post(`${API}/accounting/payments`, { customer_id: house.id, division: 'UK', currency: 'GBP',
      amount_minor: due.total, method: 'wire', received_on: '2026-11-10', license_id: licence,
      apply_to: [{ invoice_id: invoice.id, amount_minor: due.total }] });
    const { data: finance } = await stage.staff.get(`${API}/customers/${house.id}/finance`);
    expect(finance.accounts).toMatchObject([{ open_minor: 0, on_account_minor: 0 }]);
  });
});
