/** Prenotes that were sent, with the answer of each payee's bank. */
import { lazy, Suspense, useState } from 'react';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { payablesTabs } from '../payables-tabs.ts';
import { Corrections } from './corrections.web.tsx';
import { prenoteEndpoints, type PrenoteRow } from './prenote.contract.ts';

const NewPrenotes = lazy(() => import('./new-prenotes.web.tsx'));
const PrenoteAnswer = lazy(() => import('./prenote-answer.web.tsx'));
const PrenoteReturn = lazy(() => import('./prenote-return.web.tsx'));

const STATES = { pending: 'Pending', cleared: 'Cleared', returned: 'Returned' } as const;
const TONES: Readonly<Record<PrenoteRow['state'], Tone>> = { pending: 'brass', cleared: 'ok', returned: 'error' };
const PARTIES = { vendor: 'Vendor', customer: 'Customer', royaltor: 'Royaltor' } as const;
const PLACES = { vendor: '/admin/vendors', customer: '/admin/customers', royaltor: '/admin/royaltors' } as const;

function columnsOf(onReturn: ((row: PrenoteRow) => void) | null): readonly Column<PrenoteRow>[] {
  return [
    { id: 'payee', header: 'Payee', kind: 'title', cell: (row) => row.payee, fixed: true, width: 220 },
    { id: 'account', header: 'Account', kind: 'code', cell: (row) => `…${row.last4}`, width: 90 },
    { id: 'state', header: 'Status', kind: 'badge', width: 110,
      cell: (row) => <Badge small tone={TONES[row.state]}>{STATES[row.state]}</Badge> },
    { id: 'sent_on', header: 'Settles', kind: 'date', cell: (row) => row.sent_on, sort: true, width: 120 },
    { id: 'clears_on', header: 'Clears', kind: 'date', cell: (row) => row.clears_on, sort: true, width: 120 },
    { id: 'returned_on', header: 'Returned', kind: 'date', cell: (row) => row.returned_on, width: 120 },
    { id: 'note', header: 'Note', kind: 'muted', width: 240, cell: (row) => row.reason
      ?? (row.is_outdated ? 'The bank details were changed since' : '') },
    { id: 'bank_account', header: 'Bank account', kind: 'muted', cell: (row) => row.bank_account, width: 180 },
    { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => PARTIES[row.party_type], width: 100 },
    { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 110 },
    { id: 'file', header: 'File', kind: 'muted', cell: (row) => row.file_name, width: 220 },
    { id: 'written_by', header: 'Written by', kind: 'muted', cell: (row) => row.created_by_name, width: 150,
      hidden: true },
    { id: 'number', header: 'Entry', kind: 'code', cell: (row) => row.number, width: 140, hidden: true },
    { id: 'actions', header: 'Actions', kind: 'actions', width: 80, cell: (row) => onReturn !== null && (
      <ActionMenu label={`Actions of the prenote to ${row.payee}`} actions={[
        { label: 'Download the file', onSelect: () => {
          window.location.assign(`/api/admin/staff/accounting/ach_files/${row.ach_file_id}/file`);
        } },
        ...(row.state === 'returned' ? [] : [{ label: 'Record a return', onSelect: () => onReturn(row) }])]} />) },
  ];
}

const filters = [
  { name: 'state', label: 'Status', options: optionsOf(STATES) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
];

export default function PrenoteList() {
  const may = useMay();
  const [doing, setDoing] = useState<'new' | 'answer' | PrenoteRow | null>(null);
  const list = useList(prenoteEndpoints.list, {}, { filters: ['state', 'division', 'bank_account_id'] });
  const writes = may('payment.create');
  const end = () => setDoing(null);
  const add = writes && <Button variant="primary" onClick={() => setDoing('new')}>New prenote file</Button>;
  return (
    <>
      <PageHeader title="Prenotes" subtitle="Test entries to new bank details, before the first ACH payment"
        tabs={payablesTabs(may)}>
        {writes && <Button onClick={() => setDoing('answer')}>Upload the bank’s answer</Button>}
        {add}
      </PageHeader>
      <Corrections />
      <DataTable label="Prenotes" {...list} columns={columnsOf(writes ? setDoing : null)} filters={filters}
        rowKey={(row) => row.id} searchPlaceholder="Payee or entry"
        rowHref={(row) => (may(`${row.party_type}.show`) ? `${PLACES[row.party_type]}/${row.party_id}` : undefined)}
        empty={{ title: 'No prenotes yet', text: 'Once the bank details of a payee are verified, send a prenote: an '
          + 'ACH entry without an amount. If the account does not exist, its bank returns the entry within three '
          + 'banking days.', action: add || undefined }} />
      <Suspense fallback={null}>
        {doing === 'new' && <NewPrenotes onClose={end} />}
        {doing === 'answer' && <PrenoteAnswer onClose={end} />}
        {doing !== null && typeof doing === 'object' && <PrenoteReturn row={doing} onClose={end} />}
      </Suspense>
    </>
  );
}
