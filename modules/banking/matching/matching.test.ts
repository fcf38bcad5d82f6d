// cspell:ignore CAPL
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { approveDisbursement, makeDisbursement, postDisbursement }
  from '#modules/payables/payables.public.server.ts';
import { returnReceipt } from '#modules/receivables/receivables.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { command } from '#tests/support/receivables.ts';
import { BankFixtures, BASE, DAY, LINES, MATCHES } from '#tests/support/bank-lines.ts';

const app = testApp();
let bank: BankFixtures;
let ravenswood: number;
let castle: number;
beforeAll(async () => {
  bank = await BankFixtures.make(app);
  ravenswood = await bank.customer('Ravenswood Playhouse');
  castle = await bank.customer('Castle Players');
});

const stateOf = async (line: number) => (await bank.candidates(line)).line.bank_match_id;
const accountCode = async (code: string): Promise<number> => (await app.database.db.one<{ id: number }>(sql`
  select id from ledger_accounts where division = 'US' and code = ${code}`)).id;
/** Matched, undone, and everything is as it was. */
async function undoneExactly(before: object, match: { id: number }): Promise<void> {
  expect((await bank.undo(match.id)).status).toBe(200);
  expect(await bank.snapshot()).toEqual(before);
}

describe('a suggestion', () => {
  it('names its score and reasons, and is accepted as it stands: one line, one receipt', async () => {
    const account = await bank.account();
    const receipt = await bank.receipt(account, ravenswood, 128_400);
    const [line] = await bank.lines(account, [{ amount: '1284.00', name: 'RAVENSWOOD PLAYHOUSE INC' }]);
    const before = await bank.snapshot();
    const { suggestions: [best] } = await bank.candidates(line!);
    expect(best).toMatchObject({ shape: 'whole', score: 70, parts: [{ kind: 'ledger_line', label: receipt.number,
      amount_minor: 128_400 }] });
    expect(best.reasons.map((one: { text: string }) => one.text)).toEqual(['Amount agrees', 'Name agrees', 'Same day']);
    const match = await bank.matched(BankFixtures.body(best));
    expect(match).toMatchObject({ made_by: 'person', score: 70, lines: [{ id: line }],
      entries: [{ ledger_line_id: receipt.ledger_line_id, posted_by_match: false }] });
    expect(await stateOf(line!)).toBe(match.id);
    expect((await bank.staff.get(`${LINES}?bank_account_id=${account}&matched=false`)).body.data).toEqual([]);
    await undoneExactly(before, match);
  });

  it('finds the receipts that make up one deposit', async () => {
    const account = await bank.account();
    for (const minor of [40_000, 35_050, 12_345]) await bank.receipt(account, castle, minor);
    const [line] = await bank.lines(account, [{ amount: '873.95', name: 'DEPOSIT CASTLE PLAYERS' }]);
    const before = await bank.snapshot();
    const { suggestions: [best] } = await bank.candidates(line!);
    expect([best.shape, best.parts.length]).toEqual(['combined', 3]);
    await undoneExactly(before, await bank.matched(BankFixtures.body(best)));
  });

  it('takes a fee off a payment: the invoice is paid whole, the fee is posted, both land on the account', async () => {
    const account = await bank.account();
    const invoice = await bank.invoice(ravenswood, 130_000);
    const [line] = await bank.lines(account, [{ amount: '1285.00', name: 'RAVENSWOOD PLAYHOUSE',
      memo: invoice.number }]);
    const before = await bank.snapshot();
    const { others } = await bank.candidates(line!);
    const fee = others.find((one: { shape: string }) => one.shape === 'fee');
    expect(fee).toMatchObject({ fee_minor: 1_500,
      parts: [{ kind: 'invoice', id: invoice.id, amount_minor: 130_000 }] });
    const match = await bank.matched(BankFixtures.body(fee));
    expect(match.entries.map((one: { amount_minor: number }) => one.amount_minor).sort()).toEqual([-1_500, 130_000]);
    expect(await app.database.db.one(sql`select status, balance_minor from invoices where id = ${invoice.id}`))
      .toEqual({ status: 'paid', balance_minor: 0 });
    await undoneExactly(before, match);
  });

  it('pays part of an invoice; undone, the invoice is open as before', async () => {
    const account = await bank.account();
    const invoice = await bank.invoice(castle, 200_000);
    const [line] = await bank.lines(account, [{ amount: '500.00', name: 'CASTLE PLAYERS', memo: invoice.number }]);
    const before = await bank.snapshot();
    const found = await bank.candidates(line!);
    const part = [...found.suggestions, ...found.others].find((one: { shape: string; parts: { id: number }[] }) =>
      one.shape === 'part' && one.parts[0]!.id === invoice.id);
    expect(part.parts).toMatchObject([{ amount_minor: 50_000, open_minor: 200_000 }]);
    const match = await bank.matched(BankFixtures.body(part));
    const row = await app.database.db.one(sql`select status, balance_minor from invoices where id = ${invoice.id}`);
    expect(row).toEqual({ status: 'part_paid', balance_minor: 150_000 });
    await undoneExactly(before, match);
  });

  it('puts what is beyond an invoice on account of its customer', async () => {
    const account = await bank.account();
    const invoice = await bank.invoice(castle, 70_000);
    const [line] = await bank.lines(account, [{ amount: '900.00', name: 'CASTLE PLAYERS', memo: invoice.number }]);
    const before = await bank.snapshot();
    const found = await bank.candidates(line!);
    const rest = [...found.suggestions, ...found.others].find((one: { shape: string; parts: { id: number }[] }) =>
      one.shape === 'rest' && one.parts[0]!.id === invoice.id);
    expect(rest.on_account).toEqual({ customer_id: castle, amount_minor: 20_000 });
    const match = await bank.matched(BankFixtures.body(rest));
    expect(match.entries).toMatchObject([{ amount_minor: 90_000 }]);
    await undoneExactly(before, match);
  });

  it('finds several lines that pay one entry of the ledger', async () => {
    const account = await bank.account();
    const receipt = await bank.receipt(account, ravenswood, 99_000);
    const [first, second] = await bank.lines(account, [{ amount: '600.00', name: 'RAVENSWOOD PLAYHOUSE' },
      { amount: '390.00', name: 'RAVENSWOOD PLAYHOUSE' }]);
    const before = await bank.snapshot();
    const { suggestions } = await bank.candidates(first!);
    const group = suggestions.find((one: { shape: string }) => one.shape === 'lines');
    expect(group).toMatchObject({ line_ids: [first, second], parts: [{ id: receipt.ledger_line_id }] });
    await undoneExactly(before, await bank.matched(BankFixtures.body(group)));
  });
});

