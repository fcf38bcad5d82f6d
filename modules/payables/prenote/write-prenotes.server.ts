/** Writes the file of prenotes: one entry of no amount for each payee, kept as it was handed out. */
import { writeNacha } from '#kernel/payment-files/nacha.ts';
import type { PaymentItem } from '#kernel/payment-files/payment-batch.ts';
import { railDaysFrom, valueDay } from '#kernel/payment-files/rail-days.ts';
import { payoutMethods } from '#kernel/receivables/payout-methods.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { openAccountNumber } from '#modules/banking/banking.public.server.ts';
import { workContext, type Ctx, type FileAnswer, type WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { payeeBankOf, type Payee, type PayeeType } from '../payee/payee-bank.server.ts';
import { keepAchFile, openAchFile, originatorOf } from '../run/ach-file.server.ts';
import { missingOf, profileOf } from '../run/file-profile.server.ts';
import { runAccount, type RunAccount } from '../run/propose-run.server.ts';
import { candidatesOf } from './prenote-store.server.ts';
import type { prenoteEndpoints, PrenoteFile } from './prenote.contract.ts';

/** Settlement days that the bank of a payee has to answer (Nacha Operating Rules, subsection 2.6.2). */
const ANSWER_DAYS = 3;

/** An open account that sends ACH; 422 at the field for any other. */
export async function achAccount(ctx: WorkContext, id: number): Promise<RunAccount> {
  const account = await runAccount(ctx, id);
  if (!payoutMethods(account.division, account.currency).includes('ach')) {
    throw invalidField('bank_account_id', 'Choose a US dollar account that sends ACH');
  }
  return account;
}

interface PlannedPrenote { party_type: PayeeType; party_id: number; number: string; payee: Payee }

export async function writePrenotes(ctx: WorkContext, body: BodyOf<typeof prenoteEndpoints.create>):
Promise<PrenoteFile> {
  await ctx.db.query(sql`select 1 from bank_accounts where id = ${body.bank_account_id} for update`);
  const account = await achAccount(ctx, body.bank_account_id);
  const missing = await missingOf(ctx, account.id, 'ach');
  const own = (await openAccountNumber(ctx, account.id))?.account;
  if (missing.length > 0 || own?.kind !== 'us') {
    throw conflict('payment_run.file', `Payment files of this account need: ${missing.join(', ')
      || 'a US account number'}.`, { issues: missing });
  }
  const profile = await profileOf(ctx, account.id);
  const created_on = await ctx.today(account.division);
  const { value_on } = valueDay('nacha', created_on, created_on);
  const clears_on = railDaysFrom('nacha', value_on, ANSWER_DAYS);
  const file = await openAchFile(ctx, { profile, created_on, count: body.payees.length, purpose: 'prenotes',
    payment_run_id: null });
  const asked = await askedOf(ctx, account, body.payees, file.id);
  const result = writeNacha({ reference: `PRENOTE${file.id}`, currency: 'USD', value_on, items: asked.map(itemOf) },
    originatorOf(profile, own), { ...file, created_at: ctx.now().toISOString().slice(11, 16).replace(':', ''),
      description: 'PRENOTE', balanced: false, same_day: false, first_batch: 1 });
  if (result.file === null) {
    const issues = result.issues.map((issue) => issue.message);
    throw conflict('payment_run.file', issues.join(' ').slice(0, 1000), { issues });
  }
  const filename = `prenotes-${account.division}-${created_on}-${file.modifier}.ach`;
  await keepAchFile(ctx, file.id, { filename, content: Buffer.from(result.file.text, 'utf8'), value_on });
  const traces = new Map(result.file.ids.map((one) => [one.item_id, one.bank_id]));
  for (const one of asked) {
    await ctx.db.exec(sql`
      insert into ach_prenotes (number, ach_file_id, bank_account_id, party_type, party_id, bank_details_version, last4,
        trace_number, clears_on)
      values (${one.number}, ${file.id}, ${account.id}, ${one.party_type}, ${one.party_id}, ${one.payee.bank!.version},
        ${one.payee.bank!.last4}, ${traces.get(one.number) ?? ''}, ${clears_on})`);
    await ctx.audit({ action: 'send_prenote', entity: one.party_type, entity_id: one.party_id,
      after: { file: filename, clears_on } });
  }
  await ctx.audit({ action: 'write_prenotes', entity: 'bank_account', entity_id: account.id,
    after: { file: filename, count: asked.length } });
  return { id: file.id, file_name: filename, count: asked.length, value_on, clears_on };
}

/** Each once, and each of those who wait for a prenote from this account. */
async function askedOf(ctx: WorkContext, account: RunAccount,
  payees: BodyOf<typeof prenoteEndpoints.create>['payees'], file: number): Promise<PlannedPrenote[]> {
  const waiting = new Set((await candidatesOf(ctx, account)).map((one) => `${one.party_type}:${one.party_id}`));
  const asked: PlannedPrenote[] = [];
  for (const { party_type, party_id } of payees) {
    if (!waiting.delete(`${party_type}:${party_id}`)) {
      throw invalidField('payees', 'Choose payees with verified US bank details and no prenote yet');
    }
    asked.push({ party_type, party_id, payee: await payeeBankOf(ctx, party_type, party_id),
      number: `PN${String(file).padStart(7, '0')}${String(asked.length + 1).padStart(3, '0')}` });
  }
  return asked;
}

function itemOf({ number, payee }: PlannedPrenote): PaymentItem {
  return { id: number, payee: payee.name, account_holder: payee.bank?.holder ?? null, is_person: payee.is_person,
    address: null, bank: payee.bank?.account ?? null, amount_minor: 0n, is_prenote: true, reference: '', purpose: '',
    documents: [] };
}

/** The bytes as they were written; who downloads them is kept. */
export async function downloadPrenotes(ctx: Ctx, id: number): Promise<FileAnswer> {
  const file = await ctx.db.maybeOne<{ bank_account_id: number; file_name: string; storage_key: string }>(sql`
    select a.bank_account_id, a.file_name, f.storage_key from ach_files a join files f on f.id = a.file_id
    where a.id = ${id} and a.purpose = 'prenotes'`);
  if (!file) throw refuse('not_found');
  const content = await ctx.ports.files.get(file.storage_key);
  await ctx.ports.db.tx((tx) => workContext(ctx.ports, tx, ctx.actor).audit({ action: 'download',
    entity: 'bank_account', entity_id: file.bank_account_id, after: { file: file.file_name } }));
  return { filename: file.file_name, content_type: 'application/octet-stream', content };
}
