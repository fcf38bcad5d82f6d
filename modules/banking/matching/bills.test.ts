/** Bank lines pay bills and refund vendor credits; undone, every document is as before. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { BankFixtures, BASE, DAY, LINES, MATCHES } from '#tests/support/bank-lines.ts';

const app = testApp();
let bank: BankFixtures;
/** Enters bills; `bank.staff` matches the lines, a third person approved. */
let approver: SignedIn;
let clerk: SignedIn;
beforeAll(async () => {
  bank = await BankFixtures.make(app);
  [clerk, approver] = [await app.signedIn('staff_admin'), await app.signedIn('staff_admin')];
});

const vendor = (name: string) => bank.vendor(clerk, name);
const bill = (vendor_id: number, minor: number, more: object = {}) =>
  bank.bill({ clerk, approver }, { vendor_id, net_minor: minor, ...more });
const billOf = async (id: number) => (await clerk.get(`${BASE}/bills/${id}`)).body.data;
const openOf = async (id: number): Promise<[string, number]> => {
  const { state, open_minor } = await billOf(id);
  return [state, open_minor];
};
async function undoneExactly(before: object, match: { id: number }): Promise<void> {
  expect((await bank.undo(match.id)).status).toBe(200);
  expect(await bank.snapshot()).toEqual(before);
}
const shapeOf = async (line: number, shape: string) => {
  const { suggestions, others } = await bank.candidates(line);
  return [...suggestions, ...others].find((one: { shape: string }) => one.shape === shape);
};
const refusal = async (line: number, part: object, who = bank.staff) =>
  (await who.post(MATCHES, { line_ids: [line], parts: [part] })).body;

