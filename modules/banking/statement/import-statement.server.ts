/**
 * The import of a previewed file: the file is kept, its statements and their new lines are written in one transaction.
 * The same file again brings nothing. Advance lines give way to the statement of their days.
 */
import { invalidField } from '#kit/errors.ts';
import type { BankFormat } from '#kernel/bank-statements/bank-file.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { UploadedFile, WorkContext } from '#server/context.ts';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { probableAnswers, type ProbableAnswer } from './bank-statement.contract.ts';
import { keepStatementNumber } from '../bank-account/open-number.server.ts';
import { plainNumber } from './account-numbers.ts';
import { compareStatements, type ComparedLine, type ComparedStatement } from './compare-lines.server.ts';
import { readStatements, type ReadRequest, type StatementAccount } from './read-statement.server.ts';

export interface ImportRequest extends ReadRequest {
  sha256: string;
  probable?: ProbableAnswer | undefined;
  probable_lines?: string | undefined;
  /** The file as it is kept already. */
  file_id?: number | undefined;
  /** Told of how many lines have been written. */
  progress?: ((done: number, total: number) => Promise<void>) | undefined;
}

export interface ImportResult {
  statement_ids: number[];
  new_count: number;
  known_count: number;
  skipped_count: number;
}

export const notPreviewed = () => invalidField('file', 'This is not the file of the preview. Preview it again.');

export async function importStatement(
  ctx: WorkContext, account: StatementAccount, file: UploadedFile, request: ImportRequest, today: string,
): Promise<ImportResult> {
  const hash = sha256(file.content);
  if (hash !== request.sha256) throw notPreviewed();
  // Imports of an account stand one after the other; what the other brought is read after the lock.
  await ctx.db.exec(sql`select 1 from bank_accounts where id = ${account.id} for no key update`);
  const before = await importedBefore(ctx, account, hash);
  if (before) return before;
  const read = await readStatements(file.content, account, request, today);
  if (read.refusal) throw invalidField('file', `${read.refusal.message} ${read.refusal.advice}`);
  if (read.format === null) throw invalidField('file', 'This file cannot be read.');
  const compared = await compareStatements(ctx.db, account, { format: read.format, statements: read.statements });
  const answers = answersOf(request);
  refuseUnanswered(compared, answers);
  const fileId = await recordFile(ctx, account, { file, hash, format: read.format, kept: request.file_id });
  const result: ImportResult = { statement_ids: [], new_count: 0, known_count: 0, skipped_count: 0 };
  const total = compared.reduce((sum, one) => sum + one.lines.length, 0);
  await request.progress?.(0, total);
  for (const one of compared) await keepStatement(ctx, account, { one, fileId, request, answers, result, total });
  await settleAdvances(ctx, account);
  if (read.sheet) await keepMapping(ctx, account, read.sheet.mapping);
  if (request.date_order) await keepOrder(ctx, account, request.date_order);
  if (request.account_confirmed === 'true') await keepNumber(ctx, account, compared);
  await ctx.audit({ action: 'import', entity: 'bank_account', entity_id: account.id,
    after: { file: file.filename, sha256: hash, statements: result.statement_ids.length, lines: result.new_count,
      known: result.known_count, skipped: result.skipped_count,
      ...(request.account_confirmed === 'true' ? { account_confirmed: true } : {}) } });
  return result;
}

async function importedBefore(
  ctx: WorkContext, account: StatementAccount, hash: string,
): Promise<ImportResult | null> {
  const rows = await ctx.db.query<{ id: number; line_count: number }>(sql`
    select s.id, s.line_count from bank_statement_files f join bank_statements s on s.bank_statement_file_id = f.id
    where f.bank_account_id = ${account.id} and f.sha256 = ${hash} and f.taken_back_at is null order by s.id`);
  if (rows.length === 0) return null;
  return { statement_ids: rows.map(({ id }) => id), new_count: 0, skipped_count: 0,
    known_count: rows.reduce((all, { line_count }) => all + line_count, 0) };
}

type Answers = (line: ComparedLine) => ProbableAnswer | undefined;

