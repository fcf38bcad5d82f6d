/**
 * Postings the ledger must refuse: the cases of the prototype's proof (design/ledger/prove.sql) and every hole its
 * README lists, as the application's role, as the owner, and as the owner who opens the ledger door on purpose.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#server/db.ts';
import { Sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';

const at = testDatabase();
const run = (db: Pick<Db, 'query'>, text: string) => db.query<Record<string, unknown>>(new Sql([text], []));
const app = (text: string) => run(at.db, text);
const owner = (text: string) => run(at.owner, text);
/** The owner inside the door: what only a defect in a function of the ledger could do. Checks at COMMIT included. */
const inside = (...texts: string[]) => at.owner.tx(async (tx) => {
  await run(tx, 'set local search_path = public, ledger_door, pg_temp');
  let rows: Record<string, unknown>[] = [];
  for (const text of texts) rows = await run(tx, text);
  return rows;
});
const refusal = async (call: Promise<unknown>): Promise<string> =>
  call.then(() => 'accepted', (error: unknown) => (error as Error).message);

interface Post {
  division?: string; kind?: string; at?: string; accounts?: string; currencies?: string; amounts?: string;
  bases?: string; types?: string; ids?: string; source?: string; actor?: string; group?: string; tax?: string;
}
const post = (p: Post = {}): string =>
  `select transaction_id as id, replayed from ledger_post('${p.division ?? 'US'}',
  '${p.kind ?? 'journal'}', '${p.at ?? '2026-01-15'}', 'test', ${p.actor ?? 'null'},
    ${p.source ?? 'null, null, null, 1'},
  ${p.group ?? 'null'}, '${p.accounts ?? '{1010,6200}'}', '${p.currencies ?? '{USD,USD}'}',
    '${p.amounts ?? '{-100,100}'}',
  '${p.bases ?? p.amounts ?? '{-100,100}'}', ${p.types ? `'${p.types}'` : 'null'}, ${p.ids ? `'${p.ids}'` : 'null'}
  ${p.tax ? `, p_tax_code_ids => '${p.tax}'` : ''})`;
const invoice: Post = {
  kind: 'invoice', accounts: '{1100,2100}', amounts: '{100,-100}', types: '{customer,customer}', ids: '{7,7}',
};
const idOf = async (call: Promise<Record<string, unknown>[]>): Promise<number> => (await call)[0]!.id as number;
const draft = (amounts = '{5,-5}', day = '2026-01-15'): Promise<number> =>
  idOf(app(`select ledger_draft_save(null, null,
  'US', 'journal', '${day}', '', '', null, '{1010,6200}', '{USD,USD}', '${amounts}', '${amounts}') as id`));

let posted = 0;
let people: number[] = [];
beforeAll(async () => {
  posted = await idOf(app(post()));
  people = (await
    owner(`insert into users (email, first_name, last_name, role) select 'p' || n || '@x.test', 'P', 'P',
    'staff_admin' from generate_series(1, 3) n returning id`)).map((row) => row.id as number);
  await app(`select ensure_periods('US', '2023-01-01', '2023-12-31')`);
  await app(`select ledger_set_period('US', 202305, 'closed', ${people[0]}, ${people[1]})`);
});

