/** A file becomes a set: its columns are found, every row is read and kept, with what is wrong with it. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import type { OpeningKind } from '#kernel/ledger/opening-sets.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import { invalidField } from '#kit/errors.ts';
import { refuseClosedDay } from '#modules/accounting/accounting.public.server.ts';
import { matchHeads, type DateFormat, type DecimalStyle, type FieldSet,
} from '#modules/data-exchange/imports/import-field.contract.ts';
import { readSheetRows } from '#modules/data-exchange/reading/reading.public.server.ts';
import { Readings, type CellType, type Decided } from '#modules/data-exchange/reading/readings.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { UploadedFile, WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { KINDS } from './kinds.server.ts';
import { OPENING_FIELDS } from './opening-fields.ts';
import { OPENING_LIMIT } from './opening-set.contract.ts';
import type { CheckedRow, FileSettings, SourceRow } from './opening-kind.server.ts';

export interface SetUpload {
  division: Division;
  as_of: string;
  kind: OpeningKind;
  date_format?: DateFormat | undefined;
  decimal_style?: DecimalStyle | undefined;
}

/** Rows among which the heads are looked for. */
const HEAD_ROWS = 20;

/** Position of the row with the most heads that we know; at least two, or all that the kind needs. */
function headerAt(rows: readonly SourceRow[], fields: FieldSet): number {
  let best = -1;
  let most = 1;
  rows.slice(0, HEAD_ROWS).forEach((row, at) => {
    const known = Object.keys(matchHeads(row.cells, fields)).length;
    if (known > most) [best, most] = [at, known];
  });
  return best;
}

function columnsOf(header: readonly string[], fields: FieldSet): Record<string, number> {
  const columns = matchHeads(header, fields);
  const missing = Object.entries(fields).filter(([field, facts]) => facts.required && columns[field] === undefined);
  if (missing.length > 0) {
    throw invalidField('file', `The file has no column ${missing.map(([, facts]) => `"${facts.label}"`).join(', ')
    }. Download the template to see how the columns are named.`);
  }
  return columns;
}

const WORDS: Readonly<Record<string, string>> = { 'MM/DD/YYYY': 'month first', 'DD/MM/YYYY': 'day first',
  'DD.MM.YYYY': 'day first', 'YYYY-MM-DD': 'year first', point: 'with a decimal point', comma: 'with a decimal comma' };

/** Setting found in the cells, or 422 at the setting with an example of each way to read them. */
function decided<V extends string>(
  field: 'date_format' | 'decimal_style', chosen: V | undefined, found: Decided<V>,
): V {
  if (chosen !== undefined) return chosen;
  if (found.value !== null) return found.value;
  const ways = found.options.flatMap(({ value, samples: [sample] }) => (sample ? [`${sample.text} is ${
    field === 'date_format' ? dateInWords(sample.read) : sample.read} ${WORDS[value] ?? value}`] : []));
  throw invalidField(field, `Choose how ${field === 'date_format' ? 'dates' : 'amounts'} are written: ${
    ways.join(', ')}`);
}

function readingOf(upload: SetUpload, rows: readonly SourceRow[]): { reading: FileSettings; rows: SourceRow[] } {
  const fields = OPENING_FIELDS[upload.kind];
  const at = headerAt(rows, fields);
  const heads = rows[at];
  if (!heads) throw invalidField('file', 'The file has no row with the heads of its columns. Download the template');
  const header = [...heads.cells];
  const columns = columnsOf(header, fields);
  const below = rows.slice(at + 1);
  if (below.length === 0) throw invalidField('file', `The file has heads in row ${heads.row_no} and no rows below.`);
  if (below.length > OPENING_LIMIT) throw invalidField('file', 'At most 50,000 rows in one set');
  const types = Object.fromEntries(Object.entries(fields).flatMap(([field, facts]) => (facts.type === undefined ? []
    : [[field, facts.type as CellType]])));
  const readings = new Readings(types);
  for (const row of below) {
    for (const [field, column] of Object.entries(columns)) {
      readings.add({ field, column: header[column] ?? '', row_no: row.row_no, text: row.cells[column] ?? '' });
    }
  }
  return { rows: below, reading: { header_row: heads.row_no, header, columns,
    date_format: decided('date_format', upload.date_format,
      readings.dates(upload.division === 'US' || upload.division === 'PROD' ? 'MM/DD/YYYY' : 'DD/MM/YYYY')),
    decimal_style: decided('decimal_style', upload.decimal_style, readings.numbers('point')) } };
}