it('a payment to a vendor is known by its name', async () => {
  const account = await bank.account();
  const { id: vendor } = await app.database.db.one<{ id: number }>(sql`
    insert into vendors (name) values ('Alder Print') returning id`);
  const line = (code: string, amount: bigint) => ({ account: code, currency: 'USD' as const, amount, base: amount,
    ...(code === '2000' ? { party: { type: 'vendor' as const, id: vendor }, due_date: DAY } : {}) });
  const { transaction_id } = await command(app.ports, (ctx) => postJournal(ctx.db, { division: 'US', kind: 'bill',
    transaction_at: DAY, description: 'Bill', source: { type: 'bill', id: 900_001, event: 'approved', attempt: 1 },
    lines: [line('6200', 15_300n), line('2000', -15_300n)] }));
  const { id: open_item_id } = await app.database.db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${transaction_id}`);
  const { payment_id } = await command(app.ports, (ctx) => makeDisbursement(ctx, { division: 'US', currency: 'USD',
    bank_account_id: account, method: 'ach', party_type: 'vendor', party_id: vendor, on: DAY, memo: '',
    parts: [{ open_item_id, amount_minor: 15_300 }] }));
  await command(app.ports, (ctx) => approveDisbursement(ctx, payment_id));
  await command(app.ports, (ctx) => postDisbursement(ctx, payment_id, DAY));
  const [paid] = await bank.lines(account, [{ amount: '-153.00', name: 'ALDER PRINT' }]);
  const { suggestions: [best] } = await bank.candidates(paid!);
  expect(best.reasons.map((one: { text: string }) => one.text)).toContain('Name agrees');
});

describe('find and match', () => {
  it('finds by customer and amount, and one line pays invoices of two customers with one receipt each', async () => {
    const account = await bank.account();
    const [a, b, c] = [await bank.invoice(ravenswood, 11_100), await bank.invoice(ravenswood, 22_200),
      await bank.invoice(castle, 33_300)];
    const [line] = await bank.lines(account, [{ amount: '666.00' }]);
    const found = (await bank.staff.get(
      `${LINES}/${line}/open_items?search=ravenswood&from_minor=11100&to_minor=22200`)).body.data;
    expect(found.map((one: { id: number }) => one.id)).toEqual(expect.arrayContaining([a.id, b.id]));
    expect(found.map((one: { id: number }) => one.id)).not.toContain(c.id);
    const before = await bank.snapshot();
    const match = await bank.matched({ line_ids: [line], parts: [a, b, c].map(({ id }) => ({ kind: 'invoice', id })) });
    expect(match.entries.map((one: { amount_minor: number }) => one.amount_minor).sort()).toEqual([33_300, 33_300]);
    const receipts = await app.database.db.query(sql`select d.document_type from bank_match_documents d
      where d.bank_match_id = ${match.id}`);
    expect(receipts).toEqual([{ document_type: 'payment' }, { document_type: 'payment' }]);
    await undoneExactly(before, match);
  });

  it('creates what a line is: a bank charge, interest, a receipt on account', async () => {
    const account = await bank.account();
    const [charge, interest, gift] = await bank.lines(account, [{ amount: '-38.50', name: 'MONTHLY FEE' },
      { amount: '4.20', name: 'INTEREST' }, { amount: '75.00', name: 'SOMEONE' }]);
    const before = await bank.snapshot();
    const entry = async (line: number, amount_minor: number) => bank.matched({ line_ids: [line],
      entries: [{ ledger_account_id: await accountCode('6100'), amount_minor, memo: 'November' }] });
    const made = [await entry(charge!, -3_850), await entry(interest!, 420),
      await bank.matched({ line_ids: [gift], on_account: { customer_id: castle, amount_minor: 7_500 } })];
    expect(made.map((one) => one.entries[0].posted_by_match)).toEqual([true, true, true]);
    for (const match of made) expect((await bank.undo(match.id)).status).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
  });
});

describe('a bank rule', () => {
  it('fills in the entry of its lines, and the party it names is a reason of a suggestion', async () => {
    const account = await bank.account();
    const receipt = await bank.receipt(account, castle, 31_700);
    const rule = await bank.staff.post(`${BASE}/bank_rules`, { name: 'Castle', division: 'US', kind: 'receipt',
      direction: 'in', bank_account_id: account, party_id: castle, memo: 'Castle by wire',
      conditions: [{ field: 'text', operator: 'contains', value: 'CAPL' }] });
    expect(rule.status, JSON.stringify(rule.body)).toBe(201);
    const [line, other] = await bank.lines(account, [{ amount: '317.00', name: 'CAPL 77' }, { amount: '317.00' }]);
    const { rule: found, suggestions: [best] } = await bank.candidates(line!);
    expect(found).toMatchObject({ id: rule.body.data.id, kind: 'receipt', party_id: castle, memo: 'Castle by wire' });
    expect(best).toMatchObject({ score: 65, parts: [{ id: receipt.ledger_line_id }] });
    expect(best.reasons).toContainEqual({ points: 10, text: 'A bank rule names the party' });
    expect((await bank.candidates(other!)).rule).toBeNull();
  });
});

describe('a transfer', () => {
  it('is made of the lines of two accounts, and both are undone together', async () => {
    const [one, two] = [await bank.account(), await bank.account()];
    const [out] = await bank.lines(one, [{ amount: '-77.77', on: '2026-11-18' }]);
    const [into] = await bank.lines(two, [{ amount: '77.77', on: '2026-11-19' }]);
    const before = await bank.snapshot();
    const found = await bank.candidates(out!);
    const pair = [...found.suggestions, ...found.others].find((each: { shape: string }) => each.shape === 'transfer');
    expect(pair.transfer).toMatchObject({ bank_account_id: two, bank_transaction_id: into });
    const match = await bank.matched(BankFixtures.body(pair));
    const other = await stateOf(into!);
    expect([await stateOf(out!), typeof other]).toEqual([match.id, 'number']);
    expect((await bank.undo(other)).status).toBe(200);
    expect(await bank.snapshot()).toEqual(before);
  });

  it('in transit arrives with its line; undone, it is in transit again and can arrive once more', async () => {
    const [one, two] = [await bank.account(), await bank.account()];
    const sent = (await bank.staff.post(`${BASE}/bank_transfers`, { from_bank_account_id: one, to_bank_account_id: two,
      amount_minor: 54_321, sent_on: '2026-11-18' })).body.data;
    const [line] = await bank.lines(two, [{ amount: '543.21', memo: sent.number }]);
    const before = await bank.snapshot();
    const { suggestions: [best] } = await bank.candidates(line!);
    expect(best.parts).toMatchObject([{ kind: 'bank_transfer', id: sent.id }]);
    await undoneExactly(before, await bank.matched(BankFixtures.body(best)));
    await bank.matched(BankFixtures.body(best));
    const { status } = (await bank.staff.get(`${BASE}/bank_transfers/${sent.id}`)).body.data;
    expect(status).toBe('received');
    expect((await ledgerIntegrity(app.database.db)).filter((check) => !check.ok)).toEqual([]);
  });
});

describe('what is refused', () => {
  it('sides that differ, a line or a document twice, lines of two accounts, entries of another account', async () => {
    const [account, other] = [await bank.account(), await bank.account()];
    const receipt = await bank.receipt(other, castle, 5_000);
    const [line] = await bank.lines(account, [{ amount: '50.00' }]);
    const [foreign] = await bank.lines(other, [{ amount: '50.00' }]);
    const field = async (body: object) => Object.keys((await bank.match(body)).body.errors ?? {});
    const part = { kind: 'ledger_line', id: receipt.ledger_line_id };
    expect(await field({ line_ids: [line], on_account: { customer_id: castle, amount_minor: 4_999 } }))
      .toEqual(['parts']);
    expect(await field({ line_ids: [line], parts: [part] })).toEqual(['parts']);
    expect(await field({ line_ids: [line, line] })).toEqual(['line_ids']);
    expect(await field({ line_ids: [line, foreign], parts: [part] })).toEqual(['line_ids']);
    expect(await field({ line_ids: [foreign], parts: [part, part] })).toEqual(['parts']);
    expect(await stateOf(line!)).toBeNull();
  });

  it('returning a receipt that is matched, until the match is undone', async () => {
    const account = await bank.account();
    const receipt = await bank.receipt(account, castle, 6_100);
    const [line] = await bank.lines(account, [{ amount: '61.00' }]);
    const match = await bank.matched({ line_ids: [line],
      parts: [{ kind: 'ledger_line', id: receipt.ledger_line_id }] });
    const giveBack = () => command(bank.ports, (ctx) => returnReceipt(ctx, { payment_id: receipt.id, on: DAY,
      reason: 'Bounced' }));
    await expect(giveBack()).rejects.toThrow(
      /^The entry is matched with the bank line of .*2026\. Undo the match first/);
    await bank.undo(match.id);
    await giveBack();
    const again = await bank.match({ line_ids: [line], parts: [{ kind: 'ledger_line', id: receipt.ledger_line_id }] });
    expect(again.status).not.toBe(201);
  });

  it('undoing twice, and undoing what is reconciled', async () => {
    const account = await bank.account();
    const [line] = await bank.lines(account, [{ amount: '61.00' }]);
    const body = { line_ids: [line], on_account: { customer_id: castle, amount_minor: 6_100 } };
    const match = await bank.matched(body);
    expect((await bank.undo(match.id)).status).toBe(200);
    expect((await bank.undo(match.id)).body.code).toBe('bank_match.undone');
    const second = await bank.matched(body);
    await reconcile(account);
    expect((await bank.undo(second.id)).body.code).toBe('bank_match.reconciled');
  });

  it('what posts a receipt, to a person who may not record receipts', async () => {
    const account = await bank.account();
    const [line] = await bank.lines(account, [{ amount: '61.00' }]);
    const clerk = await app.signedIn('staff_user', { permissions: ['bank_transaction.update'] });
    const answer = await clerk.post(MATCHES, { line_ids: [line],
      on_account: { customer_id: castle, amount_minor: 6_100 } });
    expect(answer.status).toBe(403);
  });
});

/** Finishes a reconciliation over all lines of the account. */
async function reconcile(account: number): Promise<void> {
  await app.database.db.tx(async (tx) => {
    const { id } = await tx.one<{ id: number }>(sql`
      insert into bank_reconciliations (bank_account_id, to_on, opening_minor, closing_minor)
      select ${account}, ${DAY}, 0, sum(amount_minor) from bank_transactions where bank_account_id = ${account}
      returning id`);
    await tx.exec(sql`update bank_reconciliations set status = 'finished', finished_at = now(), report = '{}'
      where id = ${id}`);
  });
}

describe('the database', () => {
  const pair = async () => {
    const account = await bank.account();
    const receipt = await bank.receipt(account, castle, 6_100);
    const [line] = await bank.lines(account, [{ amount: '61.00' }]);
    return { account, receipt, line: line! };
  };
  const insert = (of: { account: number; receipt: { ledger_line_id: number }; line: number }) =>
    app.database.db.exec(sql`with m as (insert into bank_matches (bank_account_id, made_by)
        values (${of.account}, 'person') returning id),
      l as (insert into bank_match_lines (bank_match_id, bank_account_id, bank_transaction_id)
        select id, ${of.account}, ${of.line} from m)
      insert into bank_match_entries (bank_match_id, bank_account_id, ledger_line_id)
        select id, ${of.account}, ${of.receipt.ledger_line_id} from m`);

  it('takes no match whose sides differ', async () => {
    const one = await pair();
    const [short] = await bank.lines(one.account, [{ amount: '60.99' }]);
    await expect(insert({ ...one, line: short! })).rejects.toThrow(/60|6099/);
    await insert(one);
    await expect(insert(one)).rejects.toThrow(/duplicate|unique/);
  });

  it('takes no line of another account on either side', async () => {
    const [one, two] = [await pair(), await pair()];
    await expect(insert({ ...one, receipt: two.receipt })).rejects.toThrow(/no posted line/);
    await expect(insert({ ...one, line: two.line })).rejects.toThrow(/foreign key/);
  });

  it('reconciles no line that is not matched, and keeps the match of one that is', async () => {
    const one = await pair();
    await expect(reconcile(one.account)).rejects.toThrow(/not matched/);
    await insert(one);
    await reconcile(one.account);
    await expect(app.database.db.exec(sql`update bank_matches set undone_at = now(), undo_reason = 'x'
      where bank_account_id = ${one.account}`)).rejects.toThrow(/reconciled/);
  });

  it('lets the bank take back a reconciled receipt: a movement of its own, with a line of its own', async () => {
    const one = await pair();
    await insert(one);
    await reconcile(one.account);
    await command(bank.ports, (ctx) => returnReceipt(ctx, { payment_id: one.receipt.id, on: DAY, reason: 'Bounced' }));
    const [bounce] = await bank.lines(one.account, [{ amount: '-61.00', name: 'RETURNED ITEM' }]);
    const found = (await bank.staff.get(`${LINES}/${bounce}/open_items`)).body.data;
    expect(found[0]).toMatchObject({ kind: 'ledger_line', amount_minor: -6_100 });
    await bank.matched({ line_ids: [bounce], parts: [{ kind: 'ledger_line', id: found[0].id }] });
  });
});

describe('eight people at once', () => {
  const codes = (answers: { status: number; body: { code?: string } }[]) =>
    answers.map(({ status, body }) => (status === 201 ? '201' : body.code)).sort();

  it('match one line: one of them does, the others are told that it is matched', async () => {
    const account = await bank.account();
    const invoice = await bank.invoice(castle, 88_000);
    const [line] = await bank.lines(account, [{ amount: '880.00' }]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => bank.match({ line_ids: [line],
      parts: [{ kind: 'invoice', id: invoice.id }] })));
    expect(codes(answers)).toEqual(['201', ...Array.from({ length: 7 }, () => 'bank_match.line_matched')]);
    const receipts = await app.database.db.query(sql`select 1 from payments p join journal_entries e
      on e.transaction_id = p.transaction_id join bank_accounts b on b.ledger_account_id = e.ledger_account_id
      where b.id = ${account}`);
    expect(receipts).toHaveLength(1);
  });

  it('match eight lines with one entry: one of them does', async () => {
    const account = await bank.account();
    const receipt = await bank.receipt(account, castle, 8_800);
    const lines = await bank.lines(account, Array.from({ length: 8 }, () => ({ amount: '88.00' })));
    const answers = await Promise.all(lines.map((line) => bank.match({ line_ids: [line],
      parts: [{ kind: 'ledger_line', id: receipt.ledger_line_id }] })));
    expect(codes(answers)).toEqual(['201', ...Array.from({ length: 7 }, () => 'bank_match.item_taken')]);
  });
});

describe('matching without asking', () => {
  const auto = async (bank_account_id: number) => (await bank.staff.post(`${BASE}/bank_matching/auto`,
    { bank_account_id })).body.data;

  it('takes what is beyond doubt as it is imported, and leaves twins and low scores to a person', async () => {
    const account = await bank.account();
    const sure = await bank.invoice(ravenswood, 43_210);
    const twins = [await bank.invoice(castle, 55_500), await bank.invoice(castle, 55_500)];
    await bank.receipt(account, castle, 9_900);
    const [first, second, third] = await bank.lines(account, [
      { amount: '432.10', name: 'RAVENSWOOD PLAYHOUSE', memo: sure.number },
      { amount: '555.00', name: 'CASTLE PLAYERS' },
      { amount: '99.00', name: 'SOMEONE ELSE' }]);
    const match = (await bank.candidates(first!)).match;
    expect(match).toMatchObject({ made_by: 'auto', score: 100 });
    expect([await stateOf(second!), await stateOf(third!)]).toEqual([null, null]);
    expect((await bank.candidates(second!)).suggestions.length).toBe(2);
    const status = await app.database.db.query(sql`select status from invoices where id = any (${
      [sure, ...twins].map(({ id }) => id)}::bigint[]) order by id`);
    expect(status.map((row) => (row as { status: string }).status)).toEqual(['paid', 'issued', 'issued']);
    expect(await auto(account)).toEqual({ matched: 0, looked_at: 2 });
  });
});
