import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const test = testApp();
const BASE = '/api/admin/staff/accounting';
let staff: Browser;
let second: Browser & { user_id: number };
const accounts = new Map<string, number>();

beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  second = await test.signedIn('staff_admin');
  const list = await staff.get(`${BASE}/ledger_accounts?division=US&per_page=100`);
  for (const row of list.body.data) accounts.set(row.code, row.id);
});

const journal = (debit: string, credit: string, minor: number, more: object = {}) => ({
  division: 'US', transaction_at: '2026-11-02', description: 'Bank fee', memo: '',
  journal_entries: [
    { ledger_account_id: accounts.get(debit), debit_minor: minor },
    { ledger_account_id: accounts.get(credit), credit_minor: minor },
  ], ...more,
});

async function posted(debit: string, credit: string, minor: number) {
  const draft = await staff.post(`${BASE}/transactions`, journal(debit, credit, minor));
  expect(draft.status, JSON.stringify(draft.body)).toBe(201);
  const { id, version } = draft.body.data;
  const answer = await staff.post(`${BASE}/transactions/${id}/post`, { version });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}

describe('the chart', () => {
  it('is shipped for every division with its headers', async () => {
    for (const division of ['US', 'EU', 'UK', 'PROD']) {
      const list = await staff.get(`${BASE}/ledger_accounts?division=${division}&per_page=100`);
      expect(list.body.meta.total).toBe(52);
      expect(list.body.data.find((a: { code: string }) => a.code === '1100')).toMatchObject({
        name: 'Accounts receivable', is_control: 'ar', party_types: ['customer'] });
    }
  });

  it.each([
    ['US', 'License income', 'FX gain or loss realized'], ['PROD', 'License income', 'FX gain or loss realized'],
    ['UK', 'Licence income', 'FX gain or loss realised'], ['EU', 'Licence income', 'FX gain or loss realised'],
  ])('names the accounts of %s as it writes: %s', async (division, income, gain) => {
    const { body } = await staff.get(`${BASE}/ledger_accounts?division=${division}&per_page=100`);
    const names = new Map(body.data.map((a: { code: string; name: string }) => [a.code, a.name]));
    expect([names.get('4000'), names.get('7000')]).toEqual([income, gain]);
  });
});

describe('the trial balance', () => {
  it.each(['US', 'EU', 'UK', 'PROD'])('answers for %s, also without entries', async (division) => {
    const { body } = await staff.get(`${BASE}/trial_balance?division=${division}`);
    expect(body.data.rows.length).toBeGreaterThan(40);
    expect(body.data.checks.every((check: { ok: boolean }) => check.ok)).toBe(true);
  });

  it('moves with a journal: opening, debit, credit and closing', async () => {
    await posted('6100', '1010', 1500);
    const at = async (query: string) => {
      const { body } = await staff.get(`${BASE}/trial_balance?division=US&${query}`);
      const { account_id: _id, class: _class, name: _name, ...row } = body.data.rows
        .find((r: { code: string }) => r.code === '6100');
      return row;
    };
    expect(await at('as_of=2026-11-30')).toEqual({ code: '6100', opening_minor: 0, debit_minor: 1500, credit_minor: 0,
      closing_minor: 1500 });
    expect(await at('from=2026-11-03&as_of=2026-11-30')).toEqual({ code: '6100', opening_minor: 1500, debit_minor: 0,
      credit_minor: 0, closing_minor: 1500 });
    expect((await at('as_of=2026-11-01')).closing_minor).toBe(0);
  });
});

