/** Reconciling a bank account: choose it, begin with a statement, tick to zero, finish. Keys for all of it. */
import { useState } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { bankAccountLabel } from '../bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { bankingTabs, RECONCILIATION } from '../banking-tabs.ts';
import { reconciliationEndpoints, type ReconciliationRow, type ReconciliationWork } from './reconciliation.contract.ts';
import { StartForm } from './reconciliation-dialogs.web.tsx';
import { reconciliationBadge } from './reconciliation-words.web.tsx';
import { Finish, Work } from './reconciliation-work.web.tsx';

export default function ReconciliationPage() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const options = useEndpoint(bankAccountEndpoints.options, { query: {} });
  const accounts = options.data?.data ?? [];
  const chosen = Number(values.get('bank_account_id')) || accounts[0]?.id || null;
  const read = useEndpoint(reconciliationEndpoints.work, { query: { bank_account_id: chosen ?? 0 } },
    { enabled: chosen !== null });
  const work = read.data?.data.account.id === chosen ? read.data.data : undefined;
  if (read.isError && !work) {
    return <RecordProblem noun="bank account" list={RECONCILIATION} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  const row = work?.reconciliation ?? null;
  return (
    <>
      <PageHeader title="Reconciliation" tabs={bankingTabs(may)} subtitle={work && subtitleOf(work)}
        waiting={options.isPending || (chosen !== null && !work)}
        badges={work?.figures && <DifferenceBadge work={work} />}>
        {work && row && may('bank_transaction.update') && <Finish work={work} row={row} />}
      </PageHeader>
      <PageContent fullWidth>
        <AsyncSelect<number> label="Bank account" value={chosen}
          options={accounts.map((one) => ({ value: one.id, label: bankAccountLabel(one),
            children: `${one.division} ${one.currency}` }))}
          onChange={(id) => set({ bank_account_id: id === null ? null : String(id) })} />
        {options.data && accounts.length === 0 && (
          <Callout tone="info" title="No bank accounts yet">Add one under Banking, Bank accounts.</Callout>
        )}
        {chosen !== null && !work && [240, 420].map((width) => (
          <p key={width}><Skeleton width={width} height={16} /></p>))}
        {work && row && <Work key={row.id} work={work} row={row} mayWork={may('bank_transaction.update')} />}
        {work && !row && <Begin key={work.account.id} work={work} />}
        {work && <Earlier key={`earlier ${work.account.id}`} accountId={work.account.id} />}
      </PageContent>
    </>
  );
}

/** In the header, which stays in view. */
function DifferenceBadge({ work }: { work: ReconciliationWork }) {
  const { difference_minor: difference } = work.figures!;
  return (
    <Badge tone={difference === 0 ? 'ok' : 'error'}>
      {`Difference ${formatAmount(difference, work.account.currency)}`}
    </Badge>
  );
}

function subtitleOf({ account, reconciliation, figures }: ReconciliationWork): string[] {
  if (!reconciliation || !figures) {
    return [account.reconciled_to_on === null ? 'Not reconciled yet'
      : `Reconciled through ${formatDay(account.reconciled_to_on)}`];
  }
  const all = figures.matched_count + figures.unmatched_count;
  return [`Through ${formatDay(reconciliation.to_on)}`, `${figures.matched_count} of ${all} bank lines matched`];
}

function Begin({ work }: { work: ReconciliationWork }) {
  const may = useMay();
  const [open, setOpen] = useState(true);
  if (!may('bank_transaction.update')) return <Callout tone="info">No reconciliation is in progress.</Callout>;
  return (
    <Section title="Start a reconciliation" description={work.statements.length === 0
      ? 'No imported statement with a closing balance is waiting. Import one, or enter the balance on paper.'
      : 'Choose the statement. Its closing balance is compared with what the ledger has cleared.'}>
      {open && <StartForm work={work} onDone={() => setOpen(false)} />}
    </Section>
  );
}

const columns: readonly Column<ReconciliationRow>[] = [
  { id: 'to_on', header: 'Through', kind: 'title', cell: (row) => formatDay(row.to_on), sort: true, fixed: true,
    width: 150 },
  { id: 'statement', header: 'Statement', kind: 'code', cell: (row) => row.statement_number ?? '', width: 140 },
  { id: 'opening', header: 'Opening balance', kind: 'money', cell: (row) => BigInt(row.opening_minor), width: 150 },
  { id: 'closing', header: 'Closing balance', kind: 'money', cell: (row) => BigInt(row.closing_minor), width: 150 },
  { id: 'finished', header: 'Finished by', kind: 'muted', cell: (row) => row.finished_by_name ?? '', width: 180 },
  { id: 'state', header: 'Status', kind: 'badge', cell: (row) => reconciliationBadge(row, true), width: 130 },
];

function Earlier({ accountId }: { accountId: number }) {
  const may = useMay();
  const list = useList(reconciliationEndpoints.list, { query: { bank_account_id: accountId } },
    { prefix: 'r_', perPage: 25, views: false });
  return (
    <Section title="Reconciliations">
      <DataTable label="Reconciliations" {...list} columns={columns} rowKey={(row) => row.id} variant="record"
        searchable={false}
        rowHref={(row) => (may('bank_transaction.show') ? `${RECONCILIATION}/${row.id}` : undefined)}
        empty={{ title: 'None yet', text: 'Finished reconciliations of this account and their reports.' }} />
    </Section>
  );
}