describe('a line of money out', () => {
  it('is matched with an approved bill: one payment, two people behind it, undone exactly', async () => {
    const account = await bank.account();
    const own = await bill(await vendor('Northern Power'), 48_200);
    const [line] = await bank.lines(account, [{ amount: '-482.00', name: 'NORTHERN POWER', memo: 'DIRECT DEBIT' }]);
    const before = await bank.snapshot();
    const best = await shapeOf(line!, 'whole');
    expect(best).toMatchObject({ parts: [{ kind: 'bill', id: own.id, amount_minor: -48_200,
      open_minor: 48_200 }] });
    expect(best.reasons.map((one: { text: string }) => one.text)).toEqual(['Amount agrees', 'Name agrees',
      '4 days apart']);
    const match = await bank.matched(BankFixtures.body(best));
    expect(match.entries).toMatchObject([{ amount_minor: -48_200, posted_by_match: true }]);
    expect(await openOf(own.id)).toEqual(['paid', 0]);
    expect(await app.database.db.one(sql`select p.status, p.kind, p.amount_minor, p.paid_on, p.created_by_id,
        p.approved_by_id, p.outcome from payments p order by id desc limit 1`))
      .toEqual({ status: 'cleared', kind: 'vendor', amount_minor: 48_200, paid_on: DAY,
        created_by_id: bank.staff.user_id, approved_by_id: approver.user_id, outcome: 'settled' });
    await undoneExactly(before, match);
    expect(await openOf(own.id)).toEqual(['approved', 48_200]);
    await bank.matched(BankFixtures.body(best));
    expect((await ledgerIntegrity(app.database.db)).filter((check) => !check.ok)).toEqual([]);
  });

  it('pays several bills of a vendor, less a credit, in one payment', async () => {
    const account = await bank.account();
    const of = await vendor('Foundry Scenery');
    const [one, two, credit] = [await bill(of, 30_000), await bill(of, 45_500), await bill(of, 5_500,
      { kind: 'credit' })];
    const [line] = await bank.lines(account, [{ amount: '-700.00', name: 'FOUNDRY SCENERY' }]);
    const before = await bank.snapshot();
    const several = await shapeOf(line!, 'combined');
    expect(several.parts.map((part: { kind: string; amount_minor: number }) => [part.kind, part.amount_minor]).sort())
      .toEqual([['bill', -30_000], ['bill', -45_500], ['vendor_credit', 5_500]]);
    const match = await bank.matched(BankFixtures.body(several));
    expect(match.entries).toMatchObject([{ amount_minor: -70_000 }]);
    expect([await openOf(one.id), await openOf(two.id), await openOf(credit.id)])
      .toEqual([['paid', 0], ['paid', 0], ['paid', 0]]);
    await undoneExactly(before, match);
  });

  it('pays part of a bill, and never more than is open', async () => {
    const account = await bank.account();
    const own = await bill(await vendor('Quayside Rehearsal Rooms'), 90_000);
    const [first, second] = await bank.lines(account, [{ amount: '-400.00', name: 'QUAYSIDE REHEARSAL ROOMS' },
      { amount: '-600.00', name: 'QUAYSIDE REHEARSAL ROOMS' }]);
    const before = await bank.snapshot();
    const match = await bank.matched(BankFixtures.body(await shapeOf(first!, 'part')));
    expect(await openOf(own.id)).toEqual(['part_paid', 50_000]);
    expect(await refusal(second!, { kind: 'bill', id: own.id, amount_minor: 60_000 })).toMatchObject({
      code: 'bank_match.item_taken', message: expect.stringContaining('Only USD 500.00 is free') });
    await undoneExactly(before, match);
  });

  it('takes the early-payment discount in time, posted as the payment run does, and undone exactly', async () => {
    const account = await bank.account();
    const terms = { discount_ppm: 20_000, discount_days: 9 };
    const own = await bill(await vendor('Sullivan Sets'), 100_000, terms);
    const [line, late] = await bank.lines(account, [{ amount: '-980.00', name: 'SULLIVAN SETS', on: '2026-11-19' },
      { amount: '-980.00', name: 'SULLIVAN SETS' }]);
    const before = await bank.snapshot();
    expect(await shapeOf(late!, 'discount')).toBeUndefined();
    expect((await refusal(late!, { kind: 'bill', id: own.id, discount_minor: 2_000 })).errors.parts[0])
      .toContain('takes a discount of 20.00 up to November 19, 2026 only');
    expect((await refusal(line!, { kind: 'bill', id: own.id, discount_minor: 2_500 })).errors.parts[0])
      .toContain('takes a discount of 20.00 up to');
    await bank.staff.post(`${BASE}/bank_matching/auto`, { bank_account_id: account });
    const best = await shapeOf(line!, 'discount');
    expect(best).toMatchObject({ summary: expect.stringContaining('Amount and name agree'),
      parts: [{ id: own.id, amount_minor: -98_000, discount_minor: 2_000, open_minor: 100_000 }] });
    const match = await bank.matched(BankFixtures.body(best));
    expect(match.entries).toMatchObject([{ amount_minor: -98_000 }]);
    expect(await openOf(own.id)).toEqual(['paid', 0]);
    expect(await app.database.db.one(sql`select sum(e.amount_minor)::bigint as taken from journal_entries e
      join ledger_accounts a on a.id = e.ledger_account_id and a.code = '7080'`)).toEqual({ taken: -2_000 });
    expect((await ledgerIntegrity(app.database.db)).filter((check) => !check.ok)).toEqual([]);
    await undoneExactly(before, match);
  });

  it('finds bills with their discount and its last day, and takes several discounts at once', async () => {
    const account = await bank.account();
    const [of, until] = [await vendor('Tivoli Lamps'), '2026-11-25'];
    const terms = { discount_ppm: 20_000, discount_days: 15 };
    const bills = [await bill(of, 100_000, terms), await bill(of, 200_000, terms), await bill(of, 50_000)];
    const [line] = await bank.lines(account, [{ amount: '-3440.00', name: 'X' }]);
    const found = (await bank.staff.get(`${LINES}/${line}/open_items?search=Tivoli`)).body.data;
    expect(bills.map(({ id }) => found.find((part: { id: number }) => part.id === id).discount))
      .toEqual([{ amount_minor: 2_000, until }, { amount_minor: 4_000, until }, null]);
    const before = await bank.snapshot();
    const match = await bank.matched({ line_ids: [line], parts: bills.map(({ id }, k) => ({ kind: 'bill', id,
      discount_minor: [2_000, 4_000, 0][k] })) });
    expect(match.entries).toMatchObject([{ amount_minor: -344_000 }]);
    for (const { id } of bills) expect(await openOf(id)).toEqual(['paid', 0]);
    expect((await ledgerIntegrity(app.database.db)).filter((check) => !check.ok)).toEqual([]);
    await undoneExactly(before, match);
  });

  it('takes a fee of the bank beside the bill', async () => {
    const account = await bank.account();
    const own = await bill(await vendor('Lisbon Copyists'), 70_000);
    const [line] = await bank.lines(account, [{ amount: '-715.00', name: 'LISBON COPYISTS' }]);
    const before = await bank.snapshot();
    const fee = await shapeOf(line!, 'fee');
    expect(fee).toMatchObject({ fee_minor: 1_500, parts: [{ id: own.id, amount_minor: -70_000 }] });
    const match = await bank.matched(BankFixtures.body(fee));
    expect(match.entries.map((one: { amount_minor: number }) => one.amount_minor).sort()).toEqual([-1_500, -70_000]);
    await undoneExactly(before, match);
  });

  it('is found by vendor and amount among all open documents', async () => {
    const account = await bank.account();
    const own = await bill(await vendor('Harbour Insurance'), 123_400);
    const [line] = await bank.lines(account, [{ amount: '-1.00' }]);
    const found = async (query: string) => (await bank.staff.get(`${LINES}/${line}/open_items?${query}`)).body.data
      .map((one: { kind: string; id: number }) => `${one.kind} ${one.id}`);
    expect(await found('search=harbour')).toEqual([`bill ${own.id}`]);
    expect(await found('kind=bill&from_minor=123400&to_minor=123400')).toEqual([`bill ${own.id}`]);
    expect(await found('search=harbour&from_minor=123401')).toEqual([]);
  });
});

