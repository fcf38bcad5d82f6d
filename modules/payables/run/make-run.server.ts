/** Making, changing, approving and withdrawing a run. Approval reserves and posts nothing. */
import { createHash } from 'node:crypto';
import { formatMoney } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import type { ValueDay } from '#kernel/payment-files/rail-days.ts';
import { payoutMethods, type PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { AppError, conflict, invalid, invalidField, refuse } from '#kit/errors.ts';
import { bankAccountFor } from '#modules/banking/banking.public.server.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import { changeOutgoing } from '#modules/receivables/receivables.public.server.ts';
import { refuseHeldOutOf, releasePayments } from '#modules/royalties/royalties.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { makeDisbursement, voidDisbursement, type DisbursementPart } from '../disbursement/disbursement.server.ts';
import { refuseEndedDiscount, refuseLaterDocument } from '../disbursement/settled-documents.server.ts';
import { refuseOtherWithholding } from '../disbursement/withhold.server.ts';
import { refuseBankChanger } from '../payee/bank-changer.server.ts';
import type { Payee } from '../payee/payee-bank.server.ts';
import { heldBecause, keyOf, payeesOf } from './payees.server.ts';
import { takeRoyalties } from '../royalty-run/take-royalties.server.ts';
import { isRoyalty } from './run-batch.server.ts';
import { runAccount, settlesOn, type RunAccount } from './propose-run.server.ts';
import { keepExit } from './run-exits.server.ts';
import { runEndpoints } from './payment-run.contract.ts';
import { auditRun, lockRun, runPayments, type Run } from './run-store.server.ts';

type Choice = Omit<BodyOf<typeof runEndpoints.update>, 'version'>;
const hrefOf = (id: number): string => `/admin/accounts-payable/payment-runs/${id}`;
/** A run of royalties is known to its maker as a batch, at the pages of the royaltors. */
const wordsOf = ({ id, number, is_batch: isBatch, royalty_payment_batch_id: batch }: Run) =>
  (isBatch ? { name: `Payment batch ${number}`, href: `/admin/accounts-payable/royalty-payments/${batch}` }
    : { name: `Payment run ${number}`, href: hrefOf(id) });

/** Held open until the run is stored: its refunds have no other lock on the account that pays them. */
async function payingAccount(ctx: WorkContext, id: number): Promise<RunAccount> {
  const account = await runAccount(ctx, id);
  await bankAccountFor(ctx, { ...account, bank_account_id: account.id });
  return account;
}

/** Moved where the rail is closed, or the file of today comes too late for it. */
async function valueDateOf(ctx: WorkContext, account: RunAccount, method: PayoutMethod,
  asked: Pick<Choice, 'value_on' | 'same_day'>): Promise<ValueDay> {
  const on = await ctx.today(account.division);
  if (asked.value_on < on) throw invalidField('value_on', 'The value date is today or later');
  return settlesOn(ctx, method, asked.value_on, { on, same_day: asked.same_day });
}

export async function createRun(ctx: WorkContext, asked: BodyOf<typeof runEndpoints.create>): Promise<number> {
  const account = await payingAccount(ctx, asked.bank_account_id);
  const { value_on, moved } = await valueDateOf(ctx, account, asked.method, asked);
  const body = { ...asked, value_on };
  const methods: readonly PayoutMethod[] = payoutMethods(account.division, account.currency);
  if (!methods.includes(body.method)) throw invalidField('method', 'This account cannot pay that way');
  const { id, number } = await ctx.db.one<{ id: number; number: string }>(sql`
    insert into payment_runs (number, division, currency, bank_account_id, method, due_by, value_on, value_moved,
      same_day, memo, created_by_id, created_at)
    values (next_number('payment_run', ${account.division}, ${body.value_on}::date), ${account.division},
      ${account.currency}, ${account.id}, ${body.method}, ${body.due_by}, ${body.value_on}, ${moved},
      ${body.same_day}, ${body.memo}, ${ctx.actor.actor_id}, ${ctx.now().toISOString()}) returning id, number`);
  const total = await fillRun(ctx, { ...account, run_id: id, batch_id: null, method: body.method }, body);
  await ctx.audit({ action: 'create', entity: 'payment_run', entity_id: id, after: { ...body, total } });
  await notifyApprovers(ctx, runEndpoints.approve, { title: `Payment run ${number} awaits approval`,
    body: formatMoney(total, account.currency), href: hrefOf(id) });
  return id;
}

/** One payment for each payee, the refunds and the royalties that were chosen. Answers the total. */
async function fillRun(ctx: WorkContext, of: RunAccount & { run_id: number; batch_id: number | null;
  method: PayoutMethod }, choice: Choice): Promise<number> {
  if ([choice.parts, choice.refund_ids, choice.statement_ids, choice.advance_ids].every((all) => all.length === 0)) {
    throw invalidField('parts', 'Choose what is paid');
  }
  await ctx.db.query(sql`select lock_payable_items(${choice.parts.map((part) => part.open_item_id)}::bigint[])`);
  const owners = new Map((await ctx.db.query<{ id: number; party_type: 'vendor' | 'customer'; party_id: number }>(sql`
    select id, party_type, party_id from payable_items
    where id = any (${choice.parts.map((part) => part.open_item_id)}::bigint[])`)).map((row) => [row.id, row]));
  const groups = new Map<string, { party_type: 'vendor' | 'customer'; party_id: number; parts: DisbursementPart[];
    places: number[] }>();
  for (const [place, part] of choice.parts.entries()) {
    const owner = owners.get(part.open_item_id);
    if (!owner) throw conflict('payment.item_taken', 'One of the documents has already been paid. Choose again.');
    const key = keyOf(owner);
    const group = groups.get(key) ?? { party_type: owner.party_type, party_id: owner.party_id, parts: [],
      places: [] };
    groups.set(key, { ...group, parts: [...group.parts, part], places: [...group.places, place] });
  }
  for (const { places, ...group } of groups.values()) {
    await atPlaces(places, makeDisbursement(ctx, { ...group, division: of.division, currency: of.currency,
      bank_account_id: of.id, method: of.method, on: choice.value_on, memo: choice.memo, payment_run_id: of.run_id }));
  }
  await takeRefunds(ctx, of, choice.refund_ids);
  await refuseLaterDocument(ctx, { payment_ids: choice.refund_ids, on: choice.value_on, field: 'value_on' });
  await takeRoyalties(ctx, of, choice);
  return (await ctx.db.one<{ sum: number }>(sql`
    select coalesce(sum(amount_minor), 0)::bigint as sum from payments
    where payment_run_id = ${of.run_id} and status <> 'void'`)).sum;
}

/** Refusals name a document by its place in the run, not among those of its payee. */
async function atPlaces(places: readonly number[], making: Promise<unknown>): Promise<void> {
  try {
    await making;
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error;
    throw invalid(Object.fromEntries(Object.entries(error.errors).map(([field, texts]) =>
      [field.replace(/^parts\.(\d+)/, (_, k) => `parts.${places[Number(k)]}`), texts])));
  }
}

async function takeRefunds(ctx: WorkContext, of: RunAccount & { run_id: number; method: PayoutMethod },
  ids: readonly number[]): Promise<void> {
  await ctx.db.query(sql`select 1 from payments where id = any (${ids}::bigint[]) order by id for update`);
  const rows = await ctx.db.query<{ id: number; number: string; fits: boolean; taken: string | null }>(sql`
    select p.id, p.number, p.kind = 'refund' and p.status = 'approved' and p.deleted_at is null
      and p.provider is null and p.division = ${of.division} and p.currency = ${of.currency} as fits, n.number as taken
    from payments p left join payment_runs n on n.id = p.payment_run_id and n.id <> ${of.run_id}
    where p.id = any (${ids}::bigint[]) order by p.id`);
  if (rows.length !== new Set(ids).size) throw invalidField('refund_ids', 'Choose refunds that exist, each once');
  for (const row of rows) {
    if (row.taken !== null) {
      throw conflict('payment.item_taken', `Refund ${row.number} is in payment run ${row.taken}.`);
    }
    if (!row.fits) throw invalidField('refund_ids', `Refund ${row.number} is not approved, or of another currency`);
    await changeOutgoing(ctx, row.id, { payment_run_id: of.run_id, method: of.method,
      ledger_account_id: of.ledger_account_id });
  }
}

/** Frees the items held by the run; refunds are payments of their own. */
async function emptyRun(ctx: WorkContext, run: Run, reason: string, taken: readonly number[] | null = null):
Promise<void> {
  const today = await ctx.today(run.division);
  if (run.royalty_payment_batch_id !== null) {
    await releasePayments(ctx, run.royalty_payment_batch_id, { ids: taken, on: today, reason, outcome: 'cancelled' });
  }
  for (const payment of await runPayments(ctx, run.id)) {
    if (isRoyalty(payment) || !['draft', 'approved'].includes(payment.status)) continue;
    if (taken !== null && !taken.includes(payment.id)) continue;
    const own = await ctx.db.query(sql`select 1 from payment_parts where payment_id = ${payment.id} limit 1`);
    if (own.length === 0) {
      await changeOutgoing(ctx, payment.id, { payment_run_id: null, payee_version: null, payee_last4: null });
    } else await voidDisbursement(ctx, payment.id, today, reason);
  }
}

/** Takes payments out; the database keeps what they were. */
export async function changeRun(
  ctx: WorkContext, id: number, asked: BodyOf<typeof runEndpoints.update>,
): Promise<void> {
  const run = await lockRun(ctx, id, 'update', asked.version);
  await refusePartPaid(ctx, id);
  const account = await payingAccount(ctx, run.bank_account_id);
  const { value_on, moved } = await valueDateOf(ctx, account, run.method, asked);
  const body = { ...asked, value_on };
  await emptyRun(ctx, run, 'Replaced in the payment run');
  await ctx.db.exec(sql`
    update payment_runs set status = 'draft', approved_by_id = null, approved_at = null, approved_hash = null,
      last_changed_by_id = ${ctx.actor.actor_id}, last_changed_at = ${ctx.now().toISOString()},
      due_by = ${body.due_by}, value_on = ${value_on}, value_moved = ${moved}, same_day = ${body.same_day},
      memo = ${body.memo}, version = version + 1 where id = ${id}`);
  const total = await fillRun(ctx, { ...account, run_id: id, batch_id: run.royalty_payment_batch_id,
    method: run.method }, body);
  await ctx.audit({ action: 'update', entity: 'payment_run', entity_id: id, before: { status: run.status },
    after: { ...body, total } });
}

/**
 * Another person than made or changed the run, and than changed the bank details of one of its payees since that payee
 * was last paid. What is approved are these payees, accounts and amounts: a hash of them stays with the run, one of
 * name and address with each payment.
 */
export async function approveRun(ctx: WorkContext, id: number, version: number): Promise<void> {
  const run = await lockRun(ctx, id, 'approve', version);
  const payments = (await runPayments(ctx, id)).filter((one) => one.status !== 'void');
  if (payments.length === 0) throw conflict('payment_run.empty', `Payment run ${run.number} has no payments.`);
  const person = ctx.actor.actor_id;
  if (person !== null && [run.created_by_id, run.last_changed_by_id].includes(person)) {
    throw refuse('four_eyes', 'Somebody other than the person who made or changed the run approves it.');
  }
  if (run.royalty_payment_batch_id !== null) {
    await refuseHeldOutOf(ctx, { ...run, id: run.royalty_payment_batch_id });
  }
  const payment_ids = payments.map((one) => one.id);
  await refuseLaterDocument(ctx, { payment_ids, on: run.value_on, field: null });
  await refuseEndedDiscount(ctx, { payment_ids, on: run.value_on });
  const payees = await payeesOf(ctx, payments);
  for (const payment of payments) {
    await refuseBankChanger(ctx, payment, 'approves the run');
    await refuseOtherWithholding(ctx, { ...payment, on: run.value_on });
    const held = heldBecause(payees.get(keyOf(payment))!, run.method, run);
    if (held !== null) {
      throw conflict('payment_run.payee', `${payment.party_name}: ${held}`, { payee: payment.party_name });
    }
  }
  const now = ctx.now().toISOString();
  for (const payment of payments) {
    const payee = payees.get(keyOf(payment))!;
    const bank = run.method === 'check' ? null : payee.bank;
    await changeOutgoing(ctx, payment.id, { payee_version: bank?.version ?? null, payee_last4: bank?.last4 ?? null,
      payee_sha256: payee.sha256,
      ...(payment.status === 'draft' ? { status: 'approved', approved_by_id: person, approved_at: now } : {}) });
  }
  await ctx.db.exec(sql`
    update payment_runs set status = 'approved', approved_by_id = ${person}, approved_at = ${now},
      approved_hash = ${hashOf(run, payments, payees)}, version = version + 1 where id = ${id}`);
  await auditRun(ctx, run, { action: 'approve' });
  const { name, href } = wordsOf(run);
  await notifyAsker(ctx, run.created_by_id, { title: `${name} approved`, href });
}

/** Of what leaves the account: for whom, to which bank details, how much. */
export function hashOf(
  run: Pick<Run, 'number' | 'bank_account_id' | 'method' | 'currency'>,
  payments: readonly { id: number; party_type: string; party_id: number; amount_minor: number }[],
  payees: ReadonlyMap<string, Payee>,
): string {
  const rows = payments.toSorted((a, b) => a.id - b.id).map((one) => {
    const payee = payees.get(keyOf(one))!;
    return [one.id, keyOf(one), one.amount_minor, run.method === 'check' ? null : payee.bank?.version ?? null];
  });
  return createHash('sha256').update(JSON.stringify([run.number, run.bank_account_id, run.method, run.currency, rows]))
    .digest('hex');
}

/** Takes one payment out before it is posted. Out of an exported file it has to be recalled at the bank as well. */
export async function cancelPayment(ctx: WorkContext, id: number, paymentId: number, body: {
  version: number; reason: string;
}): Promise<void> {
  const run = await lockRun(ctx, id, 'cancel', body.version);
  const payment = (await runPayments(ctx, id)).find((one) => one.id === paymentId);
  if (!payment) throw refuse('not_found');
  if (payment.status !== 'approved') {
    throw conflict('payment.status', `Payment ${payment.number} is not waiting any more.`);
  }
  await keepExit(ctx, run, paymentId, { outcome: 'cancelled', on: await ctx.today(run.division), reason: body.reason,
    doubted: false });
  await emptyRun(ctx, run, body.reason, [paymentId]);
  // With printed checks in it, the run stays approved; it is posted when nothing is left to print.
  if (run.status === 'approved' && !isPartPaid(await runPayments(ctx, id))) await backToDraft(ctx, run);
  else await ctx.db.exec(sql`update payment_runs set version = version + 1 where id = ${id}`);
  await auditRun(ctx, run, { action: 'cancel_payment', after: { payment: payment.number, reason: body.reason,
    recall_from: run.file_name } });
}

/** Printing pays a check at once, long before its run is posted. */
const isPartPaid = (payments: readonly { status: string }[]): boolean =>
  payments.some((one) => !['draft', 'approved', 'void'].includes(one.status));

async function refusePartPaid(ctx: WorkContext, id: number): Promise<void> {
  if (!isPartPaid(await runPayments(ctx, id))) return;
  throw conflict('payment_run.status', spell`Checks of this run are printed. Void those one by one, and take out the
    payments that are not printed.`, { allowed: ['cancel'] });
}

/** The approval is taken back, so that what has changed since is approved as well. */
export async function reopenRun(ctx: WorkContext, id: number, version: number): Promise<void> {
  const run = await lockRun(ctx, id, 'reopen', version);
  await refusePartPaid(ctx, id);
  await backToDraft(ctx, run);
  await auditRun(ctx, run, { action: 'take_back_approval' });
}

/** Returns the run to draft, since the approved payments no longer match the ones to be paid. */
async function backToDraft(ctx: WorkContext, run: Run): Promise<void> {
  const { left } = await ctx.db.one<{ left: number }>(sql`
    select count(*)::int as left from payments where payment_run_id = ${run.id} and status <> 'void'`);
  for (const payment of await runPayments(ctx, run.id)) {
    if (payment.status === 'approved' && payment.kind !== 'refund') {
      await changeOutgoing(ctx, payment.id, { status: 'draft', approved_by_id: null, approved_at: null });
    }
  }
  await ctx.db.exec(sql`
    update payment_runs set status = ${left === 0 ? 'void' : 'draft'}, approved_by_id = null, approved_at = null,
      approved_hash = null, void_reason = ${left === 0 ? 'Every payment was taken out' : null},
      last_changed_by_id = ${ctx.actor.actor_id}, last_changed_at = ${ctx.now().toISOString()}, version = version + 1
    where id = ${run.id}`);
}

export async function voidRun(ctx: WorkContext, id: number, body: { version: number; reason: string }): Promise<void> {
  const run = await lockRun(ctx, id, 'void', body.version);
  await refusePartPaid(ctx, id);
  await emptyRun(ctx, run, body.reason);
  await ctx.db.exec(sql`
    update payment_runs set status = 'void', void_reason = ${body.reason}, version = version + 1 where id = ${id}`);
  await auditRun(ctx, run, { action: 'void', after: { reason: body.reason }, batch: 'cancel' });
  const { name, href } = wordsOf(run);
  const taken = run.is_batch ? 'cancelled' : 'withdrawn';
  const decision = run.status === 'draft' ? 'declined' : taken;
  await notifyAsker(ctx, run.created_by_id, { body: body.reason, href, title: `${name} ${decision}` });
}
