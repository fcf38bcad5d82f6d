/**
 * The file for the bank. Written once from the bank details that were approved and kept as it was: later downloads have
 * the same bytes. Its value date is moved to a settlement day of the rail before the first export.
 */
import { writeBacs } from '#kernel/payment-files/bacs.ts';
import { writeNacha } from '#kernel/payment-files/nacha.ts';
import type { PaymentBatch, PaymentFileResult, PaymentItem } from '#kernel/payment-files/payment-batch.ts';
import { railOf, valueDay } from '#kernel/payment-files/rail-days.ts';
import { writeSepa } from '#kernel/payment-files/sepa.ts';
import { writeWireList } from '#kernel/payment-files/wire-list.ts';
import { formatMinor } from '#kernel/money/money.ts';
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import { conflict } from '#kit/errors.ts';
import { openAccountNumber } from '#modules/banking/banking.public.server.ts';
import { changeOutgoing } from '#modules/receivables/receivables.public.server.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import { workContext, type Ctx, type FileAnswer, type WorkContext } from '#server/context.ts';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { refuseEndedDiscount, refuseLaterDocument } from '../disbursement/settled-documents.server.ts';
import { refuseOtherWithholding } from '../disbursement/withhold.server.ts';
import { refuseOtherPayee } from '../payee/approved-payee.server.ts';
import type { Payee } from '../payee/payee-bank.server.ts';
import { allNamed, keepAchFile, nextAchNumbers, openAchFile, originatorOf, type AchNumbers }
  from './ach-file.server.ts';
import { missingOf, profileOf } from './file-profile.server.ts';
import { hashOf } from './make-run.server.ts';
import { heldBecause, keyOf, payeesOf } from './payees.server.ts';
import { extraHolidays } from './rail-holidays.server.ts';
import type { FilePreview } from './payment-run.contract.ts';
import { auditRun, lockRun, readRun, runParts, runPayments, type Run } from './run-store.server.ts';

type Method = Exclude<PayoutMethod, 'check'>;
const ENDINGS: Readonly<Record<Method, string>> = { ach: 'ach', sepa: 'xml', bacs: 'txt', wire: 'csv' };

/** The id that goes into the file and comes back with the answer: short enough for every rail. */
export const bankId = (number: string): string => number.replaceAll('-', '');

/** Named beside the documents, as the difference between them and the payment. */
const TAX_WITHHELD = 'TAX WITHHELD';

const taxWords = ({ withheld_minor }: Stored): string[] =>
  (withheld_minor === 0 ? [] : [TAX_WITHHELD, formatMinor(BigInt(withheld_minor))]);

type Stored = Awaited<ReturnType<typeof runPayments>>[number];

async function itemsOf(ctx: WorkContext, payments: readonly Stored[], payees: ReadonlyMap<string, Payee>):
Promise<PaymentItem[]> {
  const parts = Map.groupBy(await runParts(ctx, payments.map((one) => one.id)), (part) => part.payment_id);
  return payments.map((payment) => {
    const payee = payees.get(keyOf(payment))!;
    const settled = parts.get(payment.id) ?? [];
    return { id: bankId(payment.number), payee: payee.name, account_holder: payee.bank?.holder ?? null,
      is_person: payee.is_person, address: payee.address, bank: payee.bank?.account ?? null,
      amount_minor: BigInt(payment.amount_minor), is_prenote: false, reference: payment.number,
      purpose: [...settled.map((part) => part.payee_number), ...taxWords(payment)].join(' ').slice(0, 140),
      documents: [...settled.map((part) => ({ number: part.payee_number, amount_minor: BigInt(part.amount_minor) })),
        ...(payment.withheld_minor === 0 ? []
          : [{ number: TAX_WITHHELD, amount_minor: BigInt(-payment.withheld_minor) }])] };
  });
}

const NO_ORIGINATOR = { kind: 'other', account: '', bank: '' } as const;

/** Numbers of a file: of BACS a serial number, of ACH the modifier and the trace numbers. */
interface Numbers { serial: number; ach: AchNumbers | null }

