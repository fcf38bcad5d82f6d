/** Periods, locks by sub-ledger, exceptions, intercompany pairs, divisions with months of their own. */
import { beforeAll, expect, it } from 'vitest';
import { Sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';

const at = testDatabase();
const app = (text: string) => at.db.query<Record<string, unknown>>(new Sql([text], []));
const refusal = async (call: Promise<unknown>): Promise<string> =>
  call.then(() => 'accepted', (error: unknown) => (error as Error).message);
const post = (kind: string, day: string, actor: number | null = null, division = 'UK'): Promise<string> => {
  const tax = kind === 'taxed';
  const [dr, cr, type] = kind === 'receipt' ? ['1000', '2150', '{NULL,customer}'] : ['1100', tax ? '2300' : '2100',
    tax ? '{customer,tax_authority}' : '{customer,customer}'];
  const ids = kind === 'receipt' ? '{NULL,7}' : '{7,7}';
  const ccy = division === 'UK' ? 'GBP' : 'USD';
  return refusal(app(`select ledger_post('${division}', '${tax ? 'box_office' : kind}', '${day}', '', ${actor}, null,
    null, null, 1,
    null, '{${dr},${cr}}', '{${ccy},${ccy}}', '{100,-100}', '{100,-100}', '${type}', '${ids}')`));
};

let ann = 0, bob = 0, eve = 0;
beforeAll(async () => {
  const made = await at.owner.query<{ id: number }>(new Sql([`insert into users (email, first_name, last_name, role)
    select 'q' || n || '@x.test', 'Q', 'Q', 'staff_admin' from generate_series(1, 3) n returning id`], []));
  [ann, bob, eve] = made.map((row) => row.id) as [number, number, number];
});
const lock = (kind: string, through: string | null, actor = ann, second = bob) =>
  refusal(app(`select ledger_set_lock('UK', '${kind}',
  ${through ? `'${through}'` : 'null'}, 'month end', ${actor}, ${second})`));

it('locks one sub-ledger and leaves the others open', async () => {
  expect(await lock('sales', '2026-03-15')).toBe('accepted');
  expect(await post('invoice', '2026-03-15')).toMatch(/^ACCT_PERIOD_LOCKED/);
  expect(await post('invoice', '2025-12-31')).toMatch(/^ACCT_PERIOD_LOCKED/);
  expect(await post('invoice', '2026-03-16')).toBe('accepted');
  expect(await post('receipt', '2026-03-10')).toBe('accepted');
  expect(await post('invoice', '2026-03-10', null, 'US')).toBe('accepted');
});

it('the tax lock holds for lines on tax accounts whatever the kind of posting', async () => {
  expect(await lock('tax', '2026-04-30')).toBe('accepted');
  expect(await post('taxed', '2026-04-30')).toMatch(/^ACCT_PERIOD_LOCKED/);
  expect(await post('invoice', '2026-04-30')).toBe('accepted');
});

it('the bank lock holds for lines on cash accounts: journals, imports and reversals too', async () => {
  const books = (kind: string, day: string, dr = '1010', actor: number | null = null) =>
    `select ledger_post('UK', '${kind}', '${day}', '', ${actor}, null, null, null, 1, null, '{${dr},6100}',
      '{GBP,GBP}', '{-100,100}', '{-100,100}')`;
  const draft = async (day: string): Promise<string> => {
    const [made] = await app(`select ledger_draft_save(null, null, 'UK', 'journal', '${day}', '', '', null,
      '{1010,6100}', '{GBP,GBP}', '{-100,100}', '{-100,100}') as id`);
    return refusal(app(`select ledger_draft_post(${made!.id as number}, null, null)`));
  };
  const many = (day: string) => refusal(app(`select * from ledger_post_many(null, '{UK}', '{year_end_close}',
    '{${day}}', '{x}', null, null, null, null, '{1,1}', '{1010,3100}', '{GBP,GBP}', '{100,-100}', '{100,-100}')`));
  await app(books('journal', '2026-05-04'));
  expect(await lock('bank', '2026-05-31')).toBe('accepted');
  for (const kind of ['journal', 'opening', 'tax_payment', 'year_end_close']) {
    expect(await refusal(app(books(kind, '2026-05-31'))), kind).toMatch(/^ACCT_PERIOD_LOCKED/);
  }
  expect(await draft('2026-05-31')).toMatch(/^ACCT_PERIOD_LOCKED/);
  expect(await many('2026-05-31')).toMatch(/^ACCT_PERIOD_LOCKED/);
  const [{ id: early } = { id: 0 }] = await app(`select max(id) as id from transactions where division = 'UK'
    and kind = 'journal' and status = 'posted'`);
  const reverse = (day: string) => refusal(app(`select ledger_reverse(${early as number}, '${day}', '', null)`));
  expect(await reverse('2026-05-20')).toMatch(/^ACCT_PERIOD_LOCKED/);
  for (const [what, call] of [['another account', refusal(app(books('journal', '2026-05-31', '6200')))],
    ['later', refusal(app(books('journal', '2026-06-01')))], ['many later', many('2026-06-01')],
    ['a draft later', draft('2026-06-01')], ['reversed later', reverse('2026-06-01')]] as const) {
    expect(await call, what).toBe('accepted');
  }
  await app(`select ledger_grant_exception('UK', 'bank', ${eve}, now() + interval '1 day', 'late fee', ${ann}) as id`);
  expect(await refusal(app(books('journal', '2026-05-31', '1010', eve)))).toBe('accepted');
});

it('an exception is granted by someone else, for a time, and ends when revoked', async () => {
  const grant = (by: number, until: string) =>
    app(`select ledger_grant_exception('UK', 'sales', ${eve}, ${until}, 'late invoice',
    ${by}) as id`);
  expect(await refusal(grant(eve, `now() + interval '1 day'`))).toMatch(/^ACCT_FOUR_EYES/);
  expect(await refusal(grant(ann, `now() + interval '32 days'`))).toMatch(/^ACCT_EXCEPTION/);
  expect(await refusal(grant(ann, `now() - interval '1 second'`))).toMatch(/^ACCT_EXCEPTION/);
  const [made] = await grant(ann, `now() + interval '1 day'`);
  expect(await post('invoice', '2026-03-10', eve)).toBe('accepted');
  expect(await post('invoice', '2026-03-10', bob)).toMatch(/^ACCT_PERIOD_LOCKED/);
  await app(`select ledger_revoke_exception(${made!.id as number})`);
  expect(await post('invoice', '2026-03-10', eve)).toMatch(/^ACCT_PERIOD_LOCKED/);
});

it('a soft lock moves back by two persons, the hard lock never; nobody sets one alone', async () => {
  expect(await lock('sales', null)).toBe('accepted');
  expect(await post('invoice', '2026-03-10')).toBe('accepted');
  expect(await lock('hard', '2025-06-30', ann, ann)).toMatch(/^ACCT_FOUR_EYES/);
  expect(await lock('hard', '2025-06-30')).toBe('accepted');
  expect(await lock('hard', '2025-05-31')).toMatch(/^ACCT_HARD_LOCK/);
  expect(await lock('hard', null)).toMatch(/^ACCT_HARD_LOCK/);
  expect(await post('receipt', '2025-06-30', eve)).toMatch(/^ACCT_PERIOD_LOCKED/);
});

it('closes, soft-locks and opens a period by two persons; a setting of anyone opens nothing', async () => {
  const set = (state: string, second = bob) =>
    refusal(app(`select ledger_set_period('UK', 202609, '${state}', ${ann}, ${second})`));
  expect(await set('soft_locked', ann)).toMatch(/^ACCT_FOUR_EYES/);
  expect(await set('soft_locked')).toBe('accepted');
  expect(await post('receipt', '2026-09-10', eve)).toMatch(/^ACCT_PERIOD_LOCKED/);
  await at.db.tx(async (tx) => {
    await tx.exec(new Sql([`select set_config('acct.override', 'on', true)`], []));
    expect(await
      refusal(tx.query(new
      Sql([`select ledger_post('UK', 'receipt', '2026-09-10', '', null, null, null, null, 1, null,
      '{1000,2150}', '{GBP,GBP}', '{1,-1}', '{1,-1}', '{NULL,customer}', '{NULL,7}')`], []))))
        .toMatch(/^ACCT_PERIOD_LOCKED/);
  }).catch(() => undefined);
  await app(`select ledger_grant_exception('UK', 'period', ${eve}, now() + interval '1 day', 'late', ${ann})`);
  expect(await post('receipt', '2026-09-10', eve)).toBe('accepted');
  expect(await set('closed')).toBe('accepted');
  expect(await post('receipt', '2026-09-10', eve)).toMatch(/^ACCT_PERIOD_LOCKED/);
  expect(await set('open')).toBe('accepted');
  expect(await post('receipt', '2026-09-10')).toBe('accepted');
});

it('the first close needs the opening balances account at zero', async () => {
  const opening = (amount: number) =>
    app(`select ledger_post('EU', 'opening', '2024-01-01', '', null, null, null, null, 1, null,
    '{1000,3999}', '{EUR,EUR}', '{${amount},${-amount}}', '{${amount},${-amount}}')`);
  await opening(500);
  const close = () => refusal(app(`select ledger_set_period('EU', 202401, 'closed', ${ann}, ${bob})`));
  expect(await close()).toMatch(/^ACCT_OPENING/);
  await opening(-500);
  expect(await close()).toBe('accepted');
});

it('keeps months that are not calendar months: a date is looked up, never computed', async () => {
  const add = (period: number, from: string, to: string) =>
    refusal(app(`select ledger_add_period('PROD', ${period}, '${from}', '${to}')`));
  expect(await add(203101, '2031-01-01', '2031-01-28')).toBe('accepted');
  expect(await add(203102, '2031-01-30', '2031-02-28')).toMatch(/^ACCT_NO_PERIOD/);
  expect(await add(203012, '2031-01-29', '2031-02-25')).toMatch(/duplicate key|^ACCT_NO_PERIOD/);
  expect(await add(203102, '2031-01-29', '2031-02-25')).toBe('accepted');
  expect(await post('invoice', '2031-01-30', null, 'PROD')).toBe('accepted');
  expect(await app(`select distinct period from journal_entries where division = 'PROD'`))
    .toEqual([{ period: 203102 }]);
  await app(`select ensure_periods('PROD', '2031-02-01', '2031-04-30')`);
  const gaps = await
    app(`select 1 as gap from periods a join periods b on b.division = a.division and b.starts > a.ends
    and not exists (select 1 from periods c where c.division = a.division and c.starts > a.ends and c.starts <
      b.starts)
    where b.starts <> a.ends + 1`);
  expect(gaps).toEqual([]);
});

it('new periods inside a lock are born locked', async () => {
  await app(`select ensure_periods('UK', '2023-01-01', '2023-12-31')`);
  expect(await post('receipt', '2023-06-30')).toMatch(/^ACCT_PERIOD_LOCKED/);
});

it('a posting between divisions has one equal side in each of two', async () => {
  const side = (division: string, group: number, account: string, amount: number, other: string) =>
    `select ledger_post('${division}', 'intercompany', '2026-05-05', '', null, null, null, null, 1, ${group},
      '{${account},6200}',
    '{USD,USD}', '{${amount},${-amount}}', '{${amount},${-amount}}', '{division,NULL}',
    array[(select id from divisions where code = '${other}'), null])`;
  const both = (one: string, two: string) => refusal(at.db.tx(async (tx) => {
    for (const text of [one, two]) await tx.query(new Sql([text], []));
  }));
  expect(await refusal(app(side('US', 1, '2500', -100, 'PROD')))).toMatch(/^ACCT_INTERCOMPANY/);
  expect(await both(side('US', 2, '2500', -100, 'PROD'), side('PROD', 2, '1500', 99, 'US')))
    .toMatch(/^ACCT_INTERCOMPANY/);
  expect(await both(side('US', 3, '2500', -100, 'UK'), side('PROD', 3, '1500', 100, 'US')))
    .toMatch(/^ACCT_INTERCOMPANY/);
  expect(await both(side('US', 4, '2500', -100, 'PROD'), side('PROD', 4, '1500', 100, 'US'))).toBe('accepted');
});
