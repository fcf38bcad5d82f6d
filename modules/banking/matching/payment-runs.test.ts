/** A payment run that the bank books as one debit is one item, whatever its size, also where payments came back. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { approveDisbursement, makeDisbursement, postPaymentRuns, returnDisbursement }
  from '#modules/payables/payables.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { BankFixtures, BASE, DAY, LINES } from '#tests/support/bank-lines.ts';
import { command } from '#tests/support/receivables.ts';

const app = testApp();
let bank: BankFixtures;
let vendor: number;
beforeAll(async () => {
  bank = await BankFixtures.make(app);
  await app.signedIn('staff_admin');
  ({ id: vendor } = await app.database.db.one<{ id: number }>(sql`
    insert into vendors (name) values ('Alder Print') returning id`));
});

let source = 910_000;
interface Run { id: number; number: string; payments: number[] }
/** A run by ACH on the account, with a payment of each amount, posted unless told otherwise. */
async function run(account: number, amounts: readonly number[], status: 'exported' | 'posted' = 'posted'):
Promise<Run> {
  const { db, owner } = app.database;
  const by = await db.query<{ id: number }>(sql`select id from users order by id limit 2`);
  const made = await owner.one<{ id: number; number: string }>(sql`
    insert into payment_runs (number, division, currency, bank_account_id, method, due_by, value_on, status,
      created_by_id, approved_by_id, approved_at, approved_hash)
    values (next_number('payment_run', 'US', ${DAY}), 'US', 'USD', ${account}, 'ach', ${DAY},
      ${status === 'posted' ? DAY : '2026-12-24'}, 'exported', ${by[0]!.id}, ${by[1]!.id}, now(), 'x')
    returning id, number`);
  const payments = await command(app.ports, async (ctx) => {
    const ids: number[] = [];
    source += 1;
    const line = (code: string, amount: bigint) => ({ account: code, currency: 'USD' as const, amount, base: amount,
      ...(code === '2000' ? { party: { type: 'vendor' as const, id: vendor }, due_date: DAY } : {}) });
    const { transaction_id } = await postJournal(ctx.db, { division: 'US', kind: 'bill', transaction_at: DAY,
      description: 'Bills', source: { type: 'bill', id: source, event: 'approved', attempt: 1 },
      lines: [line('6200', BigInt(amounts.reduce((all, one) => all + one, 0))),
        ...amounts.map((amount) => line('2000', -BigInt(amount)))] });
    const items = await ctx.db.query<{ id: number; minor: number }>(sql`
      select id, -open_minor as minor from open_items where transaction_id = ${transaction_id} order by id`);
    for (const { id: open_item_id, minor } of items) {
      const { payment_id } = await makeDisbursement(ctx, { division: 'US', currency: 'USD', bank_account_id: account,
        method: 'ach', party_type: 'vendor', party_id: vendor, on: DAY, memo: '', payment_run_id: made.id,
        parts: [{ open_item_id, amount_minor: minor }] });
      await approveDisbursement(ctx, payment_id);
      ids.push(payment_id);
    }
    return ids;
  });
  if (status === 'posted') expect(await postPaymentRuns(app.ports)).toBe(1);
  return { ...made, payments };
}
const comesBack = (payment: number) => command(app.ports, (ctx) => returnDisbursement(ctx, payment, DAY, 'R03'));
const states = async ({ id }: Run) => (await app.database.db.query<{ state: string }>(sql`
  select distinct status || ' ' || coalesce(outcome, '-') as state from payments where payment_run_id = ${id}
  order by 1`)).map((row) => row.state);
const search = async (line: number, text: string) =>
  (await bank.staff.get(`${LINES}/${line}/open_items?search=${encodeURIComponent(text)}`)).body.data;
const ofKind = (of: { parts: { kind: string }[] }[], kind: string) => of.find(({ parts }) => parts[0]?.kind === kind);