/** Writes with the numbers given; a preview has numbers of its own and keeps nothing. */
async function write(ctx: WorkContext, run: Run, batch: PaymentBatch, { serial, ach }: Numbers):
Promise<PaymentFileResult> {
  const profile = await profileOf(ctx, run.bank_account_id);
  const own = (await openAccountNumber(ctx, run.bank_account_id))?.account ?? NO_ORIGINATOR;
  const created_on = await ctx.today(run.division);
  const time = ctx.now().toISOString().slice(11, 19);
  const name = profile.originator_name;
  if (run.method === 'ach' && own.kind === 'us' && ach !== null) {
    return writeNacha(batch, originatorOf(profile, own), { ...ach, created_at: time.slice(0, 5).replace(':', ''),
      description: 'PAYMENT', balanced: profile.balanced, same_day: run.same_day, first_batch: 1 });
  }
  if (run.method === 'sepa' && own.kind === 'iban') {
    return writeSepa(batch, { name, account: { ...own, bic: profile.bic ?? own.bic },
      organization_id: profile.organization_id }, { version: profile.pain_version, message_id: batch.reference,
      created_on, created_at: time, addresses: profile.addresses, one_debit: profile.one_debit });
  }
  if (run.method === 'bacs' && own.kind === 'uk') {
    return writeBacs(batch, { service_user: profile.service_user, name, account: own }, { created_on,
      serial: String(serial).padStart(6, '0'), file_number: 1,
      extra_holidays: await extraHolidays(ctx, run.method, batch.value_on) });
  }
  if (run.method === 'wire') return writeWireList(batch);
  return { file: null, changes: [], issues: [{ item_id: null, payee: null, field: 'originator',
    message: 'This bank account cannot send payments this way. Check its account number.' }] };
}

interface Drafted { result: PaymentFileResult; value_on: string; value_moved: string | null;
  payees: Map<string, Payee> }

const sentBy = async (ctx: WorkContext, run: Run): Promise<Stored[]> =>
  (await runPayments(ctx, run.id)).filter((one) => one.status !== 'void');

/** Company and day that number the ACH file of a run; two entries may be offsetting debits. */
const achPlace = async (ctx: WorkContext, run: Run, payments: readonly Stored[]) => ({
  profile: await profileOf(ctx, run.bank_account_id), created_on: await ctx.today(run.division),
  count: payments.length + 2 });

async function draftFile(ctx: WorkContext, run: Run, payments: readonly Stored[], numbers: Numbers): Promise<Drafted> {
  const payees = await payeesOf(ctx, payments);
  const rail = railOf(run.method);
  const today = await ctx.today(run.division);
  const day = rail === null ? { value_on: run.value_on < today ? today : run.value_on, moved: null }
    : valueDay(rail, run.value_on, today, { same_day: run.same_day,
      extra: await extraHolidays(ctx, run.method, run.value_on) });
  const batch: PaymentBatch = { reference: run.number, currency: run.currency, value_on: day.value_on,
    items: await itemsOf(ctx, payments, payees) };
  const result = await write(ctx, run, batch, numbers);
  return { result, value_on: day.value_on, value_moved: day.moved, payees };
}

/** Previews the file before it is written: changed texts and issues. */
export async function previewFile(ctx: WorkContext, id: number): Promise<FilePreview> {
  const run = await readRun(ctx, id);
  refuseCheck(run);
  const payments = await sentBy(ctx, run);
  const place = await achPlace(ctx, run, payments);
  const ach = run.method === 'ach' ? await nextAchNumbers(ctx, place) : null;
  const { result, value_on, value_moved } = await draftFile(ctx, run, payments, { serial: 1, ach });
  const missing = await missingOf(ctx, run.bank_account_id, run.method);
  const isFull = run.method === 'ach' && ach === null;
  return { value_on, value_moved, count: payments.length,
    total_minor: payments.reduce((all, one) => all + one.amount_minor, 0),
    changes: result.changes.map(({ payee, field, from, to }) => ({ payee, field, from, to })),
    issues: missing.length > 0 ? [`Payment files of this account need: ${missing.join(', ')}.`]
      : isFull ? [allNamed(place.created_on)] : result.issues.map((issue) => issue.message) };
}

function refuseCheck(run: Run): void {
  if (run.method === 'check') {
    throw conflict('payment_run.status', 'Checks have no file for the bank. Print them.', { allowed: [] });
  }
}

