/**
 * A process that is killed (kill -9) between the charge and its posting, or between a refund and its posting, and the
 * job once more: the money is booked once. Each kill starts a process, so only the long run has this.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { cardPayments } from '#tests/support/card-payments.ts';
import { FULL } from '#tests/support/full.ts';
import type { KilledSettle } from '#tests/support/killed-settle.ts';
import { makeCustomer, movement } from '#tests/support/receivables.ts';

const app = testApp();
const cards = cardPayments(app);
const API = '/api/admin/staff';
let clerk: SignedIn;
let boss: SignedIn;

beforeAll(async () => { [clerk, boss] = [await app.signedIn('staff_admin'), await app.signedIn('staff_admin')]; });

/** Runs the job in another process and kills it after a number of statements; true where it came to its end before. */
async function killed(at: number): Promise<boolean> {
  const stripe = app.ports.settings.stripe!;
  const asked: KilledSettle = { at, url: app.database.app_url, now: app.clock.now().toISOString(),
    data_dir: app.ports.settings.data_dir, api_url: stripe.api_url!, key: stripe.keys.get('US')! };
  const child = fork(fileURLToPath(new URL('../../../tests/support/killed-settle.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env: { ...process.env, KILLED_SETTLE: JSON.stringify(asked) } });
  const ended = new Promise<string>((resolve) => { child.once('exit', (code) => { resolve(`ended ${code}`); }); });
  const here = new Promise<string>((resolve) => { child.once('message', (message) => { resolve(String(message)); }); });
  const said = await Promise.race([here, ended]);
  expect(['here', 'over']).toContain(said);
  child.kill('SIGKILL');
  await ended;
  return said === 'over';
}

/** Kills the job later and later, until it comes to its end by itself. */
async function killedEverywhere(step: number): Promise<number> {
  for (let at = 1; ; at += step) if (await killed(at)) return at;
}

it.runIf(FULL)('kill -9 between charge, refund and posting loses nothing and books nothing twice',
  { timeout: 1_800_000 }, async () => {
    const customer = await makeCustomer(app.database.db, 'US');
    const payer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
    const draft = (await clerk.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
      currency: 'USD', items: [{ kind: 'fee', description: 'S', item_class: 'fee', net_minor: 30_000 }] })).body.data;
    await clerk.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version });
    const path = `/api/customers/${customer}/invoices/${draft.id}`;
    cards.processor.pay(await cards.begin(payer, path, 30_000), 'pay');
    await payer.post(`${path}/check_payment`, {});
    expect(await movement(app.database.db, () => killedEverywhere(7))).toEqual({ 1020: 30_000, 1100: -30_000 });
    await clerk.post(`${API}/invoices/${draft.id}/credit_notes`, { reason: 'Withdrawn' });
    const { id: receipt } = await app.database.db.one<{ id: number }>(sql`
      select id from payments where customer_id = ${customer} and kind = 'receipt'`);
    const refund = (await clerk.post(`${API}/accounting/payments/${receipt}/refund`, { amount_minor: 30_000,
      reason: 'Withdrawn' })).body.data;
    await boss.put(`${API}/accounting/payments/${refund.id}/status`, { status: 'approved', version: refund.version });
    expect(await movement(app.database.db, async () => {
      for (let at = 1; !await killed(at); at += 4) {
        // Requests without an answer are looked at again after ten minutes.
        app.clock.set(new Date(app.clock.now().getTime() + 11 * 60_000).toISOString());
      }
    })).toEqual({ 1020: -30_000, 2000: 30_000 });
    expect(Object.values(cards.processor.account('US').refunds).map((one) => [one.amount, one.status]))
      .toEqual([[30_000, 'succeeded']]);
    expect((await ledgerIntegrity(app.database.db)).filter((check) => !check.ok)).toEqual([]);
  });
