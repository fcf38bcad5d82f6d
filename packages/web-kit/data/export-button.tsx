/**
 * The current view of a list as a CSV file (U21): every row that matches search and filters, in the order and with the
 * columns on screen. Rows are read page by page; the button tells how far it is and stops when asked to.
 */
import { Download } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Glyph } from '#web/layout/icons.tsx';
import { wholeHeader, type Column } from './column.ts';
import { csvCell, UnseenCells, type CsvCell } from './csv-cells.tsx';
import { csvText, fileNameOf, saveFile } from './csv-file.ts';
import { counted, ExportProgress } from './export-progress.tsx';
import { today } from './local-day.ts';
import { toast } from './toast.tsx';
import styles from './table-tools.module.css';

/** Rows of one read: the most that a list answers (gaps G64). */
export const EXPORT_PAGE = 100;

export type ReadPage<Row> = (page: number, signal: AbortSignal) =>
  Promise<{ rows: readonly Row[]; pages: number; total: number }>;

interface Drawing { nodes: readonly ReactNode[]; done: (words: string[]) => void }

/** Texts of the cells, those that must be drawn filled in. */
async function textsOf<Row>(
  columns: readonly Column<Row>[], rows: readonly Row[], draw: (nodes: readonly ReactNode[]) => Promise<string[]>,
): Promise<CsvCell[][]> {
  const cells = rows.map((row) => columns.map((column) => csvCell(column, row)));
  const nodes = cells.flat().flatMap((cell) => ('node' in cell ? [cell.node] : []));
  const words = nodes.length > 0 ? await draw(nodes) : [];
  let next = 0;
  return cells.map((line) => line.map((cell) => {
    if (!('node' in cell)) return cell;
    next += 1;
    return { text: words[next - 1] ?? '' };
  }));
}

/** Header and rows; a column whose amounts name their currency is followed by one for it. */
function tableOf<Row>(columns: readonly Column<Row>[], lines: readonly CsvCell[][]): [string[], string[][]] {
  const mixed = columns.map((_, at) => lines.some((line) => currencyOf(line[at]) !== ''));
  const header = columns.map(wholeHeader)
    .flatMap((title, at) => (mixed[at] ? [title, `${title}, currency`] : [title]));
  const rows = lines.map((line) => line.flatMap((cell, at) => {
    const text = 'text' in cell ? cell.text : '';
    return mixed[at] ? [text, currencyOf(cell)] : [text];
  }));
  return [header, rows];
}
function currencyOf(cell: CsvCell | undefined): string {
  return cell && 'text' in cell ? cell.currency ?? '' : '';
}

export interface ExportButtonProps<Row> {
  /** The list's name: the file is called after it. */
  label: string;
  /** Those on screen, in their order. */
  columns: readonly Column<Row>[];
  readPage: ReadPage<Row>;
  /** The list itself is still on its way. */
  waiting?: boolean | undefined;
}

export function ExportButton<Row>({ label, columns, readPage, waiting }: ExportButtonProps<Row>) {
  const [state, setState] = useState<{ done: number; total: number } | null>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const draw = (nodes: readonly ReactNode[]) => new Promise<string[]>((done) => { setDrawing({ nodes, done }); });
  async function run(): Promise<void> {
    const control = new AbortController();
    running.current = control;
    const wanted = columns.filter(({ kind, header }) => kind !== 'actions' && header !== '');
    const lines: CsvCell[][] = [];
    setState({ done: 0, total: 0 });
    try {
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const answer = await readPage(page, control.signal);
        pages = answer.pages;
        lines.push(...await textsOf(wanted, answer.rows, draw));
        if (control.signal.aborted) return;
        setState({ done: lines.length, total: answer.total });
      }
      saveFile(fileNameOf(label, today()), csvText(...tableOf(wanted, lines)), 'text/csv;charset=utf-8');
      toast(`${counted(lines.length)} exported`);
    } catch (error) {
      if (control.signal.aborted) return;
      toast(error instanceof Error ? error.message : 'The list could not be exported.', { tone: 'error' });
    } finally {
      setDrawing(null);
      setState(null);
    }
  }

  const told = (words: string[]) => drawing?.done(words);
  return (
    <>
      {state
        ? <ExportProgress {...state} onStop={() => running.current?.abort()} />
        : (
          <button type="button" className={styles.tool} disabled={waiting} onClick={() => void run()}>
            <Glyph icon={Download} size={15} />Export
          </button>
        )}
      {drawing && <UnseenCells nodes={drawing.nodes} onWords={told} />}
    </>
  );
}