/** Writes the file where it is not written yet. 409 names the payee who is not as approved. */
export async function exportRun(ctx: WorkContext, id: number, version: number): Promise<void> {
  const run = await lockRun(ctx, id, 'export', version);
  refuseCheck(run);
  const payments = await sentBy(ctx, run);
  const ach = run.method !== 'ach' ? null : await openAchFile(ctx, { ...await achPlace(ctx, run, payments),
    purpose: 'payments', payment_run_id: id });
  const serial = run.method === 'bacs' ? (await ctx.db.one<{ n: number }>(sql`
    select nextval('bacs_serial_numbers') as n`)).n : 1;
  const { result, value_on, value_moved, payees } = await draftFile(ctx, run, payments, { serial, ach });
  await refuseChanged(ctx, { ...run, value_on }, payments, payees);
  const missing = await missingOf(ctx, run.bank_account_id, run.method);
  const issues = missing.length > 0 ? [`Payment files of this account need: ${missing.join(', ')}.`]
    : result.issues.map((issue) => issue.message);
  if (result.file === null || issues.length > 0) {
    throw conflict('payment_run.file', issues.join(' ').slice(0, 1000), { issues });
  }
  const content = Buffer.from(result.file.text, 'utf8');
  const filename = `${run.number}.${ENDINGS[run.method as Method]}`;
  const file_id = await keepFile(ctx, { filename, content }, 'application/octet-stream');
  if (ach !== null) await keepAchFile(ctx, ach.id, { filename, content, value_on, file_id });
  const bankIds = new Map(result.file.ids.map((one) => [one.item_id, one.bank_id]));
  for (const payment of payments) {
    await changeOutgoing(ctx, payment.id, { paid_on: value_on,
      bank_reference: bankIds.get(bankId(payment.number)) ?? bankId(payment.number) });
  }
  await ctx.db.exec(sql`
    update payment_runs set status = 'exported', exported_by_id = ${ctx.actor.actor_id},
      exported_at = ${ctx.now().toISOString()}, file_id = ${file_id}, file_sha256 = ${sha256(content)},
      file_name = ${filename}, value_on = ${value_on}, value_moved = ${value_moved ?? run.value_moved},
      version = version + 1
    where id = ${id}`);
  await auditRun(ctx, run, { action: 'export', after: { file: filename, sha256: sha256(content), value_on,
    count: result.file.count, total_minor: Number(result.file.total_minor) } });
}

/** Handed in at the bank without a file of ours: from here on as if it had been written. */
export async function exportByHand(ctx: WorkContext, id: number): Promise<void> {
  const run = await lockRun(ctx, id, 'export');
  refuseCheck(run);
  const payments = (await runPayments(ctx, id)).filter((one) => one.status !== 'void');
  await refuseChanged(ctx, run, payments, await payeesOf(ctx, payments));
  await ctx.db.exec(sql`
    update payment_runs set status = 'exported', exported_by_id = ${ctx.actor.actor_id},
      exported_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${id}`);
  await auditRun(ctx, run, { action: 'schedule', after: { pay_on: run.value_on } });
}

/** The file carries what was approved; a payee changed since then is approved anew. */
async function refuseChanged(ctx: WorkContext, run: Run, payments: readonly Stored[], payees: Map<string, Payee>):
Promise<void> {
  const approved = new Map((await ctx.db.query<{ id: number; payee_version: number | null }>(sql`
    select id, payee_version from payments where payment_run_id = ${run.id}`)).map((row) => [row.id,
    row.payee_version]));
  const payment_ids = payments.map((one) => one.id);
  await refuseLaterDocument(ctx, { payment_ids, on: run.value_on, field: null });
  await refuseEndedDiscount(ctx, { payment_ids, on: run.value_on });
  for (const payment of payments) {
    await refuseOtherWithholding(ctx, { ...payment, on: run.value_on });
    const payee = payees.get(keyOf(payment))!;
    if (payee.bank?.version !== approved.get(payment.id)) {
      throw conflict('payment_run.payee_changed', `The bank details of ${payment.party_name} were changed after the `
        + 'approval. Take the approval back, so that the run is approved with the new ones.',
      { payee: payment.party_name });
    }
    await refuseOtherPayee(ctx, { ...payment, in_run: true }, payee);
    const held = heldBecause(payee, run.method, run);
    if (held !== null) {
      throw conflict('payment_run.payee', `${payment.party_name}: ${held}`, { payee: payment.party_name });
    }
  }
  if (hashOf(run, payments, payees) !== run.approved_hash) {
    throw conflict('payment_run.payee_changed', 'The payments are not the ones that were approved. Take the '
      + 'approval back, so that the run is approved again.');
  }
}

/** The stored file; who downloads it is kept. */
export async function downloadFile(ctx: Ctx, id: number): Promise<FileAnswer> {
  const run = await readRun(ctx, id);
  if (run.file_id === null) {
    throw conflict('payment_run.status', `Payment run ${run.number} has no file yet.`, { allowed: [] });
  }
  const { storage_key } = await ctx.db.one<{ storage_key: string }>(sql`
    select storage_key from files where id = ${run.file_id}`);
  const content = await ctx.ports.files.get(storage_key);
  await ctx.ports.db.tx((tx) => workContext(ctx.ports, tx, ctx.actor).audit({ action: 'download',
    entity: 'payment_run', entity_id: id, after: { file: run.file_name } }));
  return { filename: run.file_name ?? `${run.number}.txt`, content_type: 'application/octet-stream', content };
}
