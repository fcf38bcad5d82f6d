/**
 * Story 4, it will not happen: a society in Kent has paid 600.00 on account and 600.00 before its books were shipped,
 * and calls its production off. The royalty is 875.00 and VAT 175.00, the rental of printed books 150.00 and
 * zero-rated; the royalty is refunded, the rental of what was shipped is kept: 1,050.00 goes back, 150.00 stays, by
 * BACS.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { postPaymentRuns } from '#modules/payables/run/settle-run.server.ts';
import { testApp } from '#tests/support/app.ts';
import { readBacs } from '#tests/support/bank-files.ts';
import { makeSociety, moveTo, openBank, orderBooks, PAID, payInFull, RENTAL, ROYALTY, shipBooks, type Society }
  from '#tests/support/society.ts';
import { API, booked, offerAndSign, openStage, textOf, type Stage } from '#tests/support/story.ts';

const test = testApp();
const RUNS = `${API}/accounting/payment_runs`;
let stage: Stage;
let society: Society;
let house: Society['house'];
let license: number;
let order: Body;
let offer: Body;

/** 70% of the royalty. */
const AUTHOR = 61_250;
const YEAR = ['2026-01-01', '2026-12-31'] as const;

const home = (): string => `/api/customers/${house.id}/licenses/${license}`;
const invoices = async (query = ''): Promise<Body[]> =>
  (await stage.staff.get(`${API}/invoices?license_id=${license}${query}`)).data;

beforeAll(async () => {
  test.clock.set('2026-07-01T10:00:00Z');
  stage = await openStage(test);
  society = await makeSociety(stage);
  ({ house, license } = society);
  offer = await offerAndSign(stage, license, house, 'Hugh Penrose');
});

it('1,200.00 with VAT is offered, and the contract says what cancelling costs', async () => {
  expect(offer.totals).toMatchObject({ total_minor: ROYALTY.total + RENTAL.total });
  expect(offer.payment_plan).toMatchObject([{ amount_minor: PAID, is_deposit: true }, { amount_minor: PAID }]);
  const { data } = await stage.staff.get(`${API}/licenses/${license}/license_documents`);
  const contract = data.find((one: Body) => one.type === 'production_contract')!;
  const text = await textOf(test, `${API}/licenses/${license}/license_documents/${contract.id}/file`);
  for (const words of ['Before the materials ship (planned for 12 August 2026) 0.00 1,025.00',
    'From then until the first performance 150.00 875.00']) expect(text).toContain(words);
});

describe('the money of the society', () => {
  beforeAll(async () => {
    await payInFull(stage, society);
  });

  it('600.00 on account is set off against an invoice of its own, 600.00 is paid: nothing is open', async () => {
    const billed = await invoices('&kind=invoice');
    expect(billed.map((one) => [one.total_minor, one.prepaid_minor, one.balance_minor])).toEqual([
      [PAID, PAID, 0], [PAID, 0, 0]]);
    expect(await booked(stage, 'UK', ...YEAR)).toEqual({ 1000: 2 * PAID, 1140: AUTHOR, 2100: -ROYALTY.net - RENTAL.net,
      2200: -AUTHOR, 2300: -ROYALTY.vat });
    const text = await textOf(test, `${API}/invoices/${billed[0]!.id}/document`);
    for (const words of ['Less paid on account -500.00 -100.00 -600.00', 'GBP 600.00']) expect(text).toContain(words);
  });
});

