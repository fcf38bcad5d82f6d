/** Statements of banks: the list, a statement with its lines, the preview of a file and its import. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sha256 } from '#server/files.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { bankStatementEndpoints, type BankStatementRow, type StatementLine, type StatementPreview,
} from './bank-statement.contract.ts';
import { compareStatements, type ComparedStatement } from './compare-lines.server.ts';
import { importStatement, notPreviewed } from './import-statement.server.ts';
import { matchImported } from '../matching/auto-match.server.ts';
import { readStatements, type ReadStatements, type StatementAccount } from './read-statement.server.ts';
import { takeBackImport } from './take-back-import.server.ts';
import { findImport, importLater, LARGE_FILE, openAccount } from './work-imports.server.ts';

const COLUMNS = sql`t.id, t.bank_account_id, b.name as bank_account_name, b.division, b.currency, t.kind, t.number,
  t.from_on::text as from_on, t.to_on::text as to_on, t.opening_minor, t.closing_minor, t.net_minor, t.line_count,
  t.new_count, t.flags, f.format, o.original_name as file_name, t.taken_back_at, f.take_back_reason,
  (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = f.taken_back_by_id) as taken_back_by_name,
  t.created_at`;
const JOINS = sql`join bank_accounts b on b.id = t.bank_account_id
  join bank_statement_files f on f.id = t.bank_statement_file_id join files o on o.id = f.file_id`;

async function findStatement(ctx: WorkContext, id: number): Promise<BankStatementRow> {
  const row = await ctx.db.maybeOne<BankStatementRow>(sql`
    select ${COLUMNS} from bank_statements t ${JOINS} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

async function accountFor(ctx: WorkContext, id: number): Promise<StatementAccount> {
  const row = await openAccount(ctx, id);
  if (!row) throw invalidField('bank_account_id', 'Choose an open bank account');
  return row;
}

/** Lines that the preview shows; the counts are of all. */
const SHOWN_LINES = 100;

const lineOf = (line: { booked_on: string; amount_minor: bigint; name: string; memo: string; reference?: string }) => ({
  booked_on: line.booked_on, amount_minor: Number(line.amount_minor), name: line.name, memo: line.memo,
  reference: line.reference ?? '' });
const asNumber = (minor: bigint | undefined): number | null => (minor === undefined ? null : Number(minor));

function factsOf({ statement, lines, net_minor, flags }: ComparedStatement): StatementPreview['statements'][number] {
  return { account: statement.account.number && `•••• ${statement.account.number.slice(-4)}`, kind: statement.kind,
    number: statement.number, from_on: statement.from, to_on: statement.to,
    opening_minor: asNumber(statement.opening?.amount_minor),
    closing_minor: asNumber(statement.closing?.amount_minor),
    net_minor: Number(net_minor), line_count: lines.length,
    new_count: lines.filter(({ state }) => state === 'new').length,
    known_count: lines.filter(({ state }) => state === 'known').length, flags };
}

function previewOf(
  of: { content: Buffer; currency: string; isKnown: boolean }, read: ReadStatements, compared: ComparedStatement[],
): StatementPreview {
  const lines = compared.flatMap((one) => one.lines);
  const probable = lines.filter(({ state }) => state === 'probable');
  const { refusal } = read;
  return { sha256: sha256(of.content), currency: of.currency, format: read.format, is_known_file: of.isKnown,
    refusal: refusal && { code: refusal.code, message: refusal.message, advice: refusal.advice, line: refusal.line,
      suggestion: refusal.suggestion },
    sheet: read.sheet as StatementPreview['sheet'], statements: compared.map(factsOf),
    lines: lines.slice(0, SHOWN_LINES).map(({ line, state }) => ({ ...lineOf(line), state })),
    probable: probable.flatMap(({ at, line, here }) => (here
      ? [{ at, line: lineOf(line), here: { id: here.id, ...lineOf(here) } }] : [])),
    probable_count: probable.length };
}

export const bankStatementRoutes: Route[] = serve(bankStatementEndpoints, {
  list: (ctx, { query }) => listPage<BankStatementRow>(ctx.db, { base: sql`bank_statements t`, columns: COLUMNS,
    joins: JOINS, conditions: compact([
      query.bank_account_id !== undefined && sql`t.bank_account_id = ${query.bank_account_id}`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      sql`(t.taken_back_at is not null) = ${query.taken_back === 'true'}`,
      Boolean(query.search) && sql`t.search_text like '%' || search_words(${query.search}) || '%'`,
    ]), sorts: { to_on: sql`t.to_on`, created_at: sql`t.created_at` }, defaultSort: 'to_on', defaultDirection: 'desc' },
  query, bankStatementEndpoints.list.path),
  show: async (ctx, { params }) => ({ data: await findStatement(ctx, params.id) }),
  async lines(ctx, { params, query }) {
    await findStatement(ctx, params.id);
    return listPage<StatementLine>(ctx.db, { base: sql`bank_transactions t`,
      columns: sql`t.id, t.position, t.state, t.booked_on::text as booked_on, t.value_on::text as value_on,
        t.amount_minor, t.name, t.memo, t.reference, t.counterparty_account, t.balance_minor, t.details`,
      conditions: compact([sql`t.bank_statement_id = ${params.id}`,
        Boolean(query.search) && sql`t.search_text like '%' || ledger_fold(${query.search}) || '%'`]),
      sorts: { position: sql`t.position` }, defaultSort: 'position', defaultDirection: 'asc' }, query,
    bankStatementEndpoints.lines.path);
  },
  async preview(ctx, { body }) {
    const account = await accountFor(ctx, body.bank_account_id);
    const { content } = ctx.file!;
    const read = await readStatements(content, account, body, await ctx.today(account.division));
    const compared = read.refusal || read.format === null ? []
      : await compareStatements(ctx.db, account, { format: read.format, statements: read.statements });
    const known = await ctx.db.maybeOne(sql`select 1 from bank_statement_files
      where bank_account_id = ${account.id} and sha256 = ${sha256(content)} and taken_back_at is null`);
    return { data: previewOf({ content, currency: account.currency, isKnown: known !== null }, read, compared) };
  },
  async create(ctx, { body }) {
    const account = await accountFor(ctx, body.bank_account_id);
    const file = ctx.file!;
    if (file.content.length >= LARGE_FILE) {
      if (sha256(file.content) !== body.sha256) throw notPreviewed();
      return { data: { statement_ids: [], new_count: 0, known_count: 0, skipped_count: 0, matched_count: 0,
        import_id: await importLater(ctx, account, file, body) } };
    }
    const result = await importStatement(ctx, account, file, body, await ctx.today(account.division));
    return { data: { ...result, matched_count: await matchImported(ctx, account.id, result), import_id: null } };
  },
  async takeBack(ctx, { params, body }) {
    await takeBackImport(ctx, params.id, body.reason);
    return { data: await findStatement(ctx, params.id) };
  },
  progress: async (ctx, { params }) => ({ data: await findImport(ctx, params.id) }),
});
