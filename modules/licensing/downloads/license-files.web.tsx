/** Files of a licence: how often each was downloaded and by whom, and the button that allows it anew. */
import { useState, type FormEvent } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { licenseFileEndpoints, type StaffLicenseFile } from './download.contract.ts';

const nameOf = (row: StaffLicenseFile): string =>
  (row.name === row.material_name ? row.name : `${row.material_name}, ${row.name}`);

const columns: readonly Column<StaffLicenseFile>[] = [
  { id: 'name', header: 'File', kind: 'title', cell: nameOf, fixed: true, width: 260 },
  { id: 'used', header: 'Downloads', kind: 'text', width: 110, cell: (row) => `${row.used} of ${row.limit}` },
  { id: 'opens_on', header: 'From', kind: 'date', cell: (row) => row.opens_on, width: 120 },
  { id: 'closes_on', header: 'Until', kind: 'date', cell: (row) => row.closes_on, width: 120 },
  { id: 'last', header: 'Latest', kind: 'muted', width: 220, cell: (row) => row.downloads[0]
    ? `${row.downloads[0].name}, ${formatDay(row.downloads[0].created_at)}` : null },
  { id: 'state', header: 'Status', kind: 'badge', width: 130, cell: (row) => row.refusal === null
    ? <Badge tone="ok" small>Open</Badge>
    : <Badge tone={row.refusal === 'used_up' ? 'warn' : 'neutral'} small>{STATES[row.refusal]}</Badge> },
];
const STATES: Record<NonNullable<StaffLicenseFile['refusal']>, string> = { cancelled: 'Withdrawn',
  not_valid: 'Not valid yet', on_hold: 'On hold', not_open: 'Not open yet', over: 'Over', used_up: 'Used up' };

/** Nothing where the licence brings no file. `shown`: what stands above is there, and pushes nothing down any more. */
export function LicenseFiles({ licenseId, shown }: { licenseId: number; shown: boolean }) {
  const read = useEndpoint(licenseFileEndpoints.list, { params: { licenseId } });
  const [open, setOpen] = useState<number | null>(null);
  const rows = read.data?.data;
  if (!shown || rows?.length === 0) return null;
  const chosen = rows?.find((row) => row.id === open);
  return (
    <Section title="Files" flush
      description={spell`Downloaded by the customer: PDFs with the license on every page, the rest with it in the
        name.`}>
      <DataTable label={spell`Files of the license`} rows={rows} error={read.error} onRetry={() => void read.refetch()}
        columns={columns} variant="record" rowKey={(row) => row.id} onOpen={(row) => setOpen(row.id)}
        empty={{ title: 'No files' }} />
      {chosen && <FileDialog licenseId={licenseId} file={chosen} onClose={() => setOpen(null)} />}
    </Section>
  );
}

interface DialogProps { licenseId: number; file: StaffLicenseFile; onClose: () => void }

function FileDialog({ licenseId, file, onClose }: DialogProps) {
  const may = useMay()('license_material.update');
  const [reason, setReason] = useState('');
  const allow = useAction(licenseFileEndpoints.allow, { onFailure: () => {},
    onDone: () => { toast('Downloads reset'); onClose(); } });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void allow.run({ params: { licenseId, fileId: file.id }, body: { reason } });
  };
  return (
    <Modal open onClose={onClose} width={560} title={nameOf(file)}>
      {file.reason !== null && <Callout tone="info" title="Shown to the customer">{file.reason}</Callout>}
      <DataTable label="Downloads of the file" rows={file.downloads} columns={DOWNLOADS} variant="record"
        rowKey={(row) => row.id} empty={{ title: 'Not downloaded yet' }} />
      {may && file.used > 0 && (
        <form onSubmit={submit} noValidate aria-label="Reset downloads">
          <TextField label="Why are more downloads allowed?" required value={reason} onChange={setReason}
            maxLength={300} error={allow.failure?.fields.reason?.[0]} />
          {allow.failure && allow.failure.kind !== 'fields' && (
            <Callout tone="error" live title="This was not changed">{allow.failure.message}</Callout>
          )}
          <FormActions>
            <Button type="submit" variant="primary" pending={allow.pending}>
              Allow {file.limit.toLocaleString('en-US')} more
            </Button>
          </FormActions>
        </form>
      )}
    </Modal>
  );
}

const DOWNLOADS: readonly Column<StaffLicenseFile['downloads'][number]>[] = [
  { id: 'name', header: 'Who', kind: 'title', cell: (row) => row.name, width: 160 },
  { id: 'email', header: 'Email', kind: 'muted', cell: (row) => row.email, width: 200 },
  { id: 'at', header: 'When', kind: 'date', cell: (row) => row.created_at, width: 150 },
];
