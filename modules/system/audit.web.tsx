/** The audit trail: who did what, when, from where, before and after, on whose behalf; its chain is checked here. */
import { CircleCheck, Link2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Columns } from '#web/layout/page-content.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { systemEndpoints, type AuditRow } from './system.contract.ts';
import { SystemHead } from './system-head.web.tsx';
import styles from './system.module.css';

const plain = (text: string): string => text.replaceAll('_', ' ');

const columns: readonly Column<AuditRow>[] = [
  { id: 'created_at', header: 'When', kind: 'date', sort: true, width: 180, cell: (row) => row.created_at },
  { id: 'actor', header: 'Who', kind: 'title', fixed: true, width: 170, cell: (row) => row.actor ?? 'Automatic' },
  { id: 'on_behalf_of', header: 'On behalf of', kind: 'muted', width: 150, cell: (row) => row.on_behalf_of },
  { id: 'action', header: 'Did', width: 130, cell: (row) => plain(row.action) },
  { id: 'entity', header: 'What', kind: 'muted', width: 190,
    cell: (row) => `${plain(row.entity)}${row.entity_id === null ? '' : ` ${row.entity_id}`}` },
  { id: 'changes', header: 'Changed', kind: 'muted', width: 260,
    cell: (row) => row.changes.slice(0, 4).map((one) => plain(one.field)).join(', ') },
  { id: 'ip', header: 'From', kind: 'code', width: 120, cell: (row) => row.ip },
];

const RECORDS = ['license', 'license_application', 'invoice', 'payment', 'customer', 'user', 'show', 'venue',
  'transaction', 'royalty_statement', 'division', 'house_setting'];
const filters = [
  { name: 'entity', label: 'Record', options: RECORDS.map((value) => ({ value, label: plain(value) })) },
  { name: 'from', label: 'Day', verb: 'from', kind: 'date' as const },
  { name: 'to', label: 'Last day', kind: 'date' as const },
];
const ASKED = ['entity', 'entity_id', 'action', 'actor_id', 'from', 'to'];

export default function AuditPage() {
  const list = useList(systemEndpoints.audit, {}, { filters: ASKED });
  const [open, setOpen] = useState<number | null>(null);
  const event = list.rows?.find((row) => row.id === open);
  const verify = useAction(systemEndpoints.verifyAudit);
  const [result, setResult] = useState<ResponseOf<typeof systemEndpoints.verifyAudit>['data'] | null>(null);
  return (
    <>
      <SystemHead title="Audit" here="/audit"
        subtitle="Every change, with both names where somebody acted for a customer">
        <Button pending={verify.pending} onClick={() => void verify.run({}).then((answer) =>
          setResult(answer?.data ?? null))}>Verify the chain</Button>
      </SystemHead>
      {result && <Verdict result={result} onClose={() => setResult(null)} />}
      <Columns side={event && <EventDrawer key={event.id} event={event} onClose={() => setOpen(null)} />}>
        <DataTable label="Audit" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
          onOpen={(row) => setOpen(row.id)} current={open} searchPlaceholder="Person, action, record, address"
          empty={{ title: 'Nothing was recorded yet' }} />
      </Columns>
    </>
  );
}

type Result = ResponseOf<typeof systemEndpoints.verifyAudit>['data'];

function Verdict({ result, onClose }: { result: Result; onClose: () => void }) {
  const whole = result.breaks.length === 0;
  const count = result.linked.toLocaleString('en-US');
  return (
    <Callout tone={whole ? 'ok' : 'error'} live
      action={<Button size="small" variant="quiet" onClick={onClose}>Close</Button>}
      title={whole ? `The chain is whole: ${count} events, each linked to the one before it`
        : `The chain is broken in ${result.breaks.length} places`}>
      {!whole && <pre className={styles.broken}>{result.breaks.map((one) =>
        `event ${one.audit_event_id}: ${one.problem}`).join('\n')}</pre>}
    </Callout>
  );
}

function EventDrawer({ event, onClose }: { event: AuditRow; onClose: () => void }) {
  return (
    <Drawer open width={460} onClose={onClose} title={`${plain(event.action)}, ${plain(event.entity)}${
      event.entity_id === null ? '' : ` ${event.entity_id}`}`}>
      <div className={styles.stack}>
        <KeyValue layout="rows" facts={[
          { label: 'Who', value: event.actor ?? 'Automatic' },
          event.on_behalf_of !== null && { label: 'On behalf of', value: event.on_behalf_of },
          { label: 'When', value: <DateText value={event.created_at} /> },
          event.ip !== null && { label: 'From', value: <CodeText>{event.ip}</CodeText> },
          event.request_id !== null && { label: 'Request', value: <CodeText>{event.request_id}</CodeText> },
          { label: 'Chain', value: event.linked ? <Badge tone="ok" icon={Link2} small>Linked</Badge>
            : <Badge tone="outline" small>Linked within a minute</Badge> },
          event.erased && { label: 'Person', value: <Badge tone="warn" icon={TriangleAlert} small>Erased</Badge> },
        ]} />
        {event.changes.length === 0
          ? <p><CircleCheck size={15} aria-hidden="true" /> No fields are recorded with this event.</p>
          : (
            <table className={styles.changes}>
              <thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
              <tbody>{event.changes.map((one) => (
                <tr key={one.field}><th scope="row">{plain(one.field)}</th>
                  <td>{one.before && <del>{one.before}</del>}</td><td>{one.after && <ins>{one.after}</ins>}</td></tr>
              ))}</tbody>
            </table>
          )}
      </div>
    </Drawer>
  );
}
