/** Money that several people move at once goes one way, once. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { command, DAY, makeLicense, testPorts, type TestLicense } from '#tests/support/receivables.ts';
import { holdReceiptAsDeposit } from './deposits/receive-deposit.server.ts';
import {
  applyReceiptToInvoice, disposeDeposit, issueInvoice, recordReceipt, refundReceipt, requestDeposit, returnReceipt,
} from './receivables.public.server.ts';

const database = testDatabase();
let ports: Ports;
beforeAll(() => { ports = testPorts(database.db); });

const of = (license: TestLicense) => ({ customer_id: license.customer_id, division: license.division,
  currency: license.currency });
const issue = (license: TestLicense, net_minor: number) => command(ports, (ctx) => issueInvoice(ctx, { ...of(license),
  license_id: license.id, issued_on: DAY, lines: [{ kind: 'royalty', description: 'License fee',
    item_class: 'performing_licence', net_minor, royalty_bearing: true }] }));
const receive = (license: TestLicense, amount_minor: number) => command(ports, (ctx) => recordReceipt(ctx, {
  ...of(license), amount_minor, method: 'wire', received_on: DAY }));

describe('refunded and applied at once', () => {
  /** Eight at once, every other one refunds; who comes late is refused. */
  const race = async (refund: () => Promise<unknown>, apply: () => Promise<unknown>) => {
    const done = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? refund() : apply())));
    return done.filter((one) => one.status === 'fulfilled').length;
  };

  test('a receipt goes one way, once', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 50_000);
    const { payment_id } = await receive(license, 50_000);
    const won = await race(
      () => command(ports, (ctx) => refundReceipt(ctx, { payment_id, amount_minor: 50_000, on: DAY,
        reason: 'Paid twice' })),
      () => command(ports, (ctx) => applyReceiptToInvoice(ctx, { payment_id, invoice_id, amount_minor: 50_000,
        on: DAY })));
    expect(won).toBe(1);
    expect(await database.db.one(sql`select unapplied_minor from payments where id = ${payment_id}`))
      .toEqual({ unapplied_minor: 0 });
    const { refunded, applied } = await database.db.one<{ refunded: number; applied: number }>(sql`
      select coalesce((select sum(amount_minor) from payments where party_id = ${license.customer_id}
          and direction = 'out' and status <> 'void'), 0)::bigint as refunded,
        (select (total_minor - balance_minor) from invoices where id = ${invoice_id})::bigint as applied`);
    expect(refunded + applied).toBe(50_000);
  });

  test('a deposit goes one way, once', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 50_000);
    const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
      kind: 'security', amount_minor: 50_000 }));
    const { payment_id } = await receive(license, 50_000);
    await command(ports, (ctx) => holdReceiptAsDeposit(ctx, { deposit_id, payment_id, on: DAY }));
    const dispose = (disposition: Parameters<typeof disposeDeposit>[1]['dispositions'][number]) => () =>
      command(ports, (ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id, on: DAY,
        dispositions: [disposition] }));
    const won = await race(dispose({ type: 'refund', amount_minor: 50_000 }),
      dispose({ type: 'apply', amount_minor: 50_000, invoice_id }));
    expect(won).toBe(1);
    expect(await database.db.one(sql`select applied_minor + refunded_minor as gone, remaining_minor
      from deposits where id = ${deposit_id}`)).toEqual({ gone: 50_000, remaining_minor: 0 });
  });

  test('a receipt that is held as a deposit is not applied to an invoice as well', async () => {
    const license = await makeLicense(database.db, 'US');
    const { invoice_id } = await issue(license, 50_000);
    const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
      kind: 'security', amount_minor: 50_000 }));
    const { payment_id } = await receive(license, 50_000);
    const won = await race(
      () => command(ports, (ctx) => holdReceiptAsDeposit(ctx, { deposit_id, payment_id, on: DAY })),
      () => command(ports, (ctx) => applyReceiptToInvoice(ctx, { payment_id, invoice_id, amount_minor: 50_000,
        on: DAY })));
    expect(won).toBe(1);
    const { held, applied } = await database.db.one<{ held: number; applied: number }>(sql`
      select (select remaining_minor from deposits where id = ${deposit_id} and status = 'held') as held,
        (select total_minor - balance_minor from invoices where id = ${invoice_id}) as applied`);
    expect(Number(held ?? 0) + Number(applied)).toBe(50_000);
  });

  test('a receipt that comes back while it is held as a deposit leaves no deposit without money', async () => {
    const license = await makeLicense(database.db, 'US');
    const { deposit_id } = await command(ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
      kind: 'security', amount_minor: 50_000 }));
    const { payment_id } = await receive(license, 50_000);
    const worked = Promise.withResolvers<undefined>();
    const held = command(ports, async (ctx) => {
      await holdReceiptAsDeposit(ctx, { payment_id, deposit_id, on: DAY });
      const { pid } = await ctx.db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      worked.resolve(undefined);
      await someoneWaitsFor(pid);
    });
    await worked.promise;
    const returned = command(ports, (ctx) => returnReceipt(ctx, { payment_id, on: DAY, reason: 'No funds' }));
    await Promise.all([held, returned]);
    expect(await database.db.one(sql`select d.status as deposit, p.status as payment
      from deposits d, payments p where d.id = ${deposit_id} and p.id = ${payment_id}`))
      .toEqual({ deposit: 'requested', payment: 'returned' });
  });

  async function someoneWaitsFor(pid: number): Promise<void> {
    for (let waits = false; !waits;) {
      ({ waits } = await database.db.one<{ waits: boolean }>(sql`
        select exists (select 1 from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))) as waits`));
    }
  }
});
