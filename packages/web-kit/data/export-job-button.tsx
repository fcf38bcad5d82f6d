/**
 * The current view of a list as a CSV file or a workbook (U21): the server makes it in the background, with every row
 * that matches. The button tells how far it is and stops it; the file is saved when it is ready. Whoever has gone on
 * to other work is told at the bell.
 */
import { ChevronDown, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ZodType } from 'zod';
import { call, remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import { importFileOf, type ImportFile } from '#kit/import-file.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { Column } from './column.ts';
import { exportFields, type ExportSource } from './export-fields.ts';
import { counted, ExportProgress } from './export-progress.tsx';
import { ActionMenu } from './action-menu.tsx';
import { toast } from './toast.tsx';
import styles from './table-tools.module.css';

/** Parts of a job needed here; the full type is in modules/data-exchange/jobs. */
interface Job { id: string; record_id: number; status: string; rows_done: number; rows_total: number;
  failure: string | null }
interface Wish { model_name: string; columns: string[]; headers: string[]; title: string;
  filter: Record<string, unknown>; format: 'csv' | 'xlsx' }

const EXPORTS = '/api/admin/staff/export_jobs';
const JOB = '/api/jobs/{id}';
const exporting = remote<Endpoint<typeof EXPORTS, undefined, undefined, ZodType<Wish, Wish>,
  ZodType<{ data: { id: number; job_id: string } }>>>('POST', EXPORTS);
type OneJob = Endpoint<typeof JOB, ZodType<{ id: string }>, undefined, undefined, ZodType<{ data: Job }>>;
const jobShow = remote<OneJob>('GET', JOB);
const jobCancel = remote<OneJob>('DELETE', JOB);

/** ms between two looks where no live event comes. */
const LOOK_MS = 1500;

/** Address of a finished export's file. */
export function exportHref(id: number): string {
  return `/api/admin/staff/export_csv/${id}/download`;
}

/** A file for an import has the order in which the import makes its records. */
const unsorted = ({ sort_by: _key, sort_direction: _direction, ...filter }: ExportSource['filter']) => filter;

async function importFields({ list }: ImportFile): Promise<{ header: string; field: string }[]> {
  const { IMPORT_COLUMNS } = await import('#kit/import-columns.ts').catch(() => {
    throw new Error('The list could not be exported. Check the connection, then try again.');
  });
  return Object.entries(IMPORT_COLUMNS[list]).map(([header, field]) => ({ header, field }));
}

function saveFrom(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = '';
  link.click();
}

export interface ExportJobButtonProps<Row> {
  /** The list's name: the file is called after it. */
  label: string;
  /** Those on screen, in their order. */
  columns: readonly Column<Row>[];
  /** None while the list is being read. */
  rows: readonly Row[] | undefined;
  source: ExportSource;
}

export function ExportJobButton<Row>({ label, columns, rows, source }: ExportJobButtonProps<Row>) {
  const [job, setJob] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const whole = importFileOf(source.model_name);
  /** `file`: instead of the columns on screen, those that an import knows. */
  async function start(format: Wish['format'], file?: ImportFile): Promise<void> {
    if (asking) return;
    setAsking(true);
    try {
      const fields = file ? await importFields(file) : exportFields(columns, rows ?? []);
      const { data } = await call(exporting, { body: { model_name: file?.model_name ?? source.model_name, title: label,
        format, filter: file ? unsorted(source.filter) : { ...source.filter },
        columns: fields.map((one) => one.field), headers: fields.map((one) => one.header) },
      }, { idempotencyKey: crypto.randomUUID() });
      setJob(data.job_id);
    } catch (error) {
      toast(error instanceof Error ? error.message : 'The list could not be exported.', { tone: 'error' });
    } finally {
      setAsking(false);
    }
  }
  const reason = rows ? undefined : 'The list is still being read';
  if (job !== null) return <Running id={job} onOver={() => setJob(null)} />;
  return (
    <ActionMenu label="Export" target={(
      <button type="button" className={styles.tool} aria-busy={asking || undefined}>
        <Glyph icon={Download} size={15} />Export<Glyph icon={ChevronDown} size={13} />
      </button>
    )} actions={[
      { label: 'CSV file', reason, onSelect: () => void start('csv') },
      { label: 'Excel workbook', reason, onSelect: () => void start('xlsx') },
      ...(whole ? [{ label: 'File for an import', reason, onSelect: () => void start('csv', whole) }] : []),
    ]} />
  );
}

function Running({ id, onOver }: { id: string; onOver: () => void }) {
  const read = useEndpoint(jobShow, { params: { id } }, { refetchInterval: LOOK_MS, staleTime: 0 });
  const job = read.data?.data;
  const over = useRef(onOver);
  over.current = onOver;
  const failed = read.isError && !job;
  useEffect(() => {
    if (failed) { over.current(); return; }
    if (!job || job.status === 'waiting' || job.status === 'running') return;
    over.current();
    if (job.status === 'done') {
      saveFrom(exportHref(job.record_id));
      toast(`${counted(job.rows_done)} exported`);
    } else if (job.failure !== null) toast(job.failure, { tone: 'error' });
  }, [job, failed]);
  async function stop(): Promise<void> {
    try {
      await call(jobCancel, { params: { id } });
      over.current();
    } catch {
      // It was over before: the next look tells how.
      void read.refetch();
    }
  }
  const total = Math.max(job?.rows_total ?? 0, job?.rows_done ?? 0);
  return <ExportProgress done={job?.rows_done ?? 0} total={total} onStop={() => void stop()} />;
}
