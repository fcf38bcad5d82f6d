/**
 * Files of real banks and of other programs' tests, each imported to the figures that its own text states or refused
 * for a
 * typed reason. The files stay outside of the repository; without them the tests say so and skip. The table of
 * docs/domain/bank-files.md is written anew by `vitest run -u` with this file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectDelimiter } from '#modules/data-exchange/reading/csv-shape.server.ts';
import { sheetRows } from '#modules/data-exchange/reading/csv-rows.server.ts';
import { detectEncoding, head } from '#modules/data-exchange/reading/text-encoding.server.ts';
import { asText } from '#modules/data-exchange/reading/workbook-text.server.ts';
import { minorToDecimal, sum } from '../money/money.ts';
import type { BankFileRefusal, BankStatement, DateOrder } from './bank-file.ts';
import { readBankSheet } from './read-bank-file.ts';
import type { SheetMapping, SheetRow } from './sheet.ts';
import { suggestMapping } from './suggest-mapping.ts';
import { decodeWith, NO_OPTIONS, readBytes, type Read } from './testing.ts';

const DATA = resolve(process.env['SHARED_DATA'] ?? '../shared/data');
const FOLDER = join(DATA, 'bank');
const present = existsSync(FOLDER);
const FORMATS = ['ofx', 'qif', 'camt', 'mt940', 'bai2', 'bankcsv'];
const decode = decodeWith(TextDecoder);

interface Facts {
  transactions?: number;
  sum?: string;
  statements?: number | { entries: number; net: string }[];
}

/** The order of day and month that a person who knows the bank answers. */
const ORDERS: readonly [RegExp, DateOrder][] = [
  [/sample\.qif|mmddyyyy|spaced|test_split|quicken_non|splits\.qif|test_files__test\.qif/, 'mdy'],
  [/ddmmyyyy|separator|category_override/, 'dmy'],
];

/** Mappings a person enters by hand where the column headings are no help. */
const BY_HAND: readonly [RegExp, SheetMapping][] = [
  [/raiffeisen_01/, { header_row: null, footer_rows: 0, date_order: 'dmy', decimal_mark: ',',
    amount: { kind: 'signed', amount: 3, inverted: false }, columns: { booked: 0, memo: [1], currency: 4 } }],
  [/no_header/, { header_row: null, footer_rows: 0, date_order: 'mdy', decimal_mark: '.',
    amount: { kind: 'signed', amount: 3, inverted: false }, columns: { booked: 0, memo: [1], currency: 2 } }],
];

async function rowsOf(bytes: Buffer): Promise<SheetRow[]> {
  const { content } = await asText(bytes);
  const encoding = detectEncoding(content);
  const rows: SheetRow[] = [];
  for await (const row of sheetRows(content,
    { encoding, delimiter: detectDelimiter(head(content, encoding), ',') })) rows.push(row);
  return rows;
}

async function readSheetFile(name: string, bytes: Buffer): Promise<Read> {
  const rows = await rowsOf(bytes);
  const mapping = BY_HAND.find(([pattern]) => pattern.test(name))?.[1] ?? suggestMapping(rows)?.mapping;
  const none: BankFileRefusal = { code: 'mapping_required',
    message: 'This is a file of columns, and nothing says yet what they hold.',
    advice: '', line: null, column: null, suggestion: null };
  if (!mapping) return { statements: [], refusal: none, format: null };
  const { file, refusal } = readBankSheet(rows, mapping, NO_OPTIONS);
  return { statements: file?.statements ?? [], refusal, format: 'csv' };
}

async function readNamed(format: string, name: string): Promise<Read> {
  const bytes = readFileSync(join(FOLDER, format, name));
  if (format === 'bankcsv') return readSheetFile(name, bytes);
  return readBytes(bytes, decode, { date_order: ORDERS.find(([pattern]) => pattern.test(name))?.[1] ?? null });
}

function filesOf(format: string): string[] {
  return readdirSync(join(FOLDER, format)).filter((name) => !/\.(json|yml)$/.test(name)).sort();
}

const net = (statements: readonly BankStatement[]): bigint =>
  sum(statements.flatMap(({ lines }) => lines.map(({ amount_minor }) => amount_minor)));