describe('a posting', () => {
  it.each<[string, string, Post]>([
    ['unbalanced', 'ACCT_UNBALANCED', { amounts: '{-100,99}' }],
    ['without lines', 'ACCT_TOO_FEW_LINES', { accounts: '{}', currencies: '{}', amounts: '{}' }],
    ['of a single line', 'ACCT_UNBALANCED', { accounts: '{1010}', currencies: '{USD}', amounts: '{100}' }],
    ['in a closed period', 'ACCT_PERIOD_LOCKED', { at: '2023-05-15' }],
    ['where there is no period', 'ACCT_NO_PERIOD', { at: '2062-05-15' }],
    ['of an unknown division', 'ACCT_DIVISION', { division: 'XX' }],
    ['of an unknown kind', 'ACCT_KIND', { kind: 'gift' }],
    ['on an account the division does not have', 'ACCT_ACCOUNT_UNKNOWN', { accounts: '{1010,9999}' }],
    ['with another base amount in functional currency', 'ACCT_BASE_AMOUNT', { amounts: '{100,-100}',
      bases: '{999,-999}' }],
    ['without the party an account asks for', 'ACCT_PARTY', { ...invoice, types: '{customer,NULL}',
      ids: '{7,NULL}' }],
    ['with a party of the wrong kind', 'ACCT_PARTY', { ...invoice, types: '{vendor,customer}' }],
    ['in another currency than the account\'s', 'ACCT_ACCOUNT_CURRENCY', { kind: 'bank_entry',
      accounts: '{1000,6200}', currencies: '{EUR,EUR}', bases: '{-110,110}' }],
    ['by hand on a bank account', 'ACCT_BANK', { accounts: '{1000,6200}' }],
    ['of a kind that moves no bank money, on a bank account', 'ACCT_BANK', { kind: 'stock', accounts: '{1000,6200}' }],
    ['with a foreign currency out of balance', 'ACCT_CURRENCY_UNBALANCED',
      { accounts: '{1010,1050}', currencies: '{USD,EUR}', amounts: '{100,-7}', bases: '{100,-100}' }],
    ['by hand on a control account', 'ACCT_MANUAL', { ...invoice, kind: 'journal' }],
    ['with signs that differ between amount and base', 'new row for relation "journal_entries" violates check',
      { accounts: '{2160,2100}', currencies: '{EUR,EUR}', amounts: '{5,-5}', bases: '{-7,7}',
        types: '{customer,customer}', ids: '{7,7}', kind: 'release' }],
    ['with an amount of nothing', 'new row for relation "journal_entries" violates check',
      { accounts: '{1010,6200,6200}', currencies: '{USD,USD,USD}', amounts: '{5,-5,0}' }],
    ['beyond 10^12 minor units', 'new row for relation "journal_entries" violates check',
      { amounts: '{1000000000001,-1000000000001}' }],
    ['in an unknown currency', 'insert or update on table', { accounts: '{2160,2100}', currencies: '{ZZZ,ZZZ}',
      bases: '{-1,1}', types: '{customer,customer}', ids: '{7,7}', kind: 'release' }],
    ['with a missing amount', 'ACCT_LINE', { amounts: '{NULL,5}', bases: '{5,5}' }],
  ])('%s is refused', async (_, code, of) => {
    expect(await refusal(app(post(of)))).toMatch(new RegExp(`^${code.replace(/[()]/g, '.')}`));
  });

  it('in two currencies is accepted as a transfer', async () => {
    expect(await refusal(app(post({ kind: 'transfer', accounts: '{1000,1001}', currencies: '{USD,EUR}',
      amounts: '{100,-91}',
      bases: '{100,-100}' })))).toBe('accepted');
  });

  it('on an inactive account is refused, its reversal is not', async () => {
    const used = await idOf(app(post({ accounts: '{1010,1002}' })));
    await app(`update ledger_accounts set active = false where division = 'US' and code = '1002'`);
    expect(await refusal(app(post({ accounts: '{1010,1002}' })))).toMatch(/^ACCT_ACCOUNT_INACTIVE/);
    expect(await refusal(app(`select ledger_reverse(${used}, '2026-01-20', '', null)`))).toBe('accepted');
  });
});

