/** Agreements that recoup their advances together: which they are, and the way into a group and out of it. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { AgreementBadge } from './agreement-badge.web.tsx';
import { ROLE_LABELS, agreementEndpoints, type AgreementRow } from './agreement.contract.ts';

export function CrossGroup({ row }: { row: AgreementRow }) {
  const may = useMay()('show_royaltor.update');
  const [changing, setChanging] = useState(false);
  return (
    <Section title="Recouped together" description={row.group_name === null
      ? 'Its advances are recouped from its own royalties. In a group they are from those of all its agreements.'
      : `${row.group_name}: advances are recouped from the royalties of all of these, on one statement.`}
      right={may && (
        <Button size="small" onClick={() => setChanging(true)}>
          {row.group_name === null ? 'Put into a group' : 'Change group'}
        </Button>
      )}>
      {row.cross_collateral_group_id !== null && <Members groupId={row.cross_collateral_group_id} />}
      <Modal open={changing} onClose={() => setChanging(false)} title="Recouped together">
        {changing && <GroupForm row={row} onSaved={() => setChanging(false)} />}
      </Modal>
    </Section>
  );
}

const columns: readonly Column<AgreementRow>[] = [
  { id: 'show', header: 'Title', kind: 'title', cell: (row) => row.show_title, width: 240, fixed: true },
  { id: 'role', header: 'Role', kind: 'muted', cell: (row) => ROLE_LABELS[row.role], width: 150 },
  { id: 'contract', header: 'Contract', kind: 'code', cell: (row) => row.contract_no, width: 120 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110, cell: (row) => <AgreementBadge status={row.status} /> },
];

function Members({ groupId }: { groupId: number }) {
  const list = useList(agreementEndpoints.list, { query: { cross_collateral_group_id: groupId } });
  return (
    <DataTable label="Agreements recouped together" {...list} columns={columns} rowKey={(one) => one.id}
      variant="record" rowHref={(one) => `/admin/${one.show_type}s/${one.show_id}/royaltors/${one.id}`}
      empty={{ title: 'No agreements' }} />
  );
}

function GroupForm({ row, onSaved }: { row: AgreementRow; onSaved: () => void }) {
  const refresh = useRefresh([agreementEndpoints.list]);
  const form = useResourceForm({
    initial: { name: row.group_name ?? '' },
    submit: ({ name }) => call(agreementEndpoints.group, { params: { id: row.id },
      body: { version: row.version, name: name.trim() || null } }),
    onSaved: () => {
      toast(form.values.name.trim() === '' ? 'Recouped by itself' : 'Recouped together');
      void refresh();
      onSaved();
    },
  });
  return (
    <FormFrame form={form} guard={false} labels={{ name: 'Group' }}>
      <TextField label="Group" {...form.field('name')}
        caption={`A name that all of them get, agreements of ${row.royaltor_name} paid by ${row.payer_division} in ${
          row.currency}. Left empty, this one is recouped by itself.`} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}
          reason={form.values.name.trim() === '' && row.group_name === null ? 'Name the group' : undefined}>
          {form.values.name.trim() === '' && row.group_name !== null ? 'Take out of the group' : 'Save group'}
        </Button>
      </FormActions>
    </FormFrame>
  );
}