/** Reads a file into a draft; nothing is posted. Answers the id of the set. */
export async function uploadSet(ctx: WorkContext, upload: SetUpload, file: UploadedFile): Promise<number> {
  await refuseFutureMoney(ctx, { division: upload.division, on: upload.as_of, field: 'as_of' });
  await refuseClosedDay(ctx.db, { division: upload.division, kind: 'opening', on: upload.as_of, field: 'as_of',
    actor_id: ctx.actor.actor_id });
  const { reading, rows } = readingOf(upload, await readSheetRows(file.content));
  const { functional } = await ctx.db.one<{ functional: Currency }>(sql`
    select functional_currency as functional from divisions where code = ${upload.division}`);
  const checked = await KINDS[upload.kind].check(ctx.db, { id: 0, division: upload.division, kind: upload.kind,
    as_of: upload.as_of, functional }, rows, reading);
  const fileId = await keepFile(ctx, file);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into opening_sets (division, kind, as_of, file_id, reading, row_count, problem_count, created_by_id)
    values (${upload.division}, ${upload.kind}, ${upload.as_of}, ${fileId}, ${JSON.stringify(reading)},
      ${checked.length}, ${checked.filter((row) => row.problem !== null).length}, ${ctx.actor.actor_id}) returning id`);
  await storeRows(ctx, id, checked, reading);
  await ctx.audit({ action: 'create', entity: 'opening_set', entity_id: id, after: { ...upload,
    file_name: file.filename, row_count: checked.length } });
  return id;
}

const CHUNK = 2_000;

async function storeRows(ctx: WorkContext, setId: number, rows: readonly CheckedRow[], reading: FileSettings):
Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK) {
    const part = rows.slice(from, from + CHUNK);
    const money = (pick: (row: CheckedRow) => bigint | null | undefined): (string | null)[] =>
      part.map((row) => pick(row)?.toString() ?? null);
    await ctx.db.exec(sql`
      insert into opening_lines (opening_set_id, row_no, cells, label, account_code, currency, amount_minor,
        base_minor, is_carried, problems)
      select ${setId}, r.row_no, array(select jsonb_array_elements_text(r.cells::jsonb)), r.label, r.account,
        r.currency, r.amount, r.base, r.carried, r.problems::jsonb
      from unnest(${part.map((row) => row.row_no)}::int[], ${part.map((row) => JSON.stringify(row.cells))}::text[],
        ${part.map((row) => row.brought?.label ?? '')}::text[], ${part.map((row) => row.brought?.account
          ?? null)}::text[], ${part.map((row) => row.brought?.currency ?? null)}::text[],
        ${money((row) => row.brought?.amount)}::bigint[], ${money((row) => row.brought?.base)}::bigint[],
        ${part.map((row) => row.brought?.is_carried ?? false)}::bool[],
        ${part.map((row) => JSON.stringify(problemsOf(row, reading)))}::text[])
        r (row_no, cells, label, account, currency, amount, base, carried, problems)`);
  }
}

function problemsOf({ problem }: CheckedRow, reading: FileSettings) {
  if (problem === null) return [];
  const at = problem.field === null ? undefined : reading.columns[problem.field];
  return [{ field: problem.field, column: at === undefined ? null : reading.header[at] ?? null, text: problem.reason,
    value: problem.value }];
}