describe('the application\'s role', () => {
  it.each([
    ['insert a header', `insert into transactions (division, kind, status, transaction_at, period, currency)
      values ('US', 'journal', 'draft', '2026-01-15', 202601, 'USD')`],
    ['insert a line',
      `insert into journal_entries (transaction_id, line_no, division, transaction_at, period, ledger_account_id,
      currency, amount_minor, base_amount_minor) values (1, 9, 'US', '2026-01-15', 202601, 1, 'USD', 1, 1)`],
    ['update a header', `update transactions set description = 'x'`],
    ['update a line', 'update journal_entries set amount_minor = 1'],
    ['delete a header', 'delete from transactions'],
    ['delete a line', 'delete from journal_entries'],
    ['truncate lines', 'truncate journal_entries'],
    ['truncate headers with cascade', 'truncate transactions cascade'],
    ['write a balance', 'update ledger_balances_folded set debit_minor = 0'],
    ['remove a balance', 'delete from ledger_balances_folded'],
    ['write a party balance', 'update party_balances_folded set debit_minor = 0'],
    ['write the queue of the balances', 'delete from ledger_fold_queue'],
    ['write an open item', 'update open_items set open_minor = 0'],
    ['write an allocation', 'insert into allocations (debit_item_id, credit_item_id, amount_minor) values (1, 2, 3)'],
    ['write a period', `update periods set state = 'open'`],
    ['write a lock', 'delete from period_locks'],
    ['grant itself an exception', 'insert into lock_exceptions (division) values (null)'],
    ['turn a series back', 'update number_series set next = 1'],
    ['write the chain', 'delete from ledger_chain'],
    ['write the queue', 'delete from ledger_chain_queue'],
    ['call an inner function', `select ledger_add_balances('{1}', null, 'post')`],
  ])('may not %s', async (_, text) => {
    expect(await refusal(app(text))).toMatch(/^permission denied for/);
  });

  it.each([
    ['disable a trigger', 'alter table journal_entries disable trigger all'],
    ['change a table', 'alter table journal_entries drop column memo'],
    ['drop a table', 'drop table ledger_chain_queue'],
    ['replace a function',
      'create or replace function ledger_refuse(code text, about text) returns void language sql as $$ $$'],
    ['stand in for a table by a temporary one in the functions\' path', 'create schema ledger_door'],
    ['act as a replica', 'set session_replication_role = replica'],
  ])('may not %s', async (_, text) => {
    expect(await refusal(app(text))).toMatch(/^(must be owner|permission denied)/);
  });

  it('opens nothing by naming the door itself', async () => {
    await expect(at.db.tx(async (tx) => {
      await run(tx, 'set local search_path = public, ledger_door, pg_temp');
      await run(tx, `update transactions set description = 'x'`);
    })).rejects.toThrow(/^permission denied/);
  });

  it('cannot shadow a table of the ledger by a temporary one', async () => {
    await at.db.tx(async (tx) => {
      await run(tx, 'create temporary table periods (division text, period int, starts date, ends date, state text)');
      await run(tx, `insert into periods values ('US', 202305, '2023-05-01', '2023-05-31', 'open')`);
      expect(await refusal(run(tx, post({ at: '2023-05-15' })))).toMatch(/^ACCT_PERIOD_LOCKED/);
    }).catch((error: unknown) => {
      expect((error as Error).message).toMatch(/current transaction is aborted|permission denied/);
    });
  });
});

describe('the portal\'s role', () => {
  it.each(['select * from transactions', 'select * from ledger_balances', post(),
    `select ensure_periods('US', '2024-01-01', '2024-01-31')`,
    `select ledger_take_number('US', 'invoice', '2026')`])('may not %s', async (text) => {
    const { createDb } = await import('#server/db.ts');
    const portal = createDb({ connectionString: at.portal_url, max: 1, onError: () => {} });
    try {
      expect(await refusal(run(portal, text))).toMatch(/^permission denied/);
    } finally {
      await portal.close();
    }
  });
});

