/** Payables aging as of any day: amounts owed by payee and age, and expected payments week by week. */
import { spell } from '#kernel/text/english.ts';
import { AgeBar } from '#web/charts/age-bar.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { PAYABLES, payablesTabs } from '../payables-tabs.ts';
import { payablesAgingEndpoints, type PayablesAging } from './payables-aging.contract.ts';

type Row = PayablesAging['rows'][number];
type Week = PayablesAging['outflow'][number];
const BUCKETS = ['current', 'days_1_30', 'days_31_60', 'days_61_90', 'days_91'] as const;
const LABELS: Record<(typeof BUCKETS)[number], string> = { current: 'Not due', days_1_30: '1 to 30 days',
  days_31_60: '31 to 60 days', days_61_90: '61 to 90 days', days_91: '91 days and over' };
const figure = (minor: number): string => (minor === 0 ? '' : formatAmount(minor));

const columns: readonly Column<Row>[] = [
  { id: 'party', header: 'Owed to', kind: 'title', cell: (row) => row.party_name, fixed: true, width: 250 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => row.party_type[0]!.toUpperCase()
    + row.party_type.slice(1), width: 100 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  ...BUCKETS.map((id): Column<Row> => ({ id, header: LABELS[id], kind: 'number', width: 130,
    cell: (row) => figure(row[`${id}_minor`]) })),
  { id: 'unapplied', header: 'Credits', kind: 'number', width: 120, cell: (row) => figure(row.unapplied_minor) },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), width: 130 },
];

const weekColumns: readonly Column<Week>[] = [
  { id: 'week', header: 'Week', kind: 'title', width: 280, cell: (row) => (row.from === null ? 'Due already'
    : row.to === null ? `${formatDay(row.from)} and later` : `${formatDay(row.from)} to ${formatDay(row.to)}`) },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'items', header: 'Items', kind: 'number', cell: (row) => row.items, width: 90 },
  { id: 'minor', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.minor), width: 140 },
];

export default function PayablesAgingPage() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const asOf = values.get('as_of');
  const read = useEndpoint(payablesAgingEndpoints.aging, { query: { division, ...(asOf ? { as_of: asOf } : {}) } });
  const report = read.data?.data;
  return (
    <>
      <PageHeader title="Accounts payable" division tabs={payablesTabs(may)}
        subtitle={spell`Aging of what we owe, by days past due`} badges={report && <Check report={report} />} />
      <PageContent fullWidth>
        <p data-print="only">As of {formatDay(report?.as_of ?? asOf)}</p>
        <div data-print="hide" style={{ maxWidth: 220 }}>
          <DateField label="As of" value={report?.as_of ?? asOf} onChange={(day) => set({ as_of: day })} />
        </div>
        {read.isError && <NotLoaded title="The report could not be made" read={read} />}
        {!report && !read.isError && [480, 420, 440].map((width) =>
          <p key={width}><Skeleton width={width} height={18} /></p>)}
        {report && <Report report={report} division={division} />}
      </PageContent>
    </>
  );
}

function Check({ report }: { report: PayablesAging }) {
  return report.checks.map((check) => (
    <Badge key={check.name} tone={check.ok ? 'ok' : 'error'} small
      title={`${check.name}: ${formatAmount(check.actual_minor, report.functional_currency)} of ${
        formatAmount(check.expected_minor, report.functional_currency)}`}>
      {check.ok ? 'Reconciles to the ledger' : 'Differs from the ledger'}
    </Badge>
  ));
}

function Report({ report, division }: { report: PayablesAging; division: string }) {
  const readRows = useLoadedRows(report.rows);
  const readWeeks = useLoadedRows(report.outflow);
  const owed = (currency: string, bucket?: (typeof BUCKETS)[number]) => report.rows.filter((row) =>
    row.currency === currency && (bucket ? row[`${bucket}_minor`] !== 0 : row.total_minor !== 0)).length;
  return (
    <>
      {report.totals.map((total) => (
        <Section key={total.currency} title={`By age, ${total.currency}`}>
          <AgeBar label={`Payables by age in ${total.currency}`} currency={total.currency} countLabel="Payees"
            total={owed(total.currency)} buckets={BUCKETS.map((bucket) => ({ label: LABELS[bucket],
              minor: total[`${bucket}_minor`], count: owed(total.currency, bucket) }))} />
        </Section>
      ))}
      <Section title="Expected outflow" description="Open items by the week in which they fall due">
        <DataTable label="Expected outflow by week" columns={weekColumns} rows={report.outflow} readPage={readWeeks}
          variant="record" rowKey={(row) => `${row.currency} ${row.from}`}
          empty={{ title: 'Nothing is due', text: 'Bills appear here by the week they fall due.' }} />
      </Section>
      <Section title="Payees" count={report.rows.length}>
        <DataTable label="Payables by payee" columns={columns} rows={report.rows} readPage={readRows} variant="record"
          rowKey={(row) => `${row.party_type} ${row.party_id} ${row.currency}`}
          rowHref={(row) => (row.party_type === 'vendor'
            ? `${PAYABLES}/invoices?division=${division}&vendor_id=${row.party_id}` : undefined)}
          empty={{ title: 'Nothing is owed', text: 'Approved bills, refunds and deposits to return stand here.' }} />
      </Section>
    </>
  );
}
