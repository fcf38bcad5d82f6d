/** Values that only the database refuses are wrong values of the request, never a fault of the service. */
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { open } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { sql, type Sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { serve } from './routes.ts';

const STATEMENTS: Record<string, Sql> = {
  amount: sql`select (1000000000000::bigint + 1)::minor_amount`,
  sum: sql`select sum(x)::bigint from (values (9223372036854775807), (1)) v (x)`,
  huge: sql`select sum(x)::bigint as n from (values (9223372036854775806), (1)) v (x)`,
  int4: sql`select id from users where version = ${99_999_999_999}`,
  rule: sql`insert into exchange_rates (base, quote, on_date, rate, source) values ('USD', 'EUR', '2026-01-02', -1,
    'manual')`,
  pair: sql`insert into exchange_rates (base, quote, on_date, rate, source) values ('USD', 'USD', '2026-01-02', 1,
    'manual')`,
  empty: sql`insert into exchange_rates (base, quote, on_date, source) values ('USD', 'EUR', '2026-01-02', 'manual')`,
  form: sql`select ${'{"a":"\\ud800"}'}::jsonb`,
};
const answers = one(z.object({ done: z.boolean() }));
const planted = serve({
  run: endpoint({ method: 'POST', path: '/api/auth/planted', auth: open, summary: 'Run one of the statements',
    body: z.strictObject({ statement: z.string() }), response: answers }),
  read: endpoint({ method: 'POST', path: '/api/auth/planted-text', auth: open, summary: 'Take any text', readOnly: true,
    body: z.strictObject({ rows: z.array(z.record(z.string(), z.string())) }), response: answers }),
}, {
  async run(ctx, { body }) {
    await ctx.db.query(STATEMENTS[body.statement]!);
    return { data: { done: true } };
  },
  read: async () => ({ data: { done: true } }),
});
const test = testApp({ plantedRoutes: planted });
let staff: SignedIn;
beforeAll(async () => { staff = await test.signedIn('system_admin'); });

describe('a value that only the database refuses', () => {
  it.each([
    ['amount', '', 'An amount here, or a sum of amounts, is above 10,000,000,000.00.'],
    ['sum', '', 'A number here, or a sum of numbers, is larger than can be stored.'],
    ['huge', '', 'An amount here, or a sum of amounts, is above 10,000,000,000.00.'],
    ['int4', '', 'A number here, or a sum of numbers, is larger than can be stored.'],
    ['rule', 'rate', 'This value is not possible here.'],
    ['pair', '', 'These values do not go together.'],
    ['empty', 'rate', 'This is required'],
    ['form', '', 'A value has a form that cannot be stored.'],
  ])('is a 422 in words: %s', async (statement, field, text) => {
    const answer = await staff.post('/api/auth/planted', { statement });
    expect(answer.status, JSON.stringify(answer.body)).toBe(422);
    expect(answer.body.errors).toEqual({ [field]: [text] });
  });
});

describe('text that cannot be stored', () => {
  it.each(['\ud800', 'a\udfff', '\ude00\ud83d', '\u0000'])('is refused at its field: %j', async (text) => {
    const value = await staff.post('/api/auth/planted-text', { rows: [{ name: 'whole' }, { name: text }] });
    expect([value.status, Object.keys(value.body.errors)]).toEqual([422, ['rows.1.name']]);
    const key = await staff.post('/api/auth/planted-text', { rows: [{ [text]: 'x' }] });
    expect([key.status, Object.keys(key.body.errors)]).toEqual([422, ['rows.0']]);
  });

  it('whole pairs are text like any other', async () => {
    expect((await staff.post('/api/auth/planted-text', { rows: [{ '🎭': '😀' }] })).status).toBe(200);
  });
});

describe('numbers of records', () => {
  it.each([2 ** 31, 2 ** 53, '9223372036854775808', '99999999999999999999'])('beyond any record: %s',
    async (id) => {
      for (const path of [`venues/${id}`, `accounting/transactions/${id}`, `licenses/${id}`, `customers/${id}`]) {
        expect((await staff.get(`/api/admin/staff/${path}`)).status, path).toBe(404);
      }
      for (const query of [`accounting/journal_entries?ledger_account_id=${id}`,
        `accounting/transactions?license_id=${id}`]) {
        expect([200, 422], query).toContain((await staff.get(`/api/admin/staff/${query}`)).status);
      }
    });
});
