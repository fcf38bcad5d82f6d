/** One check: what it says and pays, its printings, and what can happen to it; its activity. */
import { useState, type ReactNode } from 'react';
import { spell } from '#kernel/text/english.ts';
import { ActivityLog } from '#web/data/activity-log.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { CHECKING, PAYABLES } from '../payables-tabs.ts';
import { CheckActions } from './check-actions.web.tsx';
import { checkEndpoints, type CheckDetail } from './check.contract.ts';
import { checkName, stateBadge } from './check-words.web.tsx';

function CheckFrame({ children }: { children: (row: CheckDetail) => ReactNode }) {
  const id = useIdParam('checkId');
  const read = useEndpoint(checkEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun={spell`check`} list={CHECKING} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  const tabs = ['information', 'activity'].map((name) => ({ id: name,
    text: name === 'information' ? 'Information' : 'Activity', href: `${CHECKING}/${id}/${name}` }));
  return (
    <>
      <PageHeader title={row ? checkName(row) : spell`Check`} back={CHECKING} waiting={!row} tabs={tabs}
        badges={row && stateBadge(row)}
        subtitle={row && [row.payee, formatAmount(row.amount_minor, row.currency), row.bank_account]}>
        {row && <CheckActions row={row} />}
      </PageHeader>
      <PageContent record>
        {row ? children(row) : [240, 420].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

export function CheckActivity() {
  return <CheckFrame>{(row) => <Activity id={row.id} />}</CheckFrame>;
}

function Activity({ id }: { id: number }) {
  const [page, setPage] = useState(1);
  const read = useEndpoint(checkEndpoints.activity, { params: { id }, query: { page } });
  return <ActivityLog read={read} page={page} onPage={setPage} />;
}

type Part = CheckDetail['parts'][number];
const columns: readonly Column<Part>[] = [
  { id: 'description', header: 'Document', kind: 'title', cell: (row) => row.description, fixed: true, width: 300 },
  { id: 'opened_on', header: 'Date', kind: 'date', cell: (row) => row.opened_on, width: 120 },
  { id: 'discount', header: 'Discount', kind: 'money', cell: (row) => row.discount_minor > 0
    ? BigInt(row.discount_minor) : null, width: 120 },
  { id: 'amount', header: 'Paid', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
];

export function CheckInformation() {
  return <CheckFrame>{(row) => <Information row={row} />}</CheckFrame>;
}

const link = (of: { id: number; check_number: string }) =>
  <AppLink href={`${CHECKING}/${of.id}/information`} className="gr-link">{of.check_number}</AppLink>;

function Information({ row }: { row: CheckDetail }) {
  return (
    <>
      {row.end_reason !== null && (
        <Callout tone="info" title={formatDay(row.ended_on)}>{row.end_reason}</Callout>
      )}
      <Section title={spell`Check`}>
        <KeyValue columns={2} facts={[
          { label: 'Payee', value: row.payee || 'Blank form' },
          row.withheld_minor > 0 && { label: 'Gross', value: formatAmount(row.amount_minor + row.withheld_minor,
            row.currency) },
          row.withheld_minor > 0 && { label: 'Backup withholding', value: formatAmount(row.withheld_minor,
            row.currency) },
          { label: 'Amount', value: formatAmount(row.amount_minor, row.currency) },
          row.payee_lines.length > 0 && { label: 'Address', value: row.payee_lines.join(', ') },
          row.checked_on !== null && { label: 'Date', value: formatDay(row.checked_on) },
          row.memo !== '' && { label: 'Memo', value: row.memo },
          row.payment_number !== null && { label: 'Payment', value: <AppLink className="gr-link"
            href={`${PAYABLES}/payments/${row.payment_id}`}>{row.payment_number}</AppLink> },
          row.is_handwritten && { label: 'Written by hand', value: `Number ${row.written_number}` },
          row.cleared_on !== null && { label: 'Cleared', value: formatDay(row.cleared_on) },
          row.replaces !== null && { label: 'Replaces', value: link(row.replaces) },
          row.replaced_by !== null && { label: 'Replaced by', value: link(row.replaced_by) },
        ]} />
      </Section>
      <Section title="Paid documents">
        <DataTable label="Paid documents" columns={columns} rows={row.parts}
          rowKey={(part) => part.open_item_id ?? part.description}
          variant="record" empty={{ title: 'No documents', text: spell`This check names no document.` }} />
      </Section>
      {row.printings.length > 0 && (
        <Section title="Printed">
          <ul>
            {row.printings.map((one) => (
              <li key={one.printed_at}>
                {[formatDay(one.printed_at), one.printed_by_name, one.reason].filter(Boolean).join(', ')}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
