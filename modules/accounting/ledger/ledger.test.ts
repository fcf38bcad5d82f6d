import { expect, it } from 'vitest';
import type { JournalDraft } from '#kernel/ledger/journal.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import {
  allocate, nextNumber, openItem, postJournal, postJournals, rateOn, reverseTransaction, unallocate,
} from '../accounting.public.server.ts';

const at = testDatabase();

const customer = (id: number) => ({ type: 'customer', id } as const);

function invoice(id: number, minor: bigint, extra: Partial<JournalDraft> = {}): JournalDraft {
  return {
    division: 'US', kind: 'invoice', transaction_at: '2026-01-15', description: `Invoice ${id}`,
    source: { type: 'invoice', id, event: 'issued', attempt: 1 },
    lines: [
      { account: '1100', currency: 'USD', amount: minor, base: minor, party: customer(7), due_date: '2026-02-14' },
      { account: '2100', currency: 'USD', amount: -minor, base: -minor, party: customer(7) },
    ],
    ...extra,
  };
}

function receipt(id: number, minor: bigint): JournalDraft {
  return {
    division: 'US', kind: 'receipt', transaction_at: '2026-01-20', description: `Receipt ${id}`,
    source: { type: 'receipt', id, event: 'posted', attempt: 1 },
    lines: [
      { account: '1000', currency: 'USD', amount: minor, base: minor },
      { account: '1100', currency: 'USD', amount: -minor, base: -minor, party: customer(7) },
    ],
  };
}

it('posts once per source event, and answers a repeat with the earlier posting', async () => {
  const first = await postJournal(at.db, invoice(1, 128_400n));
  expect(first.replayed).toBe(false);
  expect(await postJournal(at.db, invoice(1, 999n))).toEqual({ transaction_id: first.transaction_id,
    replayed: true });
  const header = await at.db.one<{ direction: string; total_minor: number; status: string }>(sql`
    select direction, total_minor, status from transactions where id = ${first.transaction_id}`);
  expect(header).toEqual({ direction: 'neutral', total_minor: 128_400, status: 'posted' });
});

it('posts many in one call, replays among them, all or none', async () => {
  const one = await postJournal(at.db, invoice(10, 100n));
  const many = await postJournals(at.db, [invoice(11, 200n), invoice(10, 100n), receipt(11, 200n)]);
  expect(many.map((p) => p.replayed)).toEqual([false, true, false]);
  expect(many[1]!.transaction_id).toBe(one.transaction_id);
  const bad = invoice(13, 300n);
  bad.lines[1]!.amount = -299n;
  bad.lines[1]!.base = -299n;
  await expect(postJournals(at.db, [invoice(12, 200n), bad])).rejects.toMatchObject({
    code: 'invalid', facts: { ledger: 'ACCT_UNBALANCED' } });
  expect(await at.db.query(sql`select 1 from transactions where source_type = 'invoice' and source_id = 12`))
    .toEqual([]);
});

it('applies a receipt to an invoice, never beyond it, and takes it back', async () => {
  const inv = await postJournal(at.db, invoice(20, 10_000n));
  const rec = await postJournal(at.db, receipt(20, 15_000n));
  const debit = await openItem(at.db, { transaction_id: inv.transaction_id, account: '1100' });
  const credit = await openItem(at.db, { transaction_id: rec.transaction_id, account: '1100' });
  expect([debit.original_minor, debit.due_date, credit.original_minor]).toEqual([10_000, '2026-02-14', -15_000]);
  const pair = { debit_item_id: debit.id, credit_item_id: credit.id, allocated_at: '2026-01-20', actor_id: null };
  const made = await allocate(at.db, { ...pair, amount_minor: 6_000n });
  expect(made.fx_transaction_id).toBeNull();
  await expect(allocate(at.db, { ...pair, amount_minor: 4_001n })).rejects.toMatchObject({ code: 'conflict' });
  await expect(reverseTransaction(at.db, { transaction_id: inv.transaction_id, transaction_at: '2026-02-01',
    reason: 'x', document: { type: 'invoice', id: 20 },
    actor_id: null })).rejects.toMatchObject({ facts: { ledger: 'ACCT_ALLOCATED' } });
  await unallocate(at.db, { allocation_id: made.allocation_id, allocated_at: '2026-01-21', actor_id: null });
  await expect(unallocate(at.db, { allocation_id: made.allocation_id, allocated_at: '2026-01-21', actor_id: null }))
    .rejects.toMatchObject({ facts: { ledger: 'ACCT_ALLOCATION' } });
  await reverseTransaction(at.db, { transaction_id: inv.transaction_id, transaction_at: '2026-02-01', reason: 'x',
    document: { type: 'invoice', id: 20 }, actor_id: null });
  const after = await openItem(at.db, { transaction_id: inv.transaction_id, account: '1100' });
  expect([after.open_minor, after.open_base_minor]).toEqual([0, 0]);
});

