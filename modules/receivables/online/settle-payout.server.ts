/** A payout of the card processor becomes one posting, as the bank books it; what it is made of is stored with it. */
import { AppError } from '#kit/errors.ts';
import { payoutLines, payoutSums, returnedPayoutLines } from '#kernel/receivables/payout.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { bankAccountFor } from '#modules/banking/banking.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { post } from '../ledger/post.server.ts';
import { listPayouts, readPayout, type PayoutReading } from './processor.server.ts';
import { tellStaff } from './settle-payment.server.ts';

interface StoredPayout { id: number; status: 'posted' | 'returned' | 'attention'; note: string }

/** Reads the payout and books it, or what became of it. Read again, it changes nothing. */
export async function settlePayout(ports: Ports, division: string, payoutId: string): Promise<void> {
  const reading = await readPayout(ports.settings, division, payoutId);
  if (reading === null) return;
  await ports.db.tx(async (tx) => {
    const ctx = workContext(ports, tx, SYSTEM_ACTOR);
    // One at a time for an account: the row may not be there yet to be locked.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`payout ${division} ${payoutId}`}, 0))`);
    const known = await tx.maybeOne<StoredPayout>(sql`
      select id, status, note from processor_payouts where division = ${division} and payout_id = ${payoutId}`);
    if (known?.status === 'returned') return;
    const posted = known?.status === 'posted' ? known.id : await book(ctx, division, reading, known);
    if (reading.failed && posted !== null) await bookReturn(ctx, division, reading, posted);
  });
}

/** The id where it was posted; null where a person has to look first. */
async function book(ctx: WorkContext, division: string, reading: PayoutReading, known: StoredPayout | null):
Promise<number | null> {
  const { currency } = reading;
  const sums = payoutSums(reading.amount_minor, reading.lines);
  const bank = await bankAccountFor(ctx, { division, currency }).catch((error: Error) => {
    if (error instanceof AppError) return error.message;
    throw error;
  });
  const { functional } = await ctx.db.one<{ functional: string }>(sql`
    select functional_currency as functional from divisions where code = ${division}`);
  const problem = sums.problem ?? (typeof bank === 'string' ? bank
    : functional === currency ? null : `It is in ${currency}, the books are in ${functional}`);
  const id = known?.id ?? (await ctx.db.one<{ id: number }>(sql`
    insert into processor_payouts (division, payout_id, currency, amount_minor, paid_on, status, note)
    values (${division}, ${reading.id}, ${currency}, ${reading.amount_minor}, ${reading.paid_on}, 'attention',
      ${problem ?? 'Being posted'}) returning id`)).id;
  if (problem !== null || typeof bank === 'string') {
    if (known?.note !== problem) {
      await ctx.db.exec(sql`update processor_payouts set note = ${problem} where id = ${id}`);
      await tellStaff(ctx, `payout of ${formatMoney(reading.amount_minor, currency)}`, problem ?? '');
    }
    return null;
  }
  for (const part of sums.parts) {
    await ctx.db.exec(sql`
      insert into processor_payout_parts (processor_payout_id, line_id, type, cleared_minor, fee_minor)
      values (${id}, ${part.line_id}, ${part.type}, ${part.cleared_minor}, ${part.fee_minor})`);
  }
  // The processor counts days by another clock.
  const today = await ctx.today(division);
  const on = reading.paid_on < today ? reading.paid_on : today;
  const transaction = await post(ctx, { division, kind: 'processor_payout', on, currency, rate: '1',
    description: `Payout ${reading.id} of card payments`, source: { type: 'processor_payout', id, event: 'paid' },
    lines: payoutLines({ bank: bank.code, paid_minor: reading.amount_minor, fee_minor: sums.fee_minor }) });
  await ctx.db.exec(sql`
    update processor_payouts set status = 'posted', note = '', fee_minor = ${sums.fee_minor},
      bank_account_id = ${bank.id}, transaction_id = ${transaction} where id = ${id}`);
  await ctx.audit({ action: 'post', entity: 'processor_payout', entity_id: id, after: { payout_id: reading.id } });
  return id;
}

async function bookReturn(ctx: WorkContext, division: string, reading: PayoutReading, id: number): Promise<void> {
  const row = await ctx.db.one<{ code: string; amount_minor: number }>(sql`
    select a.code, p.amount_minor from processor_payouts p join bank_accounts b on b.id = p.bank_account_id
      join ledger_accounts a on a.id = b.ledger_account_id where p.id = ${id}`);
  const transaction = await post(ctx, { division, kind: 'processor_payout', on: await ctx.today(division),
    currency: reading.currency, rate: '1', description: `Payout ${reading.id} sent back by the bank`,
    source: { type: 'processor_payout', id, event: 'returned' },
    lines: returnedPayoutLines({ bank: row.code, paid_minor: BigInt(row.amount_minor) }) });
  await ctx.db.exec(sql`update processor_payouts set status = 'returned', return_transaction_id = ${transaction}
    where id = ${id}`);
  await tellStaff(ctx, `payout of ${formatMoney(row.amount_minor, reading.currency)} came back`,
    'The bank did not take it. Check the bank account at the processor');
}

export const READ_PAYOUTS = 'read-payouts';
const DAYS_READ = 35;

/** Payouts of the last weeks that nobody told us of, of every division with an account. */
export async function readMissedPayouts(ports: Ports): Promise<void> {
  const divisions = await ports.db.query<{ id: number; code: string }>(sql`
    select id, code from divisions where code = any (${[...ports.settings.stripe?.keys.keys() ?? []]}::text[])
    order by id`);
  await runEach(ports, { job: READ_PAYOUTS, items: divisions, facts: ({ id }) => ({ division: id }) },
    ({ code }) => readMissedOf(ports, code));
}

async function readMissedOf(ports: Ports, division: string): Promise<void> {
  const since = new Date(ports.clock.now().getTime() - DAYS_READ * 86_400_000);
  const known = new Set((await ports.db.query<{ payout_id: string }>(sql`
    select payout_id from processor_payouts where division = ${division} and status <> 'attention'
      and paid_on > ${since.toISOString().slice(0, 10)}::date - 35`)).map((row) => row.payout_id));
  const missed = (await listPayouts(ports.settings, division, since)).filter((id) => !known.has(id));
  await runEach(ports, { job: READ_PAYOUTS, items: missed, facts: (payout) => ({ payout }) },
    (id) => settlePayout(ports, division, id));
}
