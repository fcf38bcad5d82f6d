/** Everything that waits for the reader's approval, with the buttons that decide. */
import { useState } from 'react';
import type { CallArgs } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DeclineButton, VerifyForm } from '#web/controls/button/decline-button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { APPROVAL_CALLS } from './approval-kinds.contract.ts';
import { APPROVAL_KINDS, approvalEndpoints, type ApprovalKind, type ApprovalRow } from './approval.contract.ts';
import styles from './approvals.module.css';

const KIND_LABELS = Object.fromEntries(APPROVAL_KINDS.map((kind) => [kind, APPROVAL_CALLS[kind].label])) as
  Record<ApprovalKind, string>;

const columns: readonly Column<ApprovalRow>[] = [
  { id: 'title', header: 'Request', kind: 'title', cell: (row) => row.title, fixed: true, width: 250 },
  { id: 'detail', header: 'Details', kind: 'muted', cell: (row) => row.blocked ?? row.detail, width: 240 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => KIND_LABELS[row.kind], sort: true, width: 140,
    hideLast: true },
  { id: 'division', header: 'Division', kind: 'code', cell: (row) => row.division, width: 72 },
  { id: 'asked_by_name', header: 'Requested by', kind: 'muted', cell: (row) => row.asked_by_name, width: 130 },
  { id: 'asked_at', header: 'Requested on', kind: 'date', cell: (row) => row.asked_at, sort: true, width: 120 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'amount_minor', header: 'Amount', kind: 'money', cell: (row) => row.amount_minor, sort: true, width: 120 },
  { id: 'actions', header: 'Decision', kind: 'actions', cell: (row) => <Decision key={row.id} row={row} />,
    width: 190 },
];
const filters = [
  { name: 'kind', label: 'Kind', options: optionsOf(KIND_LABELS) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
];

export default function Approvals() {
  const list = useList(approvalEndpoints.list, {}, { filters: ['kind', 'division'] });
  return (
    <>
      <PageHeader title="Approvals"
        subtitle="Requests that need your approval. Your own requests go to someone else." />
      <DataTable label="Approvals" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => row.href ?? undefined} searchPlaceholder="Request, details or name"
        empty={{ title: 'Nothing to approve',
          text: 'You’ll get a notification when someone needs your approval.' }} />
    </>
  );
}

/** As a call takes them; a call without a body gets none. */
function argsOf(row: ApprovalRow, body: Readonly<Record<string, unknown>>): CallArgs<AnyEndpoint> {
  // Each kind of approval has its own call; the row was answered for exactly this one.
  return { params: row.params, body: Object.keys(body).length > 0 ? body : undefined } as never;
}

function Decision({ row }: { row: ApprovalRow }) {
  const calls = APPROVAL_CALLS[row.kind];
  const [asking, setAsking] = useState(false);
  const approve = useAction(calls.approve, { refresh: [approvalEndpoints.list, calls.approve],
    done: `${calls.done}: ${row.title}` });
  const run = () => void approve.run(argsOf(row, row.approve_body)).then(() => setAsking(false));
  return (
    <span className={styles.decision}>
      <Button size="small" variant="primary" pending={approve.pending} reason={row.blocked ?? undefined}
        onClick={() => (calls.question ? setAsking(true) : run())}>{calls.verb}</Button>
      <DeclineButton endpoint={calls.decline} params={row.params} body={row.decline_body} field={calls.reason}
        label={calls.declineVerb} title={row.title} text={calls.declineText} refresh={[approvalEndpoints.list]} />
      {asking && calls.takesNote && (
        <VerifyForm endpoint={calls.approve} params={row.params} body={row.approve_body} title={row.title}
          text={calls.question ?? ''} refresh={[approvalEndpoints.list]} onClose={() => setAsking(false)} />
      )}
      <ConfirmDialog open={asking && !calls.takesNote} pending={approve.pending} onCancel={() => setAsking(false)}
        title={`${calls.verb}: ${row.title}?`} confirm={calls.verb}
        text={[row.detail, calls.question].filter(Boolean).join('. ')} onConfirm={run} />
    </span>
  );
}