describe('the owner', () => {
  it.each([
    ['a header', `insert into transactions (division, kind, status, transaction_at, period, currency)
      values ('US', 'journal', 'draft', '2026-01-15', 202601, 'USD')`, 'ACCT_DOOR'],
    ['an update of a header', `update transactions set description = 'x'`, 'ACCT_DOOR'],
    ['a removal of lines', 'delete from journal_entries', 'ACCT_DOOR'],
    ['a truncate', 'truncate transactions, journal_entries cascade', 'ACCT_IMMUTABLE'],
    ['an update of allocations', 'update allocations set amount_minor = 1', 'ACCT_IMMUTABLE'],
    ['a removal of used numbers', 'delete from number_uses', 'ACCT_IMMUTABLE'],
    ['an update of the chain', `update ledger_chain set hash = ''`, 'ACCT_IMMUTABLE'],
    ['a removal of a period', 'delete from periods', 'ACCT_IMMUTABLE'],
  ])('is refused %s outside the functions', async (_, text, code) => {
    expect(await refusal(owner(text))).toMatch(new RegExp(`^${code}`));
  });

  it('is refused inside the door what a posting never becomes', async () => {
    const mk = (status: string, extra = '') =>
      `insert into transactions (division, kind, status, transaction_at, period, currency,
      posted_at${extra ? ', reverses_id' : ''}) values ('US', 'journal', '${status}', '2026-01-15', 202601, 'USD',
      ${status === 'draft' ? 'null' : 'now()'}${extra ? `, ${extra}` : ''}) returning id`;
    const lines = (of: string, factor = -1) =>
      `insert into journal_entries (transaction_id, line_no, division, transaction_at,
      period, ledger_account_id, currency, amount_minor, base_amount_minor) select ${of}, line_no, division,
        transaction_at,
      period, ledger_account_id, currency, ${factor} * amount_minor, ${factor} * base_amount_minor
      from journal_entries where transaction_id = ${posted}`;
    const last = '(select max(id) from transactions)';
    const d = await draft();
    for (const [code, ...texts] of [
      ['ACCT_UNBALANCED', mk('posted')],
      ['ACCT_UNBALANCED', mk('posted'), `${lines(last)} limit 1`],
      ['ACCT_IMMUTABLE',
        `update journal_entries set amount_minor = 1, base_amount_minor = 1 where transaction_id = ${posted}`],
      ['ACCT_IMMUTABLE', `delete from journal_entries where transaction_id = ${posted}`],
      ['ACCT_IMMUTABLE', `delete from transactions where id = ${posted}`],
      ['ACCT_IMMUTABLE', `update transactions set description = 'x' where id = ${posted}`],
      ['ACCT_IMMUTABLE',
        `update journal_entries set transaction_id = ${posted}, line_no = 9
          where transaction_id = ${d} and line_no = 1`],
      ['column "id" can only be updated to DEFAULT', `update transactions set id = 999999 where id = ${d}`],
      ['insert or update on table "journal_entries" violates foreign key',
        `update journal_entries set period = 202305 where transaction_id = ${d}`],
      ['insert or update on table "journal_entries" violates foreign key',
        `update journal_entries set transaction_at = '2026-01-16' where transaction_id = ${d}`],
      ['insert or update on table "journal_entries" violates foreign key',
        `update journal_entries set ledger_account_id =
        (select id from ledger_accounts where division = 'UK' and code = '1010') where transaction_id = ${d}`],
      ['new row for relation "transactions" violates check',
        `update transactions set number = 'J-1' where id = ${d}`],
      ['ACCT_STATUS', `update transactions set status = 'reversed' where id = ${d}`],
      ['ACCT_STATUS', `update transactions set status = 'draft' where id = ${posted}`],
      ['ACCT_STATUS', `update transactions set status = 'void' where id = ${posted}`],
      ['ACCT_NO_REVERSAL', `update transactions set status = 'reversed' where id = ${posted}`],
      ['ACCT_NO_REVERSAL', mk('reversed'), lines(last)],
      ['ACCT_NO_REVERSAL', mk('posted', String(posted)), lines(last)],
      ['ACCT_NOT_A_MIRROR', mk('posted', String(posted)), lines(last, -2),
        `update transactions set status = 'reversed' where id = ${posted}`],
    ] as const) {
      expect(await refusal(inside(...texts))).toMatch(new RegExp(`^${code}`));
    }
  });
});