function answersOf({ probable, probable_lines }: ImportRequest): Answers {
  if (probable_lines === undefined || probable_lines === '') return () => probable;
  let value: unknown;
  try {
    value = JSON.parse(probable_lines);
  } catch {
    throw invalidField('probable_lines', 'The answers are not JSON');
  }
  const { data, error } = probableAnswers.safeParse(value);
  if (error) throw invalidField('probable_lines', 'Answer each line with skip or import');
  return ({ at }) => data[String(at)] ?? probable;
}

function refuseUnanswered(compared: readonly ComparedStatement[], answers: Answers): void {
  const count = compared.flatMap(({ lines }) => lines).filter((line) =>
    line.state === 'probable' && answers(line) === undefined).length;
  if (count > 0) {
    throw invalidField('probable', `${count} ${count === 1 ? 'line is' : 'lines are'} probably here already. `
      + 'Leave them out, or import them as lines of their own.');
  }
}

async function recordFile(
  ctx: WorkContext, account: StatementAccount,
  of: { file: UploadedFile; hash: string; format: BankFormat; kept: number | undefined },
): Promise<number> {
  const stored = of.kept ?? await keepFile(ctx, of.file);
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into bank_statement_files (bank_account_id, file_id, sha256, format, imported_by_id)
    values (${account.id}, ${stored}, ${of.hash}, ${of.format}, ${ctx.actor.actor_id}) returning id`);
  return row.id;
}

interface StoredFile {
  one: ComparedStatement;
  fileId: number;
  request: ImportRequest;
  answers: Answers;
  result: ImportResult;
  /** Lines of the whole file. */
  total: number;
}

async function keepStatement(ctx: WorkContext, account: StatementAccount, kept: StoredFile): Promise<void> {
  const { one: { statement, lines, flags, net_minor }, result } = kept;
  const wanted = wantedLines(kept);
  const known = lines.filter(({ state }) => state === 'known').length;
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into bank_statements (bank_account_id, bank_statement_file_id, kind, number, from_on, to_on, opening_minor,
      opening_on, closing_minor, closing_on, net_minor, line_count, new_count, flags)
    values (${account.id}, ${kept.fileId}, ${statement.kind}, ${statement.number}, ${statement.from}, ${statement.to},
      ${asNumber(statement.opening?.amount_minor)}, ${statement.opening?.on ?? null},
      ${asNumber(statement.closing?.amount_minor)}, ${statement.closing?.on ?? null}, ${Number(net_minor)},
      ${lines.length}, ${wanted.length}, ${JSON.stringify(flags)}) returning id`);
  for (let at = 0; at < wanted.length; at += CHUNK) {
    await insertLines(ctx, account, { statement: row.id, kind: statement.kind, lines: wanted.slice(at, at + CHUNK),
      first: at + 1 });
    await kept.request.progress?.(Math.min(kept.total, result.new_count + at + CHUNK), kept.total);
  }
  await tellOfFlags(ctx, account, row.id, kept.one);
  result.statement_ids.push(row.id);
  result.new_count += wanted.length;
  result.known_count += known;
  result.skipped_count += lines.length - known - wanted.length;
}

/** Notifies staff of a statement that cannot be reconciled as it stands. */
async function tellOfFlags(
  ctx: WorkContext, account: StatementAccount, id: number, { flags }: ComparedStatement,
): Promise<void> {
  const first = flags.find(({ flag }) => flag === 'balance_mismatch' || flag === 'gap');
  if (!first) return;
  await notifyStaff(ctx, { kind: 'bank.statement', href: `/admin/banking/statements/${id}`, body: first.message,
    title: first.flag === 'gap' ? `A statement of ${account.name} is missing`
      : `A statement of ${account.name} does not add up` });
}

const asNumber = (minor: bigint | undefined): number | null => (minor === undefined ? null : Number(minor));
const CHUNK = 1_000;

/** New lines, and probable ones as answered. */
function wantedLines({ one, answers }: StoredFile): ComparedLine[] {
  return one.lines.filter((line) => line.state === 'new'
    || (line.state === 'probable' && answers(line) === 'import'));
}

