/** Notices of change: what banks of payees correct, until somebody applies or closes them. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { prenoteEndpoints, type BankCorrection } from './prenote.contract.ts';

export function Corrections() {
  const may = useMay();
  const read = useEndpoint(prenoteEndpoints.corrections, {});
  const take = useAction(prenoteEndpoints.takeCorrection, { refresh: [prenoteEndpoints.corrections],
    done: 'Written. Another person verifies the bank details' });
  const [closing, setClosing] = useState<BankCorrection | null>(null);
  const rows = read.data?.data ?? [];
  if (rows.length === 0) return null;
  const columns: readonly Column<BankCorrection>[] = [
    { id: 'payee', header: 'Payee', kind: 'title', cell: (row) => row.payee, fixed: true, width: 220 },
    { id: 'words', header: 'Correction', kind: 'muted', cell: (row) => row.words, width: 380 },
    { id: 'received', header: 'Received', kind: 'date', cell: (row) => row.received_on, width: 120 },
    { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 120 },
    { id: 'actions', header: 'Actions', kind: 'actions', width: 80, cell: (row) => may('payment.create') && (
      <ActionMenu label={`Actions of the correction for ${row.payee}`} actions={[
        { label: 'Apply correction', onSelect: () => void take.run({ params: { id: row.id } }) },
        { label: 'Close without applying', onSelect: () => setClosing(row) }]} />) },
  ];
  return (
    <PageContent fullWidth>
      <Section title="Corrections by banks" count={rows.length} description="Apply one, and another person verifies
        the bank details. Until then payments go to the details that are stored.">
        <DataTable label="Corrections by banks" variant="record" rows={rows} rowKey={(row) => row.id} columns={columns}
          empty={{ title: 'No corrections' }} />
        {closing && <CloseForm row={closing} onClose={() => setClosing(null)} />}
      </Section>
    </PageContent>
  );
}

function CloseForm({ row, onClose }: { row: BankCorrection; onClose: () => void }) {
  const refresh = useRefresh([prenoteEndpoints.corrections]);
  const form = useResourceForm({
    initial: { reason: '' },
    submit: ({ reason }) => call(prenoteEndpoints.dismissCorrection, { params: { id: row.id }, body: { reason } }),
    onSaved: () => {
      toast('Correction closed');
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title={`Close the correction for ${row.payee}`}>
      <FormFrame form={form} aria-label="Close the correction" guard={false}>
        <TextField label="Reason" required {...form.field('reason')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Close correction</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