/** Every rule of a row by its name, as the owner meets it (db/migrations/baseline/12-accounting-guards.sql). */
describe('a row', () => {
  const made = (columns: string, values: string, status = 'posted') =>
    `insert into transactions (division, kind, status, transaction_at, period, currency, posted_at, ${columns})
    values ('US', 'journal', '${status}', '2026-01-15', 202601, 'USD',
    ${status === 'draft' ? 'null' : 'now()'}, ${values})`;
  const header = (set: string) => `update transactions set ${set} where id = DRAFT`;
  const line = (set: string) => `update journal_entries set ${set} where transaction_id = DRAFT and line_no = 1`;
  const item = (set: string) => `update open_items set ${set} where transaction_id = POSTED`;
  it.each([
    ['transactions_status_check', made('memo', `''`, 'gone')],
    ['transactions_check', header('posted_at = now()')],
    ['transactions_check1', header(`number = 'J-1'`)],
    ['transactions_check2', header(`source_type = 'a'`)],
    ['transactions_check3', header(`source_type = 'a', source_id = 1, source_event = 'b'`)],
    ['transactions_check4', made('deleted_at', 'now()')],
    ['transactions_direction_check', header(`direction = 'up'`)],
    ['transactions_number_check', made('number', `''`)],
    ['transactions_source_type_check', made('source_type, source_id, source_event', `'', 1, 'b'`)],
    ['transactions_source_event_check', made('source_type, source_id, source_event', `'a', 1, repeat('b', 61)`)],
    ['transactions_source_attempt_check', header('source_attempt = 0')],
    ['transactions_reversal_reason_check', header(`reversal_reason = repeat('x', 501)`)],
    ['transactions_description_check', header(`description = repeat('x', 501)`)],
    ['transactions_memo_check', header(`memo = repeat('x', 2001)`)],
    ['journal_entries_line_no_check', line('line_no = 0')],
    ['journal_entries_amount_minor_check', line('amount_minor = 1000000000001')],
    ['journal_entries_base_amount_minor_check', line('base_amount_minor = 1000000000001')],
    ['journal_entries_check', line('amount_minor = 0, base_amount_minor = 0')],
    ['journal_entries_check1', line('amount_minor = 5, base_amount_minor = -7')],
    ['journal_entries_check2', line(`party_type = 'customer'`)],
    ['journal_entries_party_type_check', line(`party_type = 'ghost', party_id = 1`)],
    ['journal_entries_fx_rate_check', line('fx_rate = 0')],
    ['journal_entries_memo_check', line(`memo = repeat('x', 501)`)],
    ['open_items_original_minor_check', item('original_minor = 0')],
    ['open_items_check', item('open_minor = original_minor + 1')],
    ['open_items_check1', item('open_base_minor = -1')],
    ['open_items_check2', item('open_minor = 0')],
  ])('that breaks %s is refused by that name', async (rule, text) => {
    const [d, p] = [await draft(), await idOf(app(post(invoice)))];
    expect(await refusal(inside(text.replace('DRAFT', String(d)).replace('POSTED', String(p)))))
      .toMatch(new RegExp(`violates check constraint "${rule}"$`));
  });

  it('on the edge of every rule is accepted', async () => {
    const [d, p] = [await draft(), await idOf(app(post({ ...invoice, source: `'s', 1, 'e', 1` })))];
    for (const text of [header(`description = repeat('x', 500), memo = repeat('x', 2000),
      reversal_reason = repeat('x', 500), direction = 'in'`), line(`memo = repeat('x', 500), fx_rate = 0.5,
      amount_minor = 1000000000000, base_amount_minor = 0`), item('open_minor = 1, open_base_minor = 0')]) {
      expect(await refusal(inside(text.replace('DRAFT', String(d)).replace('POSTED', String(p))))).toBe('accepted');
    }
  });
});