const count = (statements: readonly BankStatement[]): number => statements.reduce((all, { lines }) => all
  + lines.length, 0);
const cents = (text: string): bigint => BigInt(Math.round(Number(text) * 100));

const OFX_REFUSALS = ['no_cash_statement', 'bank_error', 'line_incomplete', 'amount_unreadable', 'amount_precision',
  'truncated'];

/** A row of the table: what the file came to. */
function outcome(read: Read): string {
  if (read.refusal) return `refused: \`${read.refusal.code}\` | ${read.refusal.message.replaceAll('|', '/')}`;
  const accounts = read.statements.map(({ opening, closing, lines, currency }) => {
    const money = (minor: bigint | undefined): string => (minor === undefined ? 'none' : minorToDecimal(minor));
    return `${money(opening?.amount_minor)} + ${lines.length} (${money(net([{ lines } as BankStatement]))}) = `
      + `${money(closing?.amount_minor)}${currency ? ` ${currency}` : ''}`;
  });
  const shown = accounts.length > 4 ? [...accounts.slice(0, 3), `${accounts.length - 3} more`] : accounts;
  const flags = [...new Set(read.statements.flatMap(({ flags }) => flags.map(({ flag }) => flag)))].sort();
  return `${read.format}: ${shown.join('; ')} | ${flags.map((flag) => `\`${flag}\``).join(' ') || 'none'}`;
}

describe.skipIf(!present)(`real files in ${FOLDER}`, () => {
  const facts = (present ? JSON.parse(readFileSync(join(DATA, 'fixtures-facts.json'), 'utf8')) : {}) as Record<string,
    Facts>;

  test.each(present ? filesOf('ofx') : [])('%s has the lines and the sum that were counted in its text',
    async (name) => {
    const { statements, refusal } = await readNamed('ofx', name);
    const fact = facts[`bank/ofx/${name}`];
    if (refusal) return expect(OFX_REFUSALS).toContain(refusal.code);
    expect([count(statements), net(statements)]).toEqual([fact?.transactions ?? 0, cents(fact?.sum ?? '0')]);
  });

  test.each(present ? filesOf('mt940') : [])('%s has the lines and the sum that were counted in its text',
    async (name) => {
    const { statements, refusal } = await readNamed('mt940', name);
    if (refusal) return expect(refusal.code).toMatch(/^(truncated|not_a_bank_file)$/);
    const counted = facts[`bank/mt940/${name}`]?.statements;
    const pages = Array.isArray(counted) ? counted : [];
    expect([count(statements), net(statements)])
      .toEqual([pages.reduce((all, { entries }) => all + entries, 0), sum(pages.map((page) => cents(page.net)))]);
  });

  test.each(present ? filesOf('camt') : [])('%s has the sum that was counted in its text', async (name) => {
    const { statements, refusal } = await readNamed('camt', name);
    expect(refusal).toBeNull();
    const counted = facts[`bank/camt/${name}`]?.statements;
    const pending = statements.some(({ flags }) => flags.some(({ flag }) => flag === 'pending_skipped'));
    if (!Array.isArray(counted) || pending) return;
    expect(net(statements)).toBe(sum(counted.map((one) => cents(one.net))));
  });

  test('all of them are in the table of docs/domain/bank-files.md', async () => {
    const rows: string[] = [];
    for (const format of FORMATS) {
      for (const name of filesOf(format)) {
        rows.push(`| ${format} | ${name.replace(/^.*?\+/, '')} | ${outcome(await readNamed(format, name))} |`);
      }
    }
    const written = existsSync('docs/domain/bank-files.md') ? readFileSync('docs/domain/bank-files.md', 'utf8') : '';
    const intro = written.slice(0, Math.max(0, written.indexOf(TABLE_HEAD)));
    const table = `${intro}${TABLE_HEAD}\n${rows.join('\n')}\n`;
    await expect(table).toMatchFileSnapshot('../../../docs/domain/bank-files.md');
  });
});

const TABLE_HEAD = '| Folder | File | Read as: opening + lines (sum) = closing | Flags, or why it is refused |'
  + '\n|---|---|---|---|';
