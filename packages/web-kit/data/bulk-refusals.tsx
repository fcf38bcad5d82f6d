/** Refusals of a bulk action and their reasons, over its list; all of them as a file, and the report's own page. */
import { useState } from 'react';
import type { ZodType } from 'zod';
import { call, remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { today } from './local-day.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { csvText, fileNameOf, saveFile } from './csv-file.ts';
import { Skeleton } from './empty-state.tsx';
import { toast } from './toast.tsx';
import styles from './bulk-refusals.module.css';

interface Row { id: number; label: string; href: string | null; reason: string | null }
const ROWS = '/api/admin/staff/bulk/{id}/rows';
const rowsOf = remote<Endpoint<typeof ROWS, undefined, ZodType<object, object>, undefined,
  ZodType<{ data: Row[]; meta: { last_page: number; total: number } }>>>('GET', ROWS);

const queryOf = (page: number) => ({ outcome: 'refused', per_page: 100, page });

async function saveAll(runId: number, label: string): Promise<void> {
  const lines: string[][] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { data, meta } = await call(rowsOf, { params: { id: runId }, query: queryOf(page) });
    last = meta.last_page;
    lines.push(...data.map((row) => [row.label, row.reason ?? '', row.href ?? '']));
  }
  const day = today();
  saveFile(fileNameOf(`${label} refused`, day), csvText(['Row', 'Reason', 'Address'], lines), 'text/csv;charset=utf-8');
}

export function BulkRefusals({ runId, label, onClose }: { runId: number; label: string; onClose: () => void }) {
  const read = useEndpoint(rowsOf, { params: { id: runId }, query: queryOf(1) });
  const [saving, setSaving] = useState(false);
  const rows = read.data?.data;
  const more = (read.data?.meta.total ?? 0) - (rows?.length ?? 0);
  async function save(): Promise<void> {
    setSaving(true);
    await saveAll(runId, label).catch((error: unknown) => {
      toast(error instanceof Error ? error.message : 'The file could not be made.', { tone: 'error' });
    });
    setSaving(false);
  }
  return (
    <Modal open title={`${label}: what was refused`} width={640} onClose={onClose} footer={(
      <>
        <Button pending={saving} onClick={() => void save()}>CSV of the refused</Button>
        <ButtonLink variant="primary" href={`/admin/bulk/${runId}`}>Whole report</ButtonLink>
      </>
    )}>
      {rows === undefined && <Skeleton height={60} />}
      <ul className={styles.rows}>
        {rows?.map((row) => (
          <li key={row.id}>
            {row.href ? <AppLink href={row.href}>{row.label}</AppLink> : <span>{row.label}</span>}
            <span className={styles.reason}>{row.reason}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p>{more.toLocaleString('en-US')} more are in the report.</p>}
    </Modal>
  );
}