describe('a line of money in', () => {
  it('is the refund of a vendor credit, whole or in part', async () => {
    const account = await bank.account();
    const credit = await bill(await vendor('Paper Mill Trading'), 24_000, { kind: 'credit' });
    const [part, rest] = await bank.lines(account, [{ amount: '90.00', name: 'PAPER MILL TRADING' },
      { amount: '150.00', name: 'PAPER MILL TRADING' }]);
    const before = await bank.snapshot();
    const first = await bank.matched(BankFixtures.body(await shapeOf(part!, 'part')));
    expect(first.entries).toMatchObject([{ amount_minor: 9_000, posted_by_match: true }]);
    expect(await openOf(credit.id)).toEqual(['part_paid', 15_000]);
    const second = await bank.matched(BankFixtures.body(await shapeOf(rest!, 'whole')));
    expect(await openOf(credit.id)).toEqual(['paid', 0]);
    expect((await ledgerIntegrity(app.database.db)).filter((check) => !check.ok)).toEqual([]);
    for (const match of [second, first]) expect((await bank.undo(match.id)).status).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
  });
});

describe('what is not paid by a line', () => {
  it('a bill that is not approved, on hold, promised to a payment or dated after the line', async () => {
    const account = await bank.account();
    const of = await vendor('Lantern Hire');
    const [held, promised, later] = [await bill(of, 31_000), await bill(of, 31_000),
      await bill(of, 31_000, { billed_on: DAY })];
    const draft = await bank.draftBill(clerk, { vendor_id: of, net_minor: 31_000 });
    expect((await clerk.put(`${BASE}/bills/${held.id}/hold`, { version: held.version, reason: 'Disputed' })).status)
      .toBe(200);
    const paid = await clerk.post(`${BASE}/accounts_payable/payments`, { bank_account_id: account, method: 'wire',
      party_type: 'vendor', party_id: of, on: DAY, parts: [{ open_item_id: (await bank.itemOf(promised.id)),
        amount_minor: 31_000 }] });
    expect(paid.status, JSON.stringify(paid.body)).toBe(201);
    const [line] = await bank.lines(account, [{ amount: '-310.00', name: 'LANTERN HIRE', on: '2026-11-17' }]);
    const { suggestions, others, awaited } = await bank.candidates(line!);
    expect([...suggestions, ...others].flatMap((one: { parts: { kind: string }[] }) => one.parts)
      .filter((part: { kind: string }) => part.kind === 'bill')).toEqual([]);
    expect(awaited).toMatchObject([{ label: paid.body.data.number, party: 'Lantern Hire', amount_minor: -31_000,
      reason: 'It waits for approval.', href: `/admin/accounts-payable/payments/${paid.body.data.id}` }]);
    const part = (id: number) => ({ kind: 'bill', id, amount_minor: 31_000 });
    expect((await refusal(line!, part(held.id))).message).toContain('is on hold: Disputed');
    expect((await refusal(line!, part(promised.id))).message).toContain('A prepared payment pays');
    expect((await refusal(line!, part(draft.id))).code).toBe('bank_match.item_taken');
    expect((await refusal(line!, part(later.id))).errors.parts[0]).toContain('after the bank line');
  });

  it('by whoever approved the bill, or may not pay', async () => {
    const account = await bank.account();
    const own = await bill(await vendor('Gull Ticketing'), 8_800);
    const [line] = await bank.lines(account, [{ amount: '-88.00', name: 'GULL TICKETING' }]);
    const part = { kind: 'bill', id: own.id };
    expect(await refusal(line!, part, approver)).toMatchObject({ code: 'four_eyes' });
    const refusalTo = async (who: SignedIn) => (await who.get(`${LINES}/${line}`)).body.data.suggestions[0].parts[0]
      .refusal;
    const { number } = await billOf(own.id);
    expect(await refusalTo(approver)).toBe(`You approved ${number}. Someone else has to match its payment.`);
    expect(await refusalTo(bank.staff)).toBeNull();
    expect((await approver.get(`${LINES}/${line}/open_items?search=gull`)).body.data[0].refusal)
      .toContain('You approved');
    const permissions = ['bank_transaction.list', 'bank_transaction.show', 'bank_transaction.update'] as const;
    const reader = await app.signedIn('staff_user', { permissions: [...permissions, 'payment.create'] });
    expect(await refusal(line!, part, reader)).toMatchObject({ code: 'forbidden' });
    const payer = await app.signedIn('staff_user', { permissions: [...permissions, 'payment.create',
      'payment.updateStatus'] });
    expect((await payer.post(MATCHES, { line_ids: [line], parts: [part] })).status).toBe(201);
  });

  it('a vendor that tax is withheld from', async () => {
    const account = await bank.account();
    const of = await vendor('No Number Rigging');
    const own = await bill(of, 50_000);
    await app.database.db.exec(sql`update vendors set tax_1099_category = 'nec',
      backup_withholding_reason = 'no_tin',
      backup_withholding_from = '2026-01-01' where id = ${of}`);
    const [line] = await bank.lines(account, [{ amount: '-380.00', name: 'X' }]);
    expect((await refusal(line!, { kind: 'bill', id: own.id, amount_minor: 38_000 })).errors.parts[0])
      .toContain('Tax is withheld from payments to No Number Rigging');
  });
});