describe('calling it off', () => {
  const reason = 'The hall is closed';

  it('costs nothing of the rental as long as the books are in the store, whatever day was planned', async () => {
    order = await orderBooks(stage, society);
    await moveTo(stage, '2026-08-13');
    const { data } = await house.signer.get(`${home()}/cancellation`);
    expect(data).toMatchObject({ shipped: false, keep_minor: 0, refund_minor: ROYALTY.net + RENTAL.net,
      overpaid_minor: 2 * PAID });
  });

  it('once they are shipped keeps the rental: he sees 1,050.00 before he asks, staff the same', async () => {
    await shipBooks(stage, order);
    await moveTo(stage, '2026-08-20');
    const { data: mine } = await house.signer.get(`${home()}/cancellation`);
    expect(mine).toMatchObject({ policy: 'standard', shipped: true, keep_minor: RENTAL.net, refund_minor: ROYALTY.net,
      tax_minor: ROYALTY.vat, open_minor: 0, left_open_minor: 0, overpaid_minor: ROYALTY.total, held_minor: 0 });
    const { data: ours } = await stage.staff.get(`${API}/licenses/${license}/cancellation`);
    expect(ours).toEqual({ ...mine, version: ours.version, waiver: null });
    await house.signer.post(`${home()}/cancellation_requests`, { reason });
  });

  it('is credited as shown; the waiver needs a second person and is recorded', async () => {
    const path = `${API}/licenses/${license}`;
    const { data: { version } } = await stage.staff.get(path);
    const waived = { waive_minor: 1_000, reason: 'A member died' };
    await expect(stage.staff.post(`${path}/cancel`, { version, reason, on: '2026-08-20', waive_minor: 1_000 }))
      .rejects.toThrow(/license\.waiver_not_approved/);
    const { data: own } = await stage.staff.post(`${path}/cancellation_waivers`, waived);
    await expect(stage.staff.post(`${path}/cancel`, { version, reason, on: '2026-08-20', waive_minor: 1_000,
      waiver_approval_id: own.id })).rejects.toThrow(/four_eyes/);
    const { data: seen } = await stage.second.get(`${path}/cancellation?on=2026-08-20&waive_minor=1000`);
    expect(seen).toMatchObject({ keep_minor: RENTAL.net - 1_000, waiver: { id: own.id, ...waived } });
    const { data: cancelled } = await stage.staff.post(`${path}/cancel`, { version, reason, on: '2026-08-20' });
    expect(cancelled).toMatchObject({ phase: 'cancelled', cancel_reason: reason });
    const { data: events } = await stage.staff.get(`${path}/events`);
    expect(events.map((one: Body) => one.event)).toEqual(expect.arrayContaining(['cancel', 'approve_waiver',
      'request_cancellation']));
    const notes = await invoices('&kind=credit_note');
    expect(notes.reduce((all, one) => all + one.total_minor, 0)).toBe(ROYALTY.total);
  });

  it('leaves 1,050.00 to his credit on staff and portal pages, and nothing due to the author', async () => {
    const { data: finance } = await stage.staff.get(`${API}/customers/${house.id}/finance`);
    expect(finance.accounts).toMatchObject([{ open_minor: 0, on_account_minor: ROYALTY.total }]);
    const { data: statement } = await house.signer.get(`/api/customers/${house.id}/statement`);
    expect(statement.accounts).toMatchObject([{ closing_minor: -ROYALTY.total }]);
    expect(await booked(stage, 'UK', ...YEAR)).toEqual({ 1000: 2 * PAID, 1100: -ROYALTY.total, 4100: -RENTAL.net });
  });

  it('is refunded by a payment run: two people, one BACS file; 1100, 2160, 2300 and the author at zero', async () => {
    const account = await openBank(stage, society);
    const { data: payments } = await stage.staff.get(`${API}/accounting/payments?customer_id=${house.id}`);
    const refund_ids: number[] = [];
    for (const one of payments.filter((row: Body) => row.unapplied_minor > 0)) {
      const { data: refund } = await stage.staff.post(`${API}/accounting/payments/${one.id}/refund`, {
        amount_minor: one.unapplied_minor, reason });
      const status = `${API}/accounting/payments/${refund.id}/status`;
      await expect(stage.staff.put(status, { status: 'approved', version: refund.version }))
        .rejects.toThrow(/four_eyes/);
      await stage.second.put(status, { status: 'approved', version: refund.version });
      refund_ids.push(refund.id);
    }
    const { data: run } = await stage.staff.post(RUNS, { bank_account_id: account, method: 'bacs', refund_ids,
      due_by: '2026-08-31', value_on: '2026-08-24' });
    expect(run.total_minor).toBe(ROYALTY.total);
    const path = `${RUNS}/${run.id}`;
    await expect(stage.staff.put(`${path}/approve`, { version: run.version })).rejects.toThrow(/four_eyes/);
    const { data: approved } = await stage.second.put(`${path}/approve`, { version: run.version });
    await stage.staff.put(`${path}/export`, { version: approved.version });
    const file = readBacs((await (await test.signedIn('staff_admin')).get(`${path}/file`)).raw.toString());
    expect(file.payments.map((one) => one.account)).toEqual(file.payments.map(() => '08999966374958'));
    expect(file.payments.reduce((all, one) => all + one.minor, 0)).toBe(ROYALTY.total);
    expect(await booked(stage, 'UK', ...YEAR)).toEqual({ 1000: 2 * PAID, 2000: -ROYALTY.total, 4100: -RENTAL.net });
    await moveTo(stage, '2026-08-24');
    expect(await postPaymentRuns(test.ports)).toBe(1);
    expect(await booked(stage, 'UK', ...YEAR)).toEqual({ 1000: RENTAL.net, 4100: -RENTAL.net });
    const { data: finance } = await stage.staff.get(`${API}/customers/${house.id}/finance`);
    expect(finance.accounts).toMatchObject([{ open_minor: 0, on_account_minor: 0 }]);
  });
});
