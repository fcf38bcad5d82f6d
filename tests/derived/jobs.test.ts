/** One bad row stops no job: every job reports the first item that fails and works the second. */
import { describe, expect, it } from 'vitest';
import { jobs } from '#apps/server/src/jobs.ts';
import { purgeExpired } from '#apps/server/src/purge-expired.ts';
import { sendDigests } from '#modules/notifications/notifications.public.server.ts';
import type { Ports } from '#server/context.ts';
import type { Db, Queryable } from '#server/db.ts';
import { deliverOutbox } from '#server/deliver-outbox.ts';
import { sql, type Sql } from '#server/sql.ts';
import { TEST_NOW, testApp } from '#tests/support/app.ts';

/** One statement or one report each: there are no items that could stop one another. */
const WHOLE = new Set(['fold-balances', 'link-ledger', 'link-audit', 'verify-audit', 'verify-ledger']);
const working = jobs.filter(({ name }) => !WHOLE.has(name));
const DAY = TEST_NOW.slice(0, 10);

/** Row of any work list, with all the names that jobs read. */
const row = (id: number) => ({
  id, license_id: id, code: id === 1 ? 'US' : 'UK', division: 'US', timezone: 'UTC', over: true, last_day: DAY,
  due_on: DAY, since: '2026-01-01T00:00:00Z', key: 'invoice.due', entity: 'invoice', storage_key: `k${id}`,
  email: 'reader@test.example', first_name: 'R', on_date: '2026-12-25',
});

interface Failure { job?: string; [fact: string]: unknown }

/** A database whose lists of work answer two rows, and on which every work on a row fails. */
function poisonedPorts(failures: Failure[]): Ports {
  const poison = (): never => { throw new Error('a bad row'); };
  const claims = new Map<string, number>();
  const claim = (statement: Sql): ReturnType<typeof row> | null => {
    const { text } = statement.compile();
    const taken = /^\s*update (exports|bulk_runs|bank_statement_imports) set status = 'running'/.exec(text)?.[1];
    if (taken === undefined) return poison();
    const count = (claims.get(taken) ?? 0) + 1;
    claims.set(taken, count);
    return count > 2 ? null : row(count);
  };
  const lists: Queryable = {
    query: async <Row>() => [row(1), row(2)] as Row[],
    one: async <Row>(statement: Sql) => (/timezone|house_settings/.test(statement.compile().text)
      ? { timezone: 'UTC', value: 'x', mail_from: 'x' } as Row : poison()),
    maybeOne: async <Row>(statement: Sql) => (/house_settings/.test(statement.compile().text) ? null
      : claim(statement) as Row),
    exec: async () => poison(),
  };
  const db = { ...lists, pool: {}, tx: async () => poison(), read: async () => poison() } as unknown as Db;
  return {
    db, limits: db, clock: { now: () => new Date(TEST_NOW) }, wake: () => {},
    files: { get: poison, put: poison, read: poison, remove: poison },
    mail: { deliver: async () => {} },
    settings: { vat_registers: { vies_url: 'http://localhost:1', hmrc: false, proof_days: 7 } },
    log: (_level: string, message: string, facts: Failure = {}) => {
      if (message === 'job item failed') failures.push(facts);
    },
  } as unknown as Ports;
}

describe('a job whose first row is bad goes on with the second', () => {
  it.each(working.map((job) => ({ job, name: job.name })))('$name', async ({ job, name }) => {
    const failures: Failure[] = [];
    const ports = poisonedPorts(failures);
    // Work a job does once for all its rows fails as well, after them.
    await job.work(ports).catch((error: Error) => { expect(error.message).toBe('a bad row'); });
    const worked = failures.map(({ job: own, error: _error, ...facts }) => {
      expect(own).toBe(name);
      return JSON.stringify(facts);
    });
    expect(new Set(worked).size, worked.join()).toBeGreaterThanOrEqual(2);
  });
});

describe('on the database', () => {
  const test = testApp();

  /** Makes the database refuse one kind of change to the rows that meet a condition. */
  async function refuse(table: string, event: 'insert' | 'update' | 'delete', condition: string): Promise<void> {
    const { pool } = test.database.owner;
    await pool.query(`create function refuse_${table}() returns trigger language plpgsql as
      $$ begin raise exception 'a bad row'; end $$`);
    await pool.query(`create trigger refuse before ${event} on ${table} for each row
      when (${condition}) execute function refuse_${table}()`);
  }

  it('a digest that cannot be written keeps no other reader waiting', async () => {
    const [first, second] = [await test.signedIn('customer'), await test.signedIn('customer')];
    const { owner } = test.database;
    for (const { user_id } of [first, second]) {
      await owner.exec(sql`insert into notifications (user_id, kind, title, by_mail)
        values (${user_id}, 'order.shipped', 'Shipped', true)`);
    }
    const doomed = `refused-${first.email}`;
    await owner.exec(sql`update users set email = ${doomed} where id = ${first.user_id}`);
    await refuse('mail_outbox', 'insert', `'${doomed}' = any (new.recipients)`);
    const logged: string[] = [];
    expect(await sendDigests({ ...test.ports, log: (_level, message) => { logged.push(message); } })).toBe(1);
    expect(logged).toEqual(['job item failed']);
    expect(await owner.query(sql`select recipients from mail_outbox where template = 'notifications.digest'`))
      .toEqual([{ recipients: [second.email] }]);
  });

  it('a mail that cannot be marked as sent keeps no other from going out', async () => {
    const { owner } = test.database;
    await owner.exec(sql`delete from mail_outbox`);
    const ids = await owner.query<{ id: number }>(sql`
      insert into mail_outbox (template, recipients, subject, body_text)
      select 'account.exists', array['a@test.example'], 'S', 'T' from generate_series(1, 2) returning id`);
    await test.database.owner.pool.query('drop trigger refuse on mail_outbox; drop function refuse_mail_outbox');
    await refuse('mail_outbox', 'update', `new.id = ${ids[0]!.id}`);
    const sent: number[] = [];
    const mail = { deliver: async ({ id }: { id: number }) => { sent.push(id); } };
    expect(await deliverOutbox({ ...test.ports, mail, log: () => {} })).toBe(1);
    expect(sent).toEqual([ids[1]!.id]);
  });

  it('what cannot be deleted keeps nothing else from being deleted', async () => {
    const { owner } = test.database;
    await owner.exec(sql`insert into idempotency_keys (key, fingerprint, created_at)
      values ('old', encode(sha256('x'), 'hex'), now() - interval '9 days')`);
    await owner.exec(sql`insert into rate_limits (bucket, window_start) values ('old', now() - interval '9 days')`);
    await refuse('idempotency_keys', 'delete', 'true');
    await purgeExpired({ ...test.ports, log: () => {} });
    expect(await owner.query(sql`select 1 from rate_limits where bucket = 'old'`)).toEqual([]);
  });
});
