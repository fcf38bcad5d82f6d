/**
 * A process that is killed in the middle of a step of a payment run (kill -9), and the same step again: nothing is lost
 * and nothing happens twice. A step is one transaction; what the process had not committed never was. Each kill starts
 * a process, so only the long run has this.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { FULL } from '#tests/support/full.ts';
import type { KilledStep } from '#tests/support/killed-step.ts';
import { postPaymentRuns } from './settle-run.server.ts';

const test = testApp();
const STAFF = '/api/admin/staff';
const BASE = `${STAFF}/accounting`;
let ann: SignedIn;
let ben: SignedIn;
const run = { id: 0, number: '' };

const ok = <T extends { status: number; body: unknown }>(answer: T): T => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer;
};

/** A batch of two royaltors by ACH: what comes back of it touches every table that a run writes. */
beforeAll(async () => {
  test.clock.set('2026-11-20T15:00:00Z');
  [ann, ben] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
  const cat = await test.signedIn('staff_admin');
  for (const one of [ann, ben, cat]) await one.confirm();
  const { body: { data: [{ id, version }] } } = await ann.get(`${BASE}/bank_accounts?division=US&currency=USD`);
  ok(await ann.put(`${BASE}/bank_accounts/${id}/number`, { version, kind: 'us', account: '7445678999',
    routing: '231380104' }));
  ok(await ann.put(`${BASE}/bank_accounts/${id}/payment_files`, { version: 1, originator_name: 'Grand Rights',
    company_id: '1123456789', destination_routing: '231380104', destination_name: 'First Bank', balanced: false }));
  const advance_ids: number[] = [];
  for (const amount_minor of [15_000, 60_000]) {
    const { parties: [party] } = await makeShow(test.database.db, [{ rate_ppm: 1_000_000 }]);
    const path = `${STAFF}/royaltors/${party!.royaltor_id}`;
    const seen = async () => (await ann.get(path)).body.data.version;
    ok(await cat.put(`${path}/bank_details`, { kind: 'us', account: '123456789', routing: '021000021',
      version: await seen() }));
    ok(await ben.put(`${path}/bank_details/verify`, { version: await seen(), note: 'Called' }));
    advance_ids.push(ok(await ann.post(`${STAFF}/royalty_advances`, { currency: 'USD', due_on: '2026-11-01',
      amount_minor, show_royaltor_id: party!.show_royaltor_id })).body.data.id);
  }
  const { body: { data } } = ok(await ann.post(`${BASE}/royalty_payment_batches`, { division: 'US', method: 'ach',
    pay_on: '2026-11-23', statement_ids: [], advance_ids, bank_account_id: id }));
  Object.assign(run, { id: data.payment_run_id, number: data.number });
});

/** All that a step of the run may write, as one value. */
const stored = () => test.database.db.one(sql`
  select (select jsonb_agg(to_jsonb(t) - 'updated_at' order by t.id) from payment_runs t) as runs,
    (select jsonb_agg(jsonb_build_object('id', p.id, 'status', p.status, 'outcome', p.outcome, 'posting',
      p.transaction_id, 'back', p.reversal_transaction_id, 'version', p.version) order by p.id)
      from payments p) as paid,
    (select jsonb_agg(jsonb_build_object('id', a.id, 'status', a.status) order by a.id)
      from royalty_advances a) as owed,
    (select count(*) from transactions)::int as postings, (select count(*) from notifications)::int as told,
    (select count(*) from files)::int as files, (select count(*) from audit_events)::int as done,
    (select jsonb_agg(jsonb_build_object('account', x.account, 'minor', x.minor) order by x.account) from (
      select ledger_account_id as account, sum(base_amount_minor)::bigint as minor from journal_entries group by 1) x)
      as ledger`);

/** Starts the step in another process and kills it there. */
async function killed(step: KilledStep['step'], at: KilledStep['at'], more: Partial<KilledStep> = {}): Promise<void> {
  const { version } = (await ann.get(`${BASE}/payment_runs/${run.id}`)).body.data;
  const asked: KilledStep = { step, at, url: test.database.app_url, run_id: run.id, version,
    actor_id: (step === 'approve' ? ben : ann).user_id, now: test.clock.now().toISOString(),
    data_dir: test.ports.settings.data_dir, answer: '', ...more };
  const child = fork(fileURLToPath(new URL('../../../tests/support/killed-step.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, KILLED_STEP: JSON.stringify(asked) } });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => { child.once('exit', (_code, signal) => {
    resolve(signal); }); });
  const here = new Promise<string>((resolve) => { child.once('message', (message) => { resolve(String(message)); }); });
  expect(await Promise.race([here, ended]), `${step} ended by itself`).toBe('here');
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
}

const POINTS: readonly KilledStep['at'][] = [9, 'commit'];

/** Killed before the commit the step never was; killed after it, it was, and is refused a second time. */
async function survives(step: KilledStep['step'], again: () => Promise<unknown>, more: Partial<KilledStep> = {}):
Promise<void> {
  const before = await stored();
  for (const at of POINTS) {
    await killed(step, at, more);
    expect(await stored(), `${step} killed at ${at}`).toEqual(before);
  }
  await killed(step, 'done', more);
  const after = await stored();
  expect(after).not.toEqual(before);
  await again();
  const { runs: _runs, done: _done, ...rest } = await stored() as Record<string, unknown>;
  expect(after, `${step} a second time`).toMatchObject(rest);
}

const refused = (what: string, by: () => SignedIn) => async () => {
  const { version } = (await ann.get(`${BASE}/payment_runs/${run.id}`)).body.data;
  expect((await by().put(`${BASE}/payment_runs/${run.id}/${what}`, { version })).body.code).toBe('payment_run.status');
};

const PATIENCE = 1_800_000;
it.runIf(FULL)('kill -9 of a step of a run loses nothing and repeats nothing', { timeout: PATIENCE }, async () => {
  await survives('approve', refused('approve', () => ben));
  await survives('export', refused('export', () => ann));
  const { raw } = ok(await ann.get(`${BASE}/payment_runs/${run.id}/file`));
  expect(raw.toString()).toMatch(/^101/);
  test.clock.set('2026-11-23T15:00:00Z');
  ann = await test.signedIn('staff_admin');
  await ann.confirm();
  await survives('post', async () => expect(await postPaymentRuns(test.ports)).toBe(0));
  const { bank_reference } = await test.database.db.one<{ bank_reference: string }>(sql`
    select bank_reference from payments where payment_run_id = ${run.id} and amount_minor = 60000`);
  const answer = returned(raw.toString(), bank_reference);
  await survives('answer', async () => {
    const { body } = await ann.call('POST', `${BASE}/payment_runs/${run.id}/answer`, { multipart: { fields: {},
      file: { field: 'file', name: 'returns.ach', type: 'text/plain', content: Buffer.from(answer) } } });
    expect(body.data).toMatchObject({ settled: 0, rejected: 0 });
  }, { answer });
  expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);
});

/** Our file as the bank sends it back, with the reason behind one payment. */
function returned(file: string, trace: string): string {
  return file.split('\r\n').filter((line) => /^[1568]/.test(line)).flatMap((line) => {
    if (!line.startsWith('6') || !line.endsWith(trace)) return [line];
    return [`${line.slice(0, 78)}1${line.slice(79)}`, `799R03${trace}      02100002`.padEnd(94)];
  }).filter((line) => !line.startsWith('705')).join('\n');
}