it('books the realised exchange difference at the application and takes it back (event 19)', async () => {
  const eur = (account: string, amount: bigint, base: bigint, party?: ReturnType<typeof customer>) =>
    ({ account, currency: 'EUR', amount, base, ...(party ? { party } : {}) } as const);
  const inv = await postJournal(at.db, { ...invoice(30, 0n),
    lines: [eur('1100', 100_000n, 110_000n, customer(9)), eur('2100', -100_000n, -110_000n, customer(9))] });
  const rec = await postJournal(at.db, { ...receipt(30, 0n),
    lines: [eur('1001', 100_000n, 112_000n), eur('1100', -100_000n, -112_000n, customer(9))] });
  const debit = await openItem(at.db, { transaction_id: inv.transaction_id, account: '1100' });
  const credit = await openItem(at.db, { transaction_id: rec.transaction_id, account: '1100' });
  const made = await allocate(at.db, { debit_item_id: debit.id, credit_item_id: credit.id, amount_minor: 100_000n,
    allocated_at: '2026-01-20', actor_id: null });
  const lines = await at.db.query(sql`
    select a.code, e.currency, e.amount_minor, e.base_amount_minor from journal_entries e
      join ledger_accounts a on a.id = e.ledger_account_id where transaction_id = ${made.fx_transaction_id} order by
        line_no`);
  expect(lines).toEqual([
    { code: '1100', currency: 'EUR', amount_minor: 0, base_amount_minor: 2_000 },
    { code: '7000', currency: 'USD', amount_minor: -2_000, base_amount_minor: -2_000 },
  ]);
  const undone = await unallocate(at.db, { allocation_id: made.allocation_id, allocated_at: '2026-01-22',
    actor_id: null });
  const status = await at.db.one<{
    status: string }>(sql`select status from transactions where id = ${made.fx_transaction_id}`);
  expect([status.status, undone.fx_transaction_id === null]).toEqual(['reversed', false]);
});

it('applies no more than a credit holds, in the words of the ledger', async () => {
  const inv = await postJournal(at.db, invoice(21, 10_000n));
  const rec = await postJournal(at.db, receipt(21, 6_000n));
  const debit = await openItem(at.db, { transaction_id: inv.transaction_id, account: '1100' });
  const credit = await openItem(at.db, { transaction_id: rec.transaction_id, account: '1100' });
  const pair = { debit_item_id: debit.id, credit_item_id: credit.id, allocated_at: '2026-01-20', actor_id: null };
  await expect(allocate(at.db, { ...pair, amount_minor: 6_001n })).rejects.toMatchObject({
    facts: { ledger: 'ACCT_OVER_APPLIED' } });
  expect((await allocate(at.db, { ...pair, amount_minor: 6_000n })).fx_transaction_id).toBeNull();
});

it('rounds the base of a part at the rate of its item, once (event 19)', async () => {
  const eur = (account: string, amount: bigint, base: bigint, party?: ReturnType<typeof customer>) =>
    ({ account, currency: 'EUR', amount, base, fx_rate: '1.1065', ...(party ? { party } : {}) } as const);
  const inv = await postJournal(at.db, { ...invoice(31, 0n),
    lines: [eur('1100', 1_000n, 1_107n, customer(9)), eur('2100', -1_000n, -1_107n, customer(9))] });
  const rec = await postJournal(at.db, { ...receipt(31, 0n),
    lines: [eur('1001', 1_000n, 1_107n), eur('1100', -1_000n, -1_107n, customer(9))] });
  const debit = await openItem(at.db, { transaction_id: inv.transaction_id, account: '1100' });
  const credit = await openItem(at.db, { transaction_id: rec.transaction_id, account: '1100' });
  await allocate(at.db, { debit_item_id: debit.id, credit_item_id: credit.id, amount_minor: 5n,
    allocated_at: '2026-01-20', actor_id: null });
  const after = await openItem(at.db, { transaction_id: inv.transaction_id, account: '1100' });
  // 5 at 1.1065 is 5.5325, rounded to 6 and not cut to 5.
  expect([after.open_minor, after.open_base_minor]).toEqual([995, 1_101]);
});

it('gives back a number that a rollback did not use', async () => {
  const series = { division: 'US', kind: 'invoice', scope: '2026' } as const;
  await at.db.tx(async (tx) => { await nextNumber(tx, series); });
  await expect(at.db.tx(async (tx) => { await nextNumber(tx, series); throw new Error('no'); }))
    .rejects.toThrow('no');
  expect(await at.db.tx((tx) => nextNumber(tx, series))).toEqual({ n: 2, number: 'INV-US-2026-000002' });
});

it('finds the rate last published on or before a day, direct, inverted or through EUR', async () => {
  await at.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source) values
    ('EUR', 'USD', '2026-01-02', 1.10, 'ecb'), ('EUR', 'GBP', '2026-01-02', 0.85, 'ecb'),
    ('EUR', 'USD', '2026-01-05', 1.12, 'ecb')`);
  expect(await rateOn(at.db, 'EUR', 'USD', '2026-01-04')).toEqual({ rate: '1.1000000000', on_date: '2026-01-02',
    source: 'ecb' });
  expect((await rateOn(at.db, 'USD', 'EUR', '2026-01-09'))?.rate).toBe('0.8928571429');
  expect((await rateOn(at.db, 'USD', 'GBP', '2026-01-04'))?.rate).toBe('0.7727272727');
  expect(await rateOn(at.db, 'EUR', 'USD', '2025-12-31')).toBeNull();
});
