/** Corrections that statements carry: entered by one person, approved by another. */
import { useState } from 'react';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { today } from '#web/data/local-day.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import type * as z from 'zod';
import { AgreementSelect } from '../agreement-select.web.tsx';
import { SalesHeader } from '../royalty-list.web.tsx';
import { fourEyes } from '../royalty-words.web.ts';
import {
  adjustmentBulk, advanceEndpoints, type adjustmentRow, type AdvanceRow,
} from './advance.contract.ts';

type Correction = z.infer<typeof adjustmentRow>;

function stateOf(row: Correction) {
  if (row.statement_id !== null) return <Badge small tone="ok">On a statement</Badge>;
  if (row.of_returned_advance) return <Badge small tone="info">Advance returned</Badge>;
  if (row.approved_by_name !== null) return <Badge small tone="info">Approved</Badge>;
  if (row.declined) return <Badge small tone="error">Declined</Badge>;
  return <Badge small tone="brass">To be approved</Badge>;
}

const columns: readonly Column<Correction>[] = [
  { id: 'royaltor', header: 'Royaltor', kind: 'title', cell: (row) => row.royaltor_name, fixed: true, width: 200 },
  { id: 'show', header: 'Show', kind: 'muted', cell: (row) => row.show_title, width: 180 },
  { id: 'reason', header: 'Reason', kind: 'muted', cell: (row) => (row.declined
    ? `${row.reason} (declined by ${row.declined.by_name}: ${row.declined.reason})` : row.reason), width: 260 },
  { id: 'on_date', header: 'Of', kind: 'date', cell: (row) => row.on_date, sort: true, width: 120 },
  { id: 'state', header: 'Status', kind: 'badge', width: 130, cell: stateOf },
  { id: 'created_by', header: 'Entered by', kind: 'muted', cell: (row) => row.created_by_name, width: 140 },
  { id: 'approved_by', header: 'Approved by', kind: 'muted', cell: (row) => row.approved_by_name, width: 140 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => row.amount_minor, width: 120 },
];

export default function CorrectionList() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const list = useList(advanceEndpoints.adjustments, {}, { filters: ['show_royaltor_id'], bulk: adjustmentBulk });
  const [one] = list.rows ?? [];
  const approves = may('payment.updateStatus');
  const actions: Column<Correction> = { id: 'actions', header: 'Approve', kind: 'actions', width: 190,
    cell: (row) => row.approved_by_name === null && row.statement_id === null && !row.of_returned_advance
      && <ApproveButton correction={row} /> };
  return (
    <>
      <SalesHeader subtitle="Corrections that the next statement carries">
        {may('show_royaltor.update') && (
          <Button variant="primary" onClick={() => set({ new: '1' })}>
            New correction
          </Button>
        )}
      </SalesHeader>
      <DataTable
        label="Corrections"
        {...list}
        columns={approves ? [...columns, actions] : columns}
        filters={[{ name: 'show_royaltor_id', label: 'Agreement',
          linked: { name: one && `${one.royaltor_name}, ${one.show_title}` } }]}
        rowKey={(row) => row.id}
        searchPlaceholder="Name of a royaltor"
        empty={{ title: 'No corrections', text: 'An error in a statement is corrected on the next one.' }}
      />
      {may('show_royaltor.update') && values.get('new') === '1' && (
        <CorrectionForm onClose={() => set({ new: null })} />
      )}
    </>
  );
}

function ApproveButton({ correction }: { correction: Correction }) {
  const user = useCurrentUser();
  const own = fourEyes(correction.created_by_name, user, 'entered');
  const approve = useAction(advanceEndpoints.approveAdjustment, { refresh: [approvalEndpoints.list],
    done: 'Correction approved' });
  return (
    <>
      <Button size="small" pending={approve.pending} reason={own}
        onClick={() => void approve.run({ params: { id: correction.id } })}>Approve</Button>
      {correction.declined === null && (
        <DeclineButton endpoint={advanceEndpoints.declineAdjustment} params={{ id: correction.id }} body={{}}
          title="Correction" reason={own} refresh={[approvalEndpoints.list]}
          text="It is on no statement. The person who entered it sees the reason." />)}
    </>
  );
}

function CorrectionForm({ onClose }: { onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([advanceEndpoints.adjustments]);
  const form = useResourceForm({
    initial: { show_royaltor_id: null as number | null, amount_minor: null as number | null,
      currency: 'USD' as AdvanceRow['currency'] | null, on_date: today() as string | null, reason: '' },
    submit: (values) => call(advanceEndpoints.adjust, { body: { show_royaltor_id: values.show_royaltor_id!,
      amount_minor: values.amount_minor!, currency: values.currency!, on_date: values.on_date ?? '',
      reason: values.reason } }, { idempotencyKey: key }),
    onSaved: () => {
      toast('Correction entered; another person approves it');
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title="New correction" width={600}>
      <FormFrame form={form} aria-label="Correction">
        <AgreementSelect field={form.field('show_royaltor_id')}
          onCurrency={(currency) => form.set('currency', currency)} />
        <FormGrid>
          <MoneyField label="Amount" required allowNegative currency={form.values.currency ?? 'USD'}
            caption="Below zero takes back." {...form.field('amount_minor')} />
          <AsyncSelect label="Currency" required {...form.field('currency')}
            options={optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })} />
          <DateField label="Day" required {...form.field('on_date')} />
        </FormGrid>
        <TextField label="Reason" required {...form.field('reason')} caption="It is printed on the statement." />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Enter correction</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