describe('a payment run at the bank', () => {
  it('of more than 100 payments is matched in one step with one debit, and undone in one', async () => {
    const account = await bank.account();
    const made = await run(account, Array.from({ length: 101 }, (_, k) => 1_000 + k));
    const [line] = await bank.lines(account, [{ amount: '-1060.50', name: 'ACH DEBIT', memo: made.number }]);
    const before = await bank.snapshot();
    const { suggestions: [best] } = await bank.candidates(line!);
    expect(best).toMatchObject({ shape: 'whole', score: 85,
      parts: [{ kind: 'payment_run', id: made.id, label: `${made.number}, 101 payments`, amount_minor: -106_050 }] });
    const match = await bank.matched(BankFixtures.body(best));
    expect(match.entries).toHaveLength(101);
    expect(await states(made)).toEqual(['cleared settled']);
    expect((await bank.undo(match.id)).status).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
    expect(await states(made)).toEqual(['posted -']);
  });

  it('is found by amount and day alone, and by its number where the bank writes it without hyphens', async () => {
    const account = await bank.account();
    const made = await run(account, [10_000, 20_000]);
    const [bare, named] = await bank.lines(account, [{ amount: '-300.00', name: 'ACH SETTLEMENT' },
      { amount: '-1.00', name: `ACH ${made.number.replaceAll('-', '')}` }]);
    const { suggestions, others } = await bank.candidates(bare!);
    expect(ofKind([...suggestions, ...others], 'payment_run')).toMatchObject({ shape: 'whole', score: 55 });
    expect(await search(named!, made.number)).toEqual(expect.arrayContaining([
      expect.objectContaining({ kind: 'payment_run', id: made.id, amount_minor: -30_000, refusal: null })]));
  });

  it('says before its posting when it is posted, and takes no match', async () => {
    const account = await bank.account();
    const made = await run(account, [10_000, 20_000], 'exported');
    const [line] = await bank.lines(account, [{ amount: '-300.00', memo: made.number }]);
    expect((await bank.candidates(line!)).awaited).toContainEqual(expect.objectContaining({ label: made.number }));
    expect(await search(line!, made.number)).toMatchObject([{ kind: 'payment_run', id: made.id,
      refusal: expect.stringContaining('its value date') }]);
    const { status, body } = await bank.match({ line_ids: [line], parts: [{ kind: 'payment_run', id: made.id }] });
    expect([status, body.code]).toEqual([409, 'bank_match.item_taken']);
  });

  it('is matched whole where a payment came back, and the credit of the bank by itself', async () => {
    const account = await bank.account();
    const made = await run(account, [10_000, 20_000, 2_500]);
    await comesBack(made.payments[2]!);
    const [debit, credit] = await bank.lines(account, [{ amount: '-325.00', memo: made.number },
      { amount: '25.00', name: 'ACH RETURN' }]);
    const { suggestions: [best] } = await bank.candidates(debit!);
    expect(best.parts).toMatchObject([{ kind: 'payment_run', amount_minor: -32_500 }]);
    await bank.matched(BankFixtures.body(best));
    const back = (await search(credit!, '')).find((one: { amount_minor: number }) => one.amount_minor === 2_500);
    await bank.matched({ line_ids: [credit], parts: [{ kind: 'ledger_line', id: back.id }] });
    expect(await states(made)).toEqual(['cleared settled', 'returned rejected']);
    expect((await ledgerIntegrity(app.database.db)).filter((check) => !check.ok)).toEqual([]);
  });

  it('is matched without what came back where the bank took that off, also credit first', async () => {
    const account = await bank.account();
    const [first, second] = [await run(account, [10_000, 20_000, 2_500]), await run(account, [10_000, 20_000, 2_600])];
    await comesBack(first.payments[2]!);
    await comesBack(second.payments[2]!);
    const [net, credit, whole] = await bank.lines(account, [{ amount: '-300.00', memo: first.number },
      { amount: '26.00', name: 'ACH RETURN' }, { amount: '-326.00', memo: second.number }]);
    const { suggestions } = await bank.candidates(net!);
    expect(ofKind(suggestions, 'payment_run_net')).toMatchObject({ shape: 'whole' });
    await bank.matched(BankFixtures.body(ofKind(suggestions, 'payment_run_net') as never));
    const back = (await search(credit!, '')).find((one: { amount_minor: number }) => one.amount_minor === 2_600);
    await bank.matched({ line_ids: [credit], parts: [{ kind: 'ledger_line', id: back.id }] });
    await bank.matched(BankFixtures.body((await bank.candidates(whole!)).suggestions[0]));
    expect([await states(first), await states(second)]).toEqual([['cleared settled', 'returned rejected'],
      ['cleared settled', 'returned rejected']]);
  });

  it('is not chosen together with one of its payments', async () => {
    const account = await bank.account();
    const made = await run(account, [10_000, 20_000]);
    const [line] = await bank.lines(account, [{ amount: '-400.00' }]);
    const entry = (await search(line!, '')).find((one: { kind: string }) => one.kind === 'ledger_line');
    const { status, body } = await bank.match({ line_ids: [line], parts: [{ kind: 'payment_run', id: made.id },
      { kind: 'ledger_line', id: entry.id }] });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['parts']]);
  });

  it('is matched in the reconciliation of its account, which is finished then', async () => {
    const account = await bank.account();
    const made = await run(account, [10_000, 20_000]);
    const [line] = await bank.lines(account, [{ amount: '-300.00', name: 'ACH SETTLEMENT' }]);
    const begun = await bank.staff.post(`${BASE}/reconciliations`, { bank_account_id: account, to_on: DAY,
      closing_minor: -30_000 });
    expect(begun.status, JSON.stringify(begun.body)).toBe(201);
    const work = async () => (await bank.staff.get(`${BASE}/reconciliation?bank_account_id=${account}`)).body.data;
    expect((await work()).runs).toMatchObject([{ kind: 'payment_run', id: made.id, amount_minor: -30_000 }]);
    const answer = await bank.staff.post(`${BASE}/reconciliation`, { bank_transaction_ids: [line],
      is_reconciled: true, runs: [{ kind: 'payment_run', id: made.id }] });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await work()).toMatchObject({ runs: [], blocks: [], figures: { difference_minor: 0 } });
    const { version } = begun.body.data;
    expect((await bank.staff.put(`${BASE}/reconciliations/${begun.body.data.id}/finish`, { version })).status)
      .toBe(200);
  });
});

describe('the undo of a match', () => {
  it('leaves a payment settled that the bank or a person settled before, with its day', async () => {
    const account = await bank.account();
    const made = await run(account, [10_000, 20_000]);
    const { db, owner } = app.database;
    await owner.exec(sql`update payments set status = 'cleared', outcome = 'settled', outcome_on = '2026-11-15'
      where id = ${made.payments[0]!}`);
    const rows = () => db.query(sql`select id, status, outcome, outcome_on::text, settled_by from payments
      where payment_run_id = ${made.id} order by id`);
    const before = await rows();
    const [line] = await bank.lines(account, [{ amount: '-300.00' }]);
    const match = await bank.matched({ line_ids: [line], parts: [{ kind: 'payment_run', id: made.id }] });
    expect(await rows()).toMatchObject([{ status: 'cleared', outcome_on: '2026-11-15', settled_by: null },
      { status: 'cleared', outcome_on: DAY, settled_by: 'match' }]);
    expect((await bank.undo(match.id)).status).toBe(200);
    expect(await rows()).toEqual(before);
  });
});
