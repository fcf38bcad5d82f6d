/** One set of opening balances: what it brings, what is wrong with it, and its documents once it is posted. */
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Approvers } from '#web/data/approvers.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { KIND_LABELS, openingSetEndpoints, type OpeningControl, type OpeningLine, type OpeningSetDetail,
} from './opening-set.contract.ts';
import { SetActions } from './set-actions.web.tsx';
import { lineHref, SetBadge, SETS } from './set-words.web.tsx';
import styles from './opening.module.css';

export default function SetPage() {
  const id = useIdParam('setId');
  const read = useEndpoint(openingSetEndpoints.show, { params: { id } });
  const set = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !set) {
    return (
      <RecordProblem noun="set of opening balances" list={SETS} error={read.error}
        onRetry={() => void read.refetch()} />);
  }
  return (
    <>
      <PageHeader title={set ? KIND_LABELS[set.kind] : 'Opening balances'} back={SETS} waiting={!set}
        activity={set && { entity: 'opening_set', id: set.id }} badges={set && <SetBadge set={set} />}
        subtitle={set && [DIVISION_LABELS[set.division], `As of ${formatDay(set.as_of)}`, set.file_name]}>
        {set && <SetActions set={set} />}
      </PageHeader>
      {set ? <Body set={set} /> : (
        <PageContent record>{[420, 520, 380].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        </PageContent>)}
    </>
  );
}

/** Notes above the figures. */
function Notes({ set }: { set: OpeningSetDetail }) {
  const after = set.status === 'draft' && set.kind !== 'next_numbers'
    ? ` Once this set is posted: ${formatAmount(set.opening_after_minor, set.functional_currency)}.` : '';
  return (
    <div className={styles.stack}>
      {set.blocked !== null && <Callout tone="warn" title="Not ready to be posted">{set.blocked}</Callout>}
      {set.imbalances.map(({ currency, by_minor }) => (
        <Callout key={currency} tone="error" title={`Off in ${currency}`}>
          {`Debits and credits differ by ${formatAmount(Math.abs(by_minor), currency)} (too much ${
            by_minor > 0 ? 'debit' : 'credit'}).`}
        </Callout>))}
      {set.reversal_asked && (
        <Callout tone="info" title="Reversal requested">
          {`${set.reversal_asked_by_name ?? ''}: ${set.reversal_reason ?? ''}. `}
          <Approvers endpoint={approvalEndpoints.approvers} kind="opening_reversal"
            askedById={set.reversal_asked_by_id} />
        </Callout>)}
      {set.status === 'reversed' && (
        <Callout tone="info" title="Reversed">{set.reversal_reason}</Callout>)}
      {set.unused.length > 0 && set.status === 'draft' && (
        <Callout tone="info" title="Columns that are not read">{set.unused.join(', ')}</Callout>)}
      <Callout tone={set.opening_minor === 0 ? 'ok' : 'info'} title="Opening balances (3999)">
        {`The account has ${formatAmount(set.opening_minor, set.functional_currency)} in ${
          DIVISION_LABELS[set.division]}.${after} It must be zero before the first period is closed.`}
      </Callout>
    </div>
  );
}

function Body({ set }: { set: OpeningSetDetail }) {
  return (
    <PageContent record fullWidth>
      <Notes set={set} />
      {set.totals.length > 0 && (
        <Section title="Totals" description="By account and currency, debits positive.">
          <DataTable label="Totals of the set" variant="record" rows={set.totals} columns={totalColumns(set)}
            rowKey={(row) => `${row.account} ${row.currency} ${row.is_carried}`} empty={{ title: 'No amounts' }} />
        </Section>)}
      <Rows set={set} />
      {set.controls.length > 0 && (
        <Section title="Accounts with documents"
          description="The trial balance against the documents of the posted sets.">
          <DataTable label="Accounts with documents" variant="record" rows={set.controls}
            columns={controlColumns(set)} rowKey={(row) => row.account} empty={{ title: 'No accounts' }} />
        </Section>)}
      <Section title="About this set">
        <KeyValue facts={[
          set.created_by_name !== null && { label: 'Uploaded by',
            value: <>{set.created_by_name}, <DateText value={set.created_at} /></> },
          { label: 'Dates read as', value: set.date_format },
          { label: 'Decimals', value: set.decimal_style === 'comma' ? 'Comma' : 'Point' },
          set.posted_at !== null && { label: 'Posted by',
            value: <>{set.posted_by_name}, <DateText value={set.posted_at} /></> },
          set.transaction_id !== null && { label: 'Transaction', value: (
            <AppLink className="gr-link" href={`/admin/accounting/transactions/${set.transaction_id}`}>
              {`Transaction ${set.transaction_id}`}
            </AppLink>) },
          set.reversed_at !== null && { label: 'Reversed by',
            value: <>{set.reversed_by_name}, <DateText value={set.reversed_at} /></> },
        ]} />
      </Section>
    </PageContent>
  );
}

