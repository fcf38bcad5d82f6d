/** Periods of a division by year; closing and reopening one takes two persons. */
import { useState } from 'react';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { bookPeriodInWords } from '#kernel/calendar/calendar.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Approvers } from '#web/data/approvers.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { closeChecklistEndpoints, type CloseItem } from '#modules/closing/close-checklist.contract.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { periodEndpoints } from './period.contract.ts';
import { FiscalYears } from './year-end.web.tsx';

type Period = ResponseOf<typeof periodEndpoints.list>['data'][number];
const STATE = { open: ['Open', 'ok'], soft_locked: ['Locked', 'warn'], closed: ['Closed', 'neutral'] } as const;

const nameOf = ({ period }: Pick<Period, 'period'>): string => bookPeriodInWords(period);

const THIS_YEAR = new Date().getFullYear();
const YEARS = Array.from({ length: 8 }, (_, k) => ({ value: THIS_YEAR - 5 + k, label: String(THIS_YEAR - 5 + k) }));

export default function Periods() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const year = Number(values.get('year') ?? THIS_YEAR);
  const read = useEndpoint(periodEndpoints.list, { query: { division, year } });
  const columns: readonly Column<Period>[] = [
    {
      id: 'period',
      header: 'Period',
      kind: 'title',
      fixed: true,
      width: 150,
      cell: nameOf,
    },
    { id: 'starts', header: 'From', kind: 'date', cell: (row) => row.starts, width: 120 },
    { id: 'ends', header: 'To', kind: 'date', cell: (row) => row.ends, width: 120 },
    {
      id: 'state',
      header: 'Status',
      kind: 'badge',
      width: 110,
      cell: (row) => (
        <Badge tone={STATE[row.state][1]} small>
          {STATE[row.state][0]}
        </Badge>
      ),
    },
    {
      id: 'by',
      header: 'Closed by',
      kind: 'muted',
      width: 240,
      cell: (row) =>
        row.closed_by_name
          ? `${row.closed_by_name}, confirmed by ${row.confirmed_by_name}`
          : row.requested_by_name
            ? (
              <>
                {`${row.requested_by_name} asked to ${row.requested_state === 'closed' ? 'close' : 'reopen'} it. `}
                <Approvers endpoint={approvalEndpoints.approvers} askedById={row.requested_by_id}
                  kind={row.requested_state === 'closed' ? 'period_close' : 'period_reopen'} />
              </>
            )
            : null,
    },
    { id: 'act', header: 'Action', kind: 'actions', cell: (row) => <PeriodAction row={row} /> },
  ];
  return (
    <>
      <PageHeader title="Periods" division tabs={accountingTabs(may)}
        subtitle="Two people are needed to close or reopen a period" />
      <DataTable label="Periods" columns={columns} rows={read.data?.data} rowKey={(row) => row.id} error={read.error}
        onRetry={() => void read.refetch()} empty={{ title: `No periods in ${year}`,
          text: 'They are made with the first posting of the year.' }}
        tools={<AsyncSelect label="Year" hideLabel value={year} options={YEARS}
          onChange={(chosen) => set({ year: chosen === null ? null : String(chosen) })} />} />
      <FiscalYears division={division} />
    </>
  );
}

const OWN = 'You asked for this. Someone else must confirm it.';

interface MonthChecks { open: readonly CloseItem[]; earlier: CloseItem | undefined }

/** Checks of the month that are to be done, and the earlier months that stay open; months of adjustments have none. */
function useOpenChecks(row: Period, enabled: boolean): MonthChecks {
  const read = useEndpoint(closeChecklistEndpoints.read, { query: { division: row.division, period: row.period } },
    { enabled: enabled && row.period % 100 <= 12, staleTime: 0 });
  const items = read.data?.data.items ?? [];
  return { open: items.filter((item) => item.state === 'open'),
    earlier: items.find((item) => item.key === 'earlier' && item.state !== 'done') };
}

function CloseText({ checks: { open, earlier }, asks, note, onNote }: { checks: MonthChecks; asks: boolean;
  note: string; onNote: (text: string) => void }) {
  return (
    <>
      <p>A closed period takes no postings. Another person has to confirm.</p>
      {earlier && <p>{`${earlier.detail}.`}</p>}
      {open.length > 0 && <p>{`${open.length === 1 ? '1 check is' : `${open.length} checks are`} open:`}</p>}
      {open.length > 0 && (
        <ul>{open.map((item) => <li key={item.key}>{`${item.title}: ${item.detail}`}</li>)}</ul>)}
      {open.length > 0 && asks && (
        <TextField label="Reason to close all the same" required value={note} onChange={onNote} maxLength={500} />)}
    </>
  );
}

/** Closing asks for the name of the period, reopening for a reason. */
export function PeriodAction({ row }: { row: Period }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const closing = row.state !== 'closed';
  const close = useAction(periodEndpoints.close, { done: ({ data }) => data.state === 'closed' ? 'Period closed'
    : 'Request sent: another person has to confirm it' });
  const reopen = useAction(periodEndpoints.reopen, { done: ({ data }) => data.state === 'closed'
    ? 'Request sent: another person has to confirm it' : 'Period open again' });
  const [note, setNote] = useState('');
  const checks = useOpenChecks(row, asking && closing);
  const asks = row.requested_state !== 'closed';
  if (!may('transaction.update')) return null;
  const mine = row.requested_by_id !== null && row.requested_by_id === user?.id;
  const verb = closing ? 'Close' : 'Reopen';
  const label = row.requested_state ? `Confirm: ${verb.toLowerCase()}` : verb;
  const run = () => {
    const params = { period: row.period };
    const body = { division: row.division, version: row.version,
      ...(row.request_id !== null && { request_id: row.request_id }) };
    return closing ? close.run({ params, body: { ...body, note } }) : reopen.run({ params, body: { ...body, reason } });
  };
  return (
    <>
      <Button
        size="small"
        pending={close.pending || reopen.pending}
        onClick={() => setAsking(true)}
        reason={mine ? OWN : undefined}
      >
        {label}
      </Button>
      {row.request_id !== null && (
        <DeclineButton endpoint={periodEndpoints.decline} params={{ id: row.request_id }} body={{}}
          title={`${verb} ${nameOf(row)} of ${row.division}`} reason={mine ? OWN : undefined}
          refresh={[periodEndpoints.list, approvalEndpoints.list]}
          text="The period stays as it is. The person who asked sees the reason." />)}
      <ConfirmDialog open={asking && closing} title={`Close ${nameOf(row)} of ${row.division}?`} confirm={label}
        text={<CloseText checks={checks} asks={asks} note={note} onNote={setNote} />} typed={nameOf(row)}
        held={checks.open.length > 0 && asks && note.trim() === '' ? 'Enter the reason first' : undefined}
        onCancel={() => setAsking(false)} onConfirm={() => { setAsking(false); void run(); }} />
      <Modal
        open={asking && !closing}
        title={`Reopen ${nameOf(row)} of ${row.division}?`}
        onClose={() => setAsking(false)}
        footer={
          <Button
            variant="primary"
            reason={reason === '' ? 'Say why first' : undefined}
            onClick={() => {
              setAsking(false);
              void run();
            }}
          >
            {label}
          </Button>
        }
      >
        <p>Postings into this period become possible again. Another person has to confirm.</p>
        <TextField label="Reason" required value={reason} onChange={setReason} />
      </Modal>
    </>
  );
}
