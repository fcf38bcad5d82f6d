/** Balances between divisions by the books of each, and lines that have no other side. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { ReportDates, useReportDates } from '../report/report-parts.web.tsx';
import { INTERCOMPANY, journalHref } from './intercompany-words.web.tsx';
import { intercompanyEndpoints, type IntercompanyBalances, type IntercompanyPair, type UnmatchedLine }
  from './intercompany.contract.ts';

const pairColumns: readonly Column<IntercompanyPair>[] = [
  { id: 'pair', header: 'Divisions', kind: 'title', fixed: true, width: 220,
    cell: (row) => `${DIVISION_LABELS[row.other]} owes ${DIVISION_LABELS[row.division]}` },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'balance', header: 'Due from', kind: 'money', cell: (row) => BigInt(row.balance_minor), width: 130 },
  { id: 'other_balance', header: 'Due to', kind: 'money', cell: (row) => BigInt(row.other_balance_minor), width: 130 },
  { id: 'difference', header: 'Difference', kind: 'money', cell: (row) => BigInt(row.difference_minor), width: 130 },
  { id: 'agrees', header: 'Status', kind: 'badge', width: 110, cell: (row) => (
    <Badge tone={row.difference_minor === 0 ? 'ok' : 'warn'} small>
      {row.difference_minor === 0 ? 'Agrees' : 'Differs'}
    </Badge>) },
  { id: 'base', header: 'Due from, books', kind: 'text', width: 150,
    cell: (row) => formatAmount(row.base_minor, row.division_currency) },
  { id: 'other_base', header: 'Due to, books', kind: 'text', width: 150,
    cell: (row) => formatAmount(row.other_base_minor, row.other_currency) },
  { id: 'exchange', header: 'Exchange difference, USD', kind: 'money', width: 190,
    cell: (row) => (row.exchange_minor === null ? null : BigInt(row.exchange_minor)) },
];

const lineColumns: readonly Column<UnmatchedLine>[] = [
  { id: 'date', header: 'Date', kind: 'date', cell: (row) => row.transaction_at, width: 120 },
  { id: 'description', header: 'Description', kind: 'title', fixed: true, width: 260,
    cell: (row) => row.description || `Transaction ${row.transaction_id}` },
  { id: 'division', header: 'Books of', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 110 },
  { id: 'other', header: 'Against', kind: 'muted', cell: (row) => DIVISION_LABELS[row.other], width: 110 },
  { id: 'account', header: 'Account', kind: 'code', cell: (row) => row.account, width: 80 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
];

function Tables({ data }: { data: IntercompanyBalances }) {
  const readPairs = useLoadedRows(data.pairs);
  const readLines = useLoadedRows(data.unmatched);
  const rateless = data.pairs.some((row) => row.exchange_minor === null);
  return (
    <>
      {data.pairs.length > 0 && (
        <Callout tone={data.agrees && !rateless ? 'info' : 'warn'}
          title={data.agrees ? 'Both sets of books agree on every balance' : 'Balances differ'}>
          {[!data.agrees && 'Lines that only one division has are listed below.', rateless
            && `Enter the exchange rates to USD for ${formatDay(data.as_of)} to see the exchange difference.`]
            .filter(Boolean).join(' ')}
        </Callout>
      )}
      <DataTable label="Balances between divisions" variant="record" columns={pairColumns} rows={data.pairs}
        readPage={readPairs} rowKey={(row) => `${row.division} ${row.other} ${row.currency}`} searchable={false}
        empty={{ title: 'No balances between divisions', text: 'No division owed another anything on this date.' }} />
      <Section title="Unmatched lines" count={data.unmatched.length + data.more_unmatched}
        description="Posted in one division only.">
        <DataTable label="Unmatched lines" variant="record" columns={lineColumns} rows={data.unmatched}
          readPage={readLines} rowKey={(row) => row.id} searchable={false}
          rowHref={(row) => journalHref(row.transaction_id)}
          empty={{ title: 'No unmatched lines', text: 'Every posting has its other side.' }} />
        {data.more_unmatched > 0 && <p>{`${data.more_unmatched} more are not listed.`}</p>}
      </Section>
    </>
  );
}

export default function IntercompanyBalancesPage() {
  const dates = useReportDates('as_of');
  const read = useEndpoint(intercompanyEndpoints.balances, { query: dates });
  const data = read.data?.data;
  return (
    <>
      <PageHeader title="Intercompany balances" back={INTERCOMPANY}
        subtitle={data ? [`As of ${formatDay(data.as_of)}`] : [<Skeleton key="waiting" width={180} />]} />
      <ReportDates names={['as_of']} taken={data} />
      <PageContent record fullWidth>
        {read.isError && <NotLoaded title="The balances could not be loaded" read={read} />}
        {data && <Tables data={data} />}
      </PageContent>
    </>
  );
}