it('eight people at one line and one bill: one wins, the bill is paid once', async () => {
  const account = await bank.account();
  const own = await bill(await vendor('Eight Bells'), 66_600);
  const lines = await bank.lines(account, Array.from({ length: 8 }, () => ({ amount: '-666.00', name: 'X' })));
  const [line] = lines;
  const same = await Promise.all(Array.from({ length: 8 }, () => bank.match({ line_ids: [line],
    parts: [{ kind: 'bill', id: own.id }] })));
  expect(same.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  const others = await Promise.all(lines.slice(1).map((id) => bank.match({ line_ids: [id],
    parts: [{ kind: 'bill', id: own.id, amount_minor: 66_600 }] })));
  expect(others.map((answer) => answer.status)).toEqual(Array.from({ length: 7 }, () => 409));
  const next = await bill(await vendor('Eight Bells Two'), 66_600);
  const race = await Promise.all(lines.slice(1).map((id) => bank.match({ line_ids: [id],
    parts: [{ kind: 'bill', id: next.id, amount_minor: 66_600 }] })));
  expect(race.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect([await openOf(own.id), await openOf(next.id)]).toEqual([['paid', 0], ['paid', 0]]);
});

it('is matched by itself where nothing is in doubt, never while a payment of that amount waits', async () => {
  const account = await bank.account();
  const of = await vendor('Meridian Telecom');
  const first = await bill(of, 7_700, { vendor_number: 'MT-991177' });
  const [sure] = await bank.lines(account, [{ amount: '-77.00', name: 'MERIDIAN TELECOM', memo: 'MT-991177' }]);
  expect((await bank.candidates(sure!)).match).toMatchObject({ made_by: 'auto', score: 93,
    reasons: expect.arrayContaining([{ points: 30, text: "Vendor's number MT-991177 is in the text" }]) });
  expect(await openOf(first.id)).toEqual(['paid', 0]);
  const [second, third] = [await bill(of, 7_700, { vendor_number: 'MT-991178' }), await bill(of, 7_700)];
  await clerk.post(`${BASE}/accounts_payable/payments`, { bank_account_id: account, method: 'wire',
    party_type: 'vendor', party_id: of, on: DAY, parts: [{ open_item_id: await bank.itemOf(third.id),
      amount_minor: 7_700 }] });
  const [doubted] = await bank.lines(account, [{ amount: '-77.00', name: 'MERIDIAN TELECOM', memo: 'MT-991178' }]);
  expect((await bank.candidates(doubted!)).match).toBeNull();
  expect(await openOf(second.id)).toEqual(['approved', 7_700]);
});
