/** A break that the night finds is told to the system administrators, once a day. */
import { expect, it } from 'vitest';
import { linkAudit } from '#modules/system/system.public.server.ts';
import { createDb } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { watchAudit, watchLedger } from './night-watch.ts';

const test = testApp();

it('tells of a broken audit trail once, and of sound books nothing', async () => {
  const system = await test.signedIn('system_admin');
  const clerk = await test.signedIn('staff_admin');
  const told = async (): Promise<string[]> => (await system.get('/api/admin/staff/notifications')).body.data
    .filter((row: { kind: string }) => row.kind === 'system.failed').map((row: { title: string }) => row.title);
  await system.put('/api/admin/system/settings', { key: 'notifications_keep_days', value: 300, version: 0 });
  await watchLedger(test.ports);
  await watchAudit(test.ports);
  expect(await told()).toEqual([]);
  const { db } = test.database;
  await linkAudit(db);
  const superuser = createDb({ connectionString: test.database.superuser_url, max: 1 });
  await superuser.tx(async (tx) => {
    await tx.exec(sql`set local session_replication_role = replica`);
    await tx.exec(sql`
      update audit_events set actor_id = ${clerk.user_id} where id = (select max(id) from audit_events)`);
  });
  await superuser.close();
  for (const _ of [1, 2]) await watchAudit(test.ports);
  expect(await told()).toEqual(['The audit trail was changed']);
  expect((await clerk.get('/api/admin/staff/notifications')).body.data).toEqual([]);
});