describe('states', () => {
  it('a draft is edited, posted once and then frozen; an unfinished one is not posted', async () => {
    const half = await draft('{5,-4}');
    expect((await app(`select has_posting_discrepencies as flag from transactions where id = ${half}`))[0]!.flag)
      .toBe(true);
    expect(await refusal(app(`select ledger_draft_post(${half}, null, null)`))).toMatch(/^ACCT_UNBALANCED/);
    const save = (day: string, version: number) =>
      `select ledger_draft_save(${half}, ${version}, 'US', 'journal', '${day}', '', '',
      null, '{1010,6200}', '{USD,USD}', '{5,-5}', '{5,-5}')`;
    await app(save('2026-02-03', 1));
    expect(await refusal(app(save('2026-02-03', 1)))).toMatch(/^ACCT_VERSION/);
    expect((await app(`select e.period, t.has_posting_discrepencies as flag from journal_entries e
      join transactions t on t.id = e.transaction_id where t.id = ${half}`))[0])
        .toEqual({ period: 202602, flag: false });
    await app(`select ledger_draft_post(${half}, 2, null)`);
    for (const text of [`select ledger_draft_post(${half}, null, null)`,
      `select ledger_draft_void(${half}, null, null)`, save('2026-02-04', 3)]) {
      expect(await refusal(app(text))).toMatch(/^ACCT_STATUS/);
    }
    expect(await refusal(app(`select ledger_draft_trash(${half}, true)`))).toMatch(/^ACCT_IMMUTABLE/);
    expect(await app('select * from balance_drift')).toEqual([]);
  });

  it('a void draft takes no line and is purged only from the trash', async () => {
    const gone = await draft();
    await app(`select ledger_draft_void(${gone}, null, null)`);
    expect(await
      refusal(app(`select ledger_draft_save(${gone}, null, 'US', 'journal', '2026-01-15', '', '', null, '{1010}',
        '{USD}',
      '{5}', '{5}')`))).toMatch(/^ACCT_STATUS/);
    expect(await refusal(app(`select ledger_draft_purge(${gone})`))).toMatch(/^ACCT_IMMUTABLE/);
    await app(`select ledger_draft_trash(${gone}, true)`);
    await app(`select ledger_draft_purge(${gone})`);
    expect(await app(`select 1 as one from transactions where id = ${gone}`)).toEqual([]);
  });

  it('a posting is reversed once, on its own date or later, never into a closed period', async () => {
    const one = await idOf(app(post()));
    expect(await refusal(app(`select ledger_reverse(${one}, '2026-01-14', '', null)`)))
      .toMatch(/^ACCT_REVERSAL_DATE/);
    expect(await refusal(app(`select ledger_reverse(${one}, '2026-03-01', '', null)`))).toBe('accepted');
    expect(await refusal(app(`select ledger_reverse(${one}, '2026-03-01', '', null)`))).toMatch(/^ACCT_STATUS/);
    const mirror = await idOf(app(`select id from transactions where reverses_id = ${one}`));
    expect(await refusal(app(`select ledger_reverse(${mirror}, '2026-03-02', '', null)`))).toBe('accepted');
  });

  it('what a document posted, only that document takes back, its mirror too', async () => {
    const posted = await idOf(app(post({ ...invoice, source: `'invoice', 77, 'issued', 1` })));
    const reverse = (id: number, document: string) =>
      refusal(app(`select ledger_reverse(${id}, '2026-01-20', '', null${document})`));
    expect(await reverse(posted, '')).toMatch(/^ACCT_DOCUMENT/);
    expect(await reverse(posted, `, 'invoice', 78`)).toMatch(/^ACCT_DOCUMENT/);
    expect(await reverse(posted, `, 'payment', 77`)).toMatch(/^ACCT_DOCUMENT/);
    expect(await reverse(posted, `, 'invoice', 77`)).toBe('accepted');
    const mirror = await idOf(app(`select id from transactions where reverses_id = ${posted}`));
    expect(await reverse(mirror, '')).toMatch(/^ACCT_DOCUMENT/);
    const written = await idOf(app(post()));
    expect(await reverse(written, `, 'invoice', 77`)).toMatch(/^ACCT_DOCUMENT/);
    expect(await reverse(written, '')).toBe('accepted');
  });

  it('an event posts once; its next attempt needs the former one reversed', async () => {
    const event = (attempt: number) => app(post({ ...invoice, source: `'invoice', 1, 'issued', ${attempt}` }));
    const first = await idOf(event(1));
    expect((await event(1))[0]).toEqual({ id: first, replayed: true });
    expect(await refusal(event(2))).toMatch(/^ACCT_ATTEMPT/);
    await app(`select ledger_reverse(${first}, '2026-01-16', '', null, 'invoice', 1)`);
    expect(await refusal(event(2))).toBe('accepted');
  });

  it('a used account keeps its meaning and a system account its key', async () => {
    const change = (code: string, set: string) =>
      refusal(app(`update ledger_accounts set ${set} where division = 'US' and code = '${code}'`));
    expect(await change('6200', `currency = 'USD'`)).toMatch(/^ACCT_ACCOUNT_IN_USE/);
    expect(await change('6200', `party_types = '{vendor}'`)).toMatch(/^ACCT_ACCOUNT_IN_USE/);
    expect(await change('1100', `system_key = 'x'`)).toMatch(/^ACCT_SYSTEM_ACCOUNT/);
    expect(await refusal(app(`delete from ledger_accounts where division = 'EU' and code = '1200'`)))
      .toMatch(/^ACCT_SYSTEM_ACCOUNT/);
    expect(await change('1100', `code = '1101'`)).toMatch(/^ACCT_ACCOUNT_IN_USE/);
    expect(await change('1200', `code = '1201'`)).toMatch(/^ACCT_ACCOUNT_IN_USE/);
    expect(await change('5000', 'active = false')).toMatch(/^ACCT_SYSTEM_ACCOUNT/);
    expect(await change('3100', `class = 'asset'`)).toMatch(/violates foreign key/);
    expect(await refusal(app(`delete from ledger_accounts where division = 'US' and code = '6200'`)))
      .toMatch(/^ACCT_ACCOUNT_IN_USE/);
    expect(await
      refusal(app(`insert into ledger_headers (division, code, name, class, section, parent_id) values ('US', 'x', 'X',
      'income', 'x', (select id from ledger_headers where division = 'US' and code = 'assets'))`)))
        .toMatch(/violates foreign key/);
    expect(await
      refusal(app(`update ledger_headers set parent_id = (select id from ledger_headers where division = 'US' and
      code = 'assets.cash') where division = 'US' and code = 'assets'`))).toMatch(/^ACCT_HEADER_CIRCLE/);
  });
});