async function insertLines(
  ctx: WorkContext, account: StatementAccount,
  of: { statement: number; kind: string; lines: readonly ComparedLine[]; first: number },
): Promise<void> {
  const rows = of.lines.map(({ line, key }, index) => ({ position: of.first + index, booked_on: line.booked_on,
    value_on: line.value_on, amount_minor: Number(line.amount_minor), name: line.name, memo: line.memo,
    reference: line.reference, bank_reference: line.bank_id, end_to_end_id: line.end_to_end_id,
    check_number: line.check_number, type: line.type, counterparty_account: line.counterparty_account,
    balance_minor: line.balance_minor === null ? null : Number(line.balance_minor), original: line.original,
    details: line.details.map((detail) => ({ ...detail,
      amount_minor: detail.amount_minor === null ? null : Number(detail.amount_minor) })), line_key: key }));
  await ctx.db.exec(sql`
    insert into bank_transactions (bank_account_id, bank_statement_id, position, state, booked_on, value_on,
      amount_minor, name, memo, reference, bank_reference, end_to_end_id, check_number, type, counterparty_account,
      balance_minor, original, details, line_key)
    select ${account.id}, ${of.statement}, r.position, ${of.kind === 'advance' ? 'advance' : 'booked'}, r.booked_on,
      r.value_on, r.amount_minor, r.name, r.memo, r.reference, r.bank_reference, r.end_to_end_id, r.check_number,
      r.type, r.counterparty_account, r.balance_minor, r.original, r.details, r.line_key
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (position integer, booked_on date, value_on date,
      amount_minor bigint, name text, memo text, reference text, bank_reference text, end_to_end_id text,
      check_number text, type text, counterparty_account text, balance_minor bigint, original jsonb, details jsonb,
      line_key text)`);
}

/**
 * Advance lines of days that a statement covers have had their time, whichever came first; those that detail a sum
 * which the bank booked together become its details.
 */
async function settleAdvances(ctx: WorkContext, account: StatementAccount): Promise<void> {
  await ctx.db.exec(sql`
    update bank_transactions b set details = d.details, version = b.version + 1
    from (select reference, sum(amount_minor) as amount, count(*) as parts,
        jsonb_agg(jsonb_build_object('amount_minor', amount_minor, 'name', name, 'memo', memo,
          'reference', coalesce(end_to_end_id, '')) order by position) as details
      from bank_transactions where bank_account_id = ${account.id} and state = 'advance' and reference <> ''
      group by reference) d
    where b.bank_account_id = ${account.id} and b.state = 'booked' and b.bank_reference = d.reference
      and b.amount_minor = d.amount and d.parts > 1 and b.details = '[]'`);
  await ctx.db.exec(sql`
    update bank_transactions t set state = 'superseded', version = version + 1
    where t.bank_account_id = ${account.id} and t.state = 'advance' and exists (
      select 1 from bank_statements s where s.bank_account_id = ${account.id} and s.kind = 'statement'
        and s.taken_back_at is null and t.booked_on between s.from_on and s.to_on)`);
}

async function keepMapping(ctx: WorkContext, account: StatementAccount, mapping: object): Promise<void> {
  if (JSON.stringify(mapping) === JSON.stringify(account.statement_mapping)) return;
  await ctx.db.exec(sql`update bank_accounts set statement_mapping = ${JSON.stringify(mapping)}, version = version + 1
    where id = ${account.id}`);
}

/** Confirmed once: the next file that names the account in this way is not asked about. */
async function keepNumber(ctx: WorkContext, account: StatementAccount, compared: readonly ComparedStatement[]):
Promise<void> {
  const numbers = compared.flatMap(({ statement: { account: { number } } }) =>
    (number === null ? [] : [plainNumber(number)]));
  const [first] = numbers;
  if (first !== undefined && first !== account.statement_number) await keepStatementNumber(ctx, account.id, first);
}

async function keepOrder(ctx: WorkContext, account: StatementAccount, order: string): Promise<void> {
  if (order === account.statement_date_order) return;
  await ctx.db.exec(sql`update bank_accounts set statement_date_order = ${order}, version = version + 1
    where id = ${account.id}`);
}