type Total = OpeningSetDetail['totals'][number];
const totalColumns = (set: OpeningSetDetail): readonly Column<Total>[] => [
  { id: 'account', header: 'Account', kind: 'title', cell: (row) => `${row.account} ${row.account_name}`, fixed: true,
    width: 260 },
  { id: 'lines', header: 'Rows', kind: 'number', cell: (row) => row.line_count, width: 80 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 140 },
  { id: 'base', header: `In ${set.functional_currency}`, kind: 'money', cell: (row) => BigInt(row.base_minor),
    width: 140, total: set.totals.reduce((all, row) => all + BigInt(row.base_minor), 0n) },
  ...(set.kind === 'ledger' ? [{ id: 'how', header: 'Posted on', kind: 'muted' as const, width: 220,
    cell: (row: Total) => (row.is_carried ? '3999, for its documents' : row.account) }] : []),
];

const controlColumns = (set: OpeningSetDetail): readonly Column<OpeningControl>[] => [
  { id: 'account', header: 'Account', kind: 'title', cell: (row) => `${row.account} ${row.account_name}`, fixed: true,
    width: 260 },
  { id: 'kind', header: 'Brought by', kind: 'muted', cell: (row) => KIND_LABELS[row.kind], width: 150 },
  { id: 'trial', header: 'Trial balance', kind: 'money', width: 140,
    cell: (row) => (row.trial_minor === null ? null : BigInt(row.trial_minor)) },
  { id: 'documents', header: 'Documents', kind: 'money', cell: (row) => BigInt(row.documents_minor), width: 140 },
  { id: 'difference', header: `Difference, ${set.functional_currency}`, kind: 'money',
    cell: (row) => BigInt(row.difference_minor), width: 150 },
];

const problemFilter = [{ name: 'has_problems', label: 'Rows',
  options: [{ value: 'true', label: 'With errors' }, { value: 'false', label: 'Without errors' }] }];

function Rows({ set }: { set: OpeningSetDetail }) {
  const list = useList(openingSetEndpoints.lines, { params: { id: set.id } },
    { filters: ['has_problems'], perPage: 50, views: false });
  const columns: readonly Column<OpeningLine>[] = [
    { id: 'row', header: 'Row', kind: 'code', cell: (row) => row.row_no, width: 70, fixed: true },
    { id: 'label', header: 'Contents', kind: 'title', width: 300, cell: (row) => <Brings row={row} /> },
    ...(set.problem_count > 0 ? [{ id: 'problems', header: 'Error', width: 360,
      cell: (row: OpeningLine) => <Problems row={row} /> }] : []),
    { id: 'account', header: 'Account', kind: 'code', cell: (row) => row.account, width: 90 },
    { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
    { id: 'amount', header: 'Amount', kind: 'money', width: 130,
      cell: (row) => (row.amount_minor === null ? null : BigInt(row.amount_minor)) },
    { id: 'base', header: `In ${set.functional_currency}`, kind: 'money', width: 130,
      cell: (row) => (row.base_minor === null ? null : BigInt(row.base_minor)) },
    { id: 'cells', header: 'As sent', kind: 'muted', hidden: set.problem_count === 0, width: 320,
      cell: (row) => row.cells.filter((cell) => cell !== '').join(' | ') },
  ];
  return (
    <Section title="Rows" count={set.row_count}>
      <DataTable label="Rows of the set" variant="record" {...list} columns={columns} rowKey={(row) => row.id}
        filters={set.problem_count > 0 ? problemFilter : []} searchPlaceholder="Any text of a row"
        empty={{ title: 'No rows', text: 'No row has these words.' }} />
    </Section>
  );
}

function Brings({ row }: { row: OpeningLine }) {
  const href = lineHref(row);
  const text = row.label || row.cells.find((cell) => cell !== '') || `Row ${row.row_no}`;
  return href === null ? text : <AppLink className="gr-link" href={href}>{text}</AppLink>;
}

function Problems({ row }: { row: OpeningLine }) {
  return row.problems.map((problem) => (
    <span key={`${problem.field ?? ''}${problem.text}`} className={styles.problem}>
      {problem.column === null ? problem.text : `${problem.column}: ${problem.text}`}
    </span>));
}