describe('journals', () => {
  it('are refused where a line is wrong, at that line, and lose nothing', async () => {
    const wrong = await staff.post(`${BASE}/transactions`, journal('6100', '1010', 1500, { journal_entries: [
      { ledger_account_id: 999_999, debit_minor: 1 },
      { ledger_account_id: accounts.get('1010'), credit_minor: 1, debit_minor: 1 },
    ] }));
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.errors)).toEqual(['journal_entries.0.ledger_account_id',
      'journal_entries.1.debit_minor']);
  });

  it('that do not balance stay drafts, flagged, and are not posted', async () => {
    const draft = await staff.post(`${BASE}/transactions`, journal('6100', '1010', 1, { journal_entries: [
      { ledger_account_id: accounts.get('6100'), debit_minor: 500 },
      { ledger_account_id: accounts.get('1010'), credit_minor: 400 }] }));
    expect(draft.body.data).toMatchObject({ status: 'draft', has_posting_discrepencies: true });
    const { id, version } = draft.body.data;
    const answer = await staff.post(`${BASE}/transactions/${id}/post`, { version });
    expect(answer.body).toMatchObject({ message: 'Debits and credits differ.' });
    expect((await staff.post(`${BASE}/transactions/${id}/void`, { version })).body.data.status).toBe('void');
  });

  it('take, change and lose single lines while they are drafts, and go to the trash with them', async () => {
    const ENTRIES = `${BASE}/journal_entries`;
    const draft = (await staff.post(`${BASE}/transactions`, journal('6100', '1010', 900))).body.data;
    const line = { ledger_account_id: accounts.get('6100'), debit_minor: 100, memo: 'Fee' };
    const added = await staff.post(ENTRIES, { transaction_id: draft.id, ...line });
    expect(added.body.data, JSON.stringify(added.body)).toMatchObject({ line_no: 3, debit_minor: 100, memo: 'Fee' });
    expect((await staff.get(`${BASE}/transactions/${draft.id}`)).body.data.has_posting_discrepencies).toBe(true);
    const both = await staff.put(`${ENTRIES}/${added.body.data.id}`, { ...line, credit_minor: 5 });
    expect(both.status).toBe(422);
    const changed = await staff.put(`${ENTRIES}/${added.body.data.id}`, { ...line, debit_minor: 250 });
    expect(changed.body.data).toMatchObject({ line_no: 3, debit_minor: 250 });
    // It may name the transaction it is in, and no other.
    const again = await staff.put(`${ENTRIES}/${changed.body.data.id}`, { ...line, transaction_id: draft.id });
    expect(again.body.data, JSON.stringify(again.body)).toMatchObject({ transaction_id: draft.id, debit_minor: 100 });
    const moved = await staff.put(`${ENTRIES}/${again.body.data.id}`, { ...line, transaction_id: draft.id + 1 });
    expect([moved.status, Object.keys(moved.body.errors)]).toEqual([422, ['transaction_id']]);
    expect((await staff.remove(`${ENTRIES}/${again.body.data.id}`)).status).toBe(204);
    const whole = (await staff.get(`${BASE}/transactions/${draft.id}`)).body.data;
    expect([whole.journal_entries.length, whole.has_posting_discrepencies]).toEqual([2, false]);
    await staff.remove(`${BASE}/transactions/${draft.id}`);
    const trashed = (await staff.get(`${ENTRIES}/trash?division=US`)).body.data
      .filter((row: { transaction_id: number }) => row.transaction_id === draft.id);
    expect(trashed).toHaveLength(2);
    expect((await staff.put(`${ENTRIES}/${trashed[0].id}/restore`)).body.data.id).toBe(trashed[0].id);
    expect((await staff.remove(`${ENTRIES}/${trashed[0].id}/force`)).status).toBe(404);
    await staff.remove(`${BASE}/transactions/${draft.id}`);
    expect((await staff.remove(`${ENTRIES}/${trashed[0].id}/force`)).status).toBe(204);
    expect((await staff.get(`${ENTRIES}/${trashed[0].id}`)).status).toBe(404);
    const kept = await posted('6100', '1010', 300);
    const refused = await staff.remove(`${ENTRIES}/${kept.journal_entries[0].id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'posted_document']);
  });

  it('name parties by kind, by search, and those a form has chosen whatever the search', async () => {
    const path = `${BASE}/journal_entries/party_types`;
    const kinds = (await staff.get(path)).body.data.map((row: { value: string }) => row.value);
    expect(kinds).toEqual(['customer', 'vendor', 'royaltor', 'bank', 'staff', 'tax_authority', 'division']);
    const taxes = (await staff.get(`${path}/tax_authority/parties?search=texas`)).body.data;
    expect(taxes).toMatchObject([{ name: 'Texas Comptroller of Public Accounts', note: 'US-TX' }]);
    const ensured = await staff.get(
      `${path}/tax_authority/parties?search=revenue&per_page=1&ensure_ids=${taxes[0].id}`);
    expect(ensured.body.data.map((row: { id: number }) => row.id)[0]).toBe(taxes[0].id);
    expect(ensured.body.data).toHaveLength(2);
    expect((await staff.get(`${path}/vendor/parties`)).body).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await staff.get(`${path}/nobody/parties`)).status).toBe(404);
  });

  it('are never deleted once posted, and are reversed once', async () => {
    const row = await posted('6100', '1010', 700);
    const deleted = await staff.remove(`${BASE}/transactions/${row.id}`);
    expect(deleted.status).toBe(409);
    const reverse = () => staff.post(`${BASE}/transactions/${row.id}/reverse`,
      { reason: 'Wrong account', transaction_at: '2026-11-03' });
    const answers = await Promise.all([reverse(), reverse()]);
    expect(answers.map((a) => a.status).sort()).toEqual([200, 409]);
    expect((await staff.get(`${BASE}/transactions/${row.id}`)).body.data.status).toBe('reversed');
  });

  it('a double click with one key posts once', async () => {
    const draft = (await staff.post(`${BASE}/transactions`, journal('6100', '1010', 900))).body.data;
    const press = () => staff.post(`${BASE}/transactions/${draft.id}/post`, { version: draft.version },
      { idempotencyKey: 'one-press' });
    const [one, two] = await Promise.all([press(), press()]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect([one.headers['idempotent-replayed'], two.headers['idempotent-replayed']].filter(Boolean)).toEqual(['true']);
    const reused = await staff.post(`${BASE}/transactions/${draft.id}/post`, { version: draft.version + 1 },
      { idempotencyKey: 'one-press' });
    expect(reused.body.code).toBe('idempotency_key_reused');
  });
});

describe('periods', () => {
  it('are closed by two persons, and a closed one takes no posting', async () => {
    const periods = await staff.get(`${BASE}/periods?division=UK&year=2026`);
    const march = periods.body.data.find((p: { period: number }) => p.period === 202603);
    const close = (who: Browser, version: number) =>
      who.put(`${BASE}/periods/202603/close`, { division: 'UK', version, note: 'Statements are late' });
    const silent = await staff.put(`${BASE}/periods/202603/close`, { division: 'UK', version: march.version });
    expect(silent.body.errors).toEqual({ note: ['1 check is open: Bank statements are imported. Say why the month is '
      + 'closed all the same'] });
    const asked = await close(staff, march.version);
    const inbox = await second.get('/api/admin/staff/approvals?kind=period_close');
    expect(inbox.body.data[0].detail).toBe('UK · Statements are late · Open: Bank statements are imported');
    expect(asked.body.data).toMatchObject({ state: 'open', requested_state: 'closed' });
    expect((await close(staff, march.version)).body.code).toBe('four_eyes');
    const done = await close(second, march.version);
    expect(done.body.data).toMatchObject({ state: 'closed', requested_state: null });
    const uk = await staff.get(`${BASE}/ledger_accounts?division=UK&per_page=100`);
    const id = (code: string) => uk.body.data.find((a: { code: string }) => a.code === code).id;
    const late = await staff.post(`${BASE}/transactions`, { division: 'UK', transaction_at: '2026-03-10',
      description: '', memo: '', journal_entries: [{ ledger_account_id: id('6100'), debit_minor: 5 },
        { ledger_account_id: id('1010'), credit_minor: 5 }] });
    expect(late.body.code).toBe('period_locked');
  });
});

describe('lock dates', () => {
  const LOCKS = `${BASE}/period_locks`;
  const sales = async () => (await staff.get(`${LOCKS}?division=EU`)).body.data
    .find((row: { sub_ledger: string }) => row.sub_ledger === 'sales');

  it('are asked for by one person and set by another; the hard lock never moves back', async () => {
    const wish = { division: 'EU', sales_through: '2026-02-28', reason: 'Month end' };
    await staff.put(LOCKS, wish);
    expect(await sales()).toMatchObject({ locked_through: null, requested: true, requested_through: '2026-02-28' });
    expect((await staff.put(LOCKS, wish)).body.code).toBe('four_eyes');
    // Another date is a new wish, not a confirmation.
    await second.put(LOCKS, { ...wish, sales_through: '2026-01-31' });
    expect(await sales()).toMatchObject({ locked_through: null, requested_through: '2026-01-31' });
    expect((await staff.put(LOCKS, { ...wish, sales_through: '2026-01-31' })).status).toBe(200);
    expect(await sales()).toMatchObject({ locked_through: '2026-01-31', requested: false });
    const hard = { division: 'EU', hard_through: '2025-12-31' };
    await staff.put(LOCKS, hard);
    await second.put(LOCKS, hard);
    const back = await staff.put(LOCKS, { ...hard, hard_through: '2025-06-30' });
    expect(back.body.errors.hard_through[0]).toMatch(/is at 2025-12-31 and never moves back/);
    expect((await staff.put(LOCKS, { division: 'EU' })).status).toBe(422);
  });

  it('have exceptions for another person, for a time, that can be ended', async () => {
    const path = `${LOCKS}/exceptions`;
    const body = { division: 'EU', user_id: second.user_id, lock: 'sales', reason: 'Late invoice',
      until: new Date(Date.now() + 86_400_000).toISOString() };
    const made = await staff.post(path, body);
    expect(made.body.data, JSON.stringify(made.body)).toMatchObject({ active: true, sub_ledger: 'sales' });
    expect((await second.post(path, body)).body.code).toBe('four_eyes');
    expect((await staff.post(path, { ...body, until: '2999-01-01T00:00:00Z' })).body.message).toMatch(/31 days/);
    expect((await staff.remove(`${path}/${made.body.data.id}`)).status).toBe(204);
    expect((await staff.get(`${path}?division=EU`)).body.data[0]).toMatchObject({ active: false });
    expect((await staff.remove(`${path}/${made.body.data.id}`)).status).toBe(404);
  });
});

describe('exchange rates', () => {
  it('are removed while nothing was converted at them', async () => {
    const rate = { base: 'GBP', quote: 'USD', on: '2019-05-01', rate: '1.3' };
    const made = (await staff.post(`${BASE}/exchange_rates`, rate)).body.data;
    expect(made.used).toBe(false);
    expect((await staff.remove(`${BASE}/exchange_rates/${made.id}`)).status).toBe(204);
    expect((await staff.remove(`${BASE}/exchange_rates/${made.id}`)).status).toBe(404);
    const kept = (await staff.post(`${BASE}/exchange_rates`, rate)).body.data;
    const customer_id = await makeCustomer(test.database.db, 'US');
    const draft = await staff.post('/api/admin/staff/invoices', { customer_id, division: 'US',
      currency: 'GBP', issued_on: '2019-05-01', items: [{ kind: 'fee', description: 'Service',
        item_class: 'fee', net_minor: 100 }] });
    expect(draft.status, JSON.stringify(draft.body)).toBe(201);
    const refused = await staff.remove(`${BASE}/exchange_rates/${kept.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'exchange_rate.in_use']);
  });

  const ECB = 'Date,USD,JPY,GBP,\n2026-04-13,1.1684,186.75,0.87058,\n2026-04-10,1.1601,N/A,N/A,\n';
  const upload = (name: string, text: string) => staff.call('POST', `${BASE}/exchange_rates/import`, {
    multipart: { fields: {}, file: { field: 'file', name, type: 'text/csv', content: Buffer.from(text) } } });

  it('come from the ECB file once; a differing known rate is shown, not overwritten', async () => {
    expect((await upload('eurofxref.csv', ECB)).body.data).toEqual({ added: 3, known: 0, differing: [] });
    const again = await upload('eurofxref.csv', ECB.replace('1.1601', '1.1602'));
    expect(again.body.data).toEqual({ added: 0, known: 3,
      differing: [{ on_date: '2026-04-10', quote: 'USD', known: '1.1601', file: '1.1602' }] });
  });
  it('are found by the day they are used on, by month, currency and the beginning of a rate', async () => {
    for (const [on, rate] of [['2018-11-02', '1.1417'], ['2018-11-05', '1.1370'], ['2018-12-03', '0.9']]) {
      const made = await staff.post(`${BASE}/exchange_rates`, { base: 'GBP', quote: 'EUR', on, rate });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }
    const rowsOf = async (query: string): Promise<{ on_date: string; source: string }[]> =>
      (await staff.get(`${BASE}/exchange_rates?base=GBP&quote=EUR&${query}`)).body.data;
    const daysOf = async (query: string) => (await rowsOf(query)).map((row) => row.on_date);
    const found = (search: string) => daysOf(`search=${encodeURIComponent(search)}`);
    // A Sunday: the rate of Friday is used.
    expect(await found('11/4/2018')).toEqual(['2018-11-02']);
    // Of one day, the entry by hand comes before the file.
    await test.database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
      values ('GBP', 'EUR', '2018-11-02', 1.15, 'ecb')`);
    expect(await daysOf('on=2018-11-02')).toHaveLength(2);
    expect((await rowsOf('search=11/4/2018')).map((row) => row.source)).toEqual(['manual']);
    await test.database.db.exec(sql`delete from exchange_rates where base = 'GBP' and source = 'ecb'`);
    expect(await found('Nov 5, 2018')).toEqual(['2018-11-05']);
    expect(await found('2018-11')).toEqual(['2018-11-05', '2018-11-02']);
    expect(await found('november 2018')).toEqual(['2018-11-05', '2018-11-02']);
    expect(await found('gbp eur 1.13')).toEqual(['2018-11-05']);
    expect(await found('1.1')).toEqual(['2018-11-05', '2018-11-02']);
    expect(await found('2018-11 %')).toEqual([]);
    expect(await found('2018 GBP USD')).toEqual([]);
    expect(await daysOf('source=manual&sort_by=on&sort_direction=asc')).toEqual(
      ['2018-11-02', '2018-11-05', '2018-12-03']);
    expect(await daysOf('source=ecb')).toEqual([]);
  });
  it.each([
    ['rates.csv', 'a,b\n1,2\n', 'This is not the rate file of the ECB: it has no columns Date, USD and GBP'],
    ['rates.csv', 'Date,USD,GBP\n13.04.2026,1,1\n', 'Row 2: "13.04.2026" is not a day (YYYY-MM-DD)'],
    ['rates.exe', ECB, 'Choose a file of type csv; this one is "rates.exe"'],
  ])('refuse %s %j', async (name, text, words) => {
    expect((await upload(name, text)).body.errors.file).toEqual([words]);
  });
});

describe('the journal export', () => {
  it('is text that hledger reads, without drafts', async () => {
    const answer = await staff.get(`${BASE}/journal_export?division=US&format=hledger`);
    expect(answer.status).toBe(200);
    const text = answer.raw.toString();
    expect(text).toContain('expense:6100 Bank fees  15.00 USD');
    expect(text).not.toContain('400.00');
  });
});

it('the integrity report names every invariant and finds nothing', async () => {
  const { body } = await staff.get(`${BASE}/integrity`);
  expect(body.data.violations).toBe(0);
  expect(body.data.invariants.length).toBeGreaterThan(8);
});
