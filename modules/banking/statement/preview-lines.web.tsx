/** Contents of a file before it is imported: its statements, the lines that look known, the first lines. */
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import type { StatementPreview } from './bank-statement.contract.ts';
import { FlagList, FORMAT_WORDS, kindBadge, lineText, previewBadge } from './statement-words.web.tsx';

type Statement = StatementPreview['statements'][number];
type Line = StatementPreview['lines'][number];
type Pair = StatementPreview['probable'][number];
const money = (minor: number | null): bigint | string => (minor === null ? '' : BigInt(minor));

const statementColumns: readonly Column<Statement & { key: number }>[] = [
  { id: 'to_on', header: 'To', kind: 'date', cell: (row) => row.to_on ?? '', width: 110 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number ?? '', width: 110 },
  { id: 'kind', header: 'Kind', kind: 'badge', cell: kindBadge, width: 130 },
  { id: 'opening', header: 'Opening', kind: 'money', cell: (row) => money(row.opening_minor), width: 130 },
  { id: 'net', header: 'Sum of lines', kind: 'money', cell: (row) => BigInt(row.net_minor), width: 130 },
  { id: 'closing', header: 'Closing', kind: 'money', cell: (row) => money(row.closing_minor), width: 130 },
  { id: 'new', header: 'New', kind: 'number', cell: (row) => row.new_count, width: 70 },
  { id: 'known', header: 'Known', kind: 'number', cell: (row) => row.known_count, width: 80 },
];
const lineColumns: readonly Column<Line & { key: number }>[] = [
  { id: 'booked_on', header: 'Booked', kind: 'date', cell: (row) => row.booked_on, width: 110 },
  { id: 'text', header: 'Text', kind: 'title', cell: lineText, width: 420 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
  { id: 'state', header: 'Status', kind: 'badge', cell: previewBadge, width: 130 },
];
const pairColumns = (imported: (at: number) => boolean, onImport: (at: number, on: boolean) => void):
readonly Column<Pair & { key: number }>[] => [
  { id: 'booked_on', header: 'Booked', kind: 'date', cell: (row) => row.line.booked_on, width: 110 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.line.amount_minor), width: 130 },
  { id: 'line', header: 'In the file', kind: 'title', cell: (row) => lineText(row.line), width: 300 },
  { id: 'here', header: 'Already here', kind: 'text', cell: (row) => lineText(row.here), width: 300 },
  { id: 'answer', header: 'Another line', kind: 'actions', width: 150, cell: (row) => (
    <Checkbox label="Import too" value={imported(row.at)} onChange={(on) => onImport(row.at, on)} />) },
];

const numbered = <T extends object>(rows: readonly T[]) => rows.map((row, key) => ({ ...row, key }));

export function PreviewStatements({ preview }: { preview: StatementPreview }) {
  const flags = preview.statements.flatMap((one) => one.flags);
  const isSerious = flags.some(({ flag }) => flag === 'balance_mismatch' || flag === 'gap');
  return (
    <>
      <DataTable label={`Statements in the file, ${FORMAT_WORDS[preview.format ?? ''] ?? ''} ${preview.currency}`}
        variant="record" rows={numbered(preview.statements)} columns={statementColumns}
        rowKey={(row) => row.key} searchable={false} />
      {flags.length > 0 && (
        <Callout tone={isSerious ? 'warn' : 'info'} title="About this file">
          <FlagList flags={flags.filter((one, at) => flags.findIndex(({ flag }) => flag === one.flag) === at)} />
        </Callout>
      )}
    </>
  );
}

export function PreviewLines({ preview, imported, onImport }: {
  preview: StatementPreview; imported: (at: number) => boolean; onImport: (at: number, on: boolean) => void;
}) {
  const total = preview.statements.reduce((all, one) => all + one.line_count, 0);
  return (
    <>
      {preview.probable.length > 0 && (
        <DataTable label="Lines that look like lines already here" variant="record" rows={numbered(preview.probable)}
          columns={pairColumns(imported, onImport)} rowKey={(row) => row.key} searchable={false} />
      )}
      <DataTable label="First lines of the file" variant="record" rows={numbered(preview.lines)} columns={lineColumns}
        rowKey={(row) => row.key} searchable={false}
        caption={total > preview.lines.length
          ? `The first ${preview.lines.length} of ${total.toLocaleString('en-US')} lines` : undefined}
        empty={{ title: 'No lines in this file' }} />
    </>
  );
}
