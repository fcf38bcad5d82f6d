/** Receivables aging by customer, as of any day; every figure links to the invoices behind it. */
import { customersOwing } from '#kernel/receivables/aging.ts';
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
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { DUE_LABELS, receivablesTabs } from '../invoices/invoice-labels.web.ts';
import { agingEndpoints, type AgingReport } from './aging.contract.ts';
import styles from './aging.module.css';

type Row = AgingReport['rows'][number];
type Bucket = 'current' | 'days_1_30' | 'days_31_60' | 'days_61_90' | 'days_91';
const BUCKETS = ['current', 'days_1_30', 'days_31_60', 'days_61_90', 'days_91'] as const satisfies readonly Bucket[];
const HEADERS: Record<Bucket, string> = { current: 'Not due', days_1_30: '1 to 30', days_31_60: '31 to 60',
  days_61_90: '61 to 90', days_91: '91 and over' };
const INVOICES = '/admin/accounts-receivable/invoices';

function columnsOf(division: string): readonly Column<Row>[] {
  const list = (row: Row, due: string) =>
    `${INVOICES}?division=${division}&customer_id=${row.customer_id}&currency=${row.currency}&due=${due}`;
  const bucket = (id: Bucket): Column<Row> => ({ id, header: HEADERS[id], kind: 'number', width: 120,
    cell: (row) => (row[`${id}_minor`] === 0 ? '' : (
      <AppLink href={list(row, id)} className="gr-link">{formatAmount(row[`${id}_minor`])}</AppLink>)) });
  return [
    { id: 'customer', header: 'Customer', kind: 'title', cell: (row) => row.customer_name, fixed: true, width: 250 },
    { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 60 },
    ...BUCKETS.map(bucket),
    { id: 'unapplied', header: 'On account', kind: 'number', width: 120, cell: (row) =>
      (row.unapplied_minor === 0 ? '' : (
      <AppLink className="gr-link" href={`/admin/accounts-receivable/payments?division=${division}&customer_id=${
        row.customer_id}&unapplied=true`}>{formatAmount(row.unapplied_minor)}</AppLink>)) },
    { id: 'total', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), width: 130 },
  ];
}

export default function AgingPage() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const asOf = values.get('as_of');
  const read = useEndpoint(agingEndpoints.aging, { query: { division, ...(asOf ? { as_of: asOf } : {}) } });
  const report = read.data?.data;
  return (
    <>
      <PageHeader title="Accounts receivable" division tabs={receivablesTabs(may)}
        subtitle="Open items by days past due" badges={report && <Check report={report} />} />
      <PageContent fullWidth>
        <p data-print="only">As of {formatDay(report?.as_of ?? asOf)}</p>
        <div className={styles.asOf} data-print="hide">
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

function Check({ report }: { report: AgingReport }) {
  return (
    <>
      {report.checks.map((check) => (
        <Badge key={check.name} tone={check.ok ? 'ok' : 'error'} small
          title={`${check.name}: ${formatAmount(check.actual_minor, report.functional_currency)} of ${
            formatAmount(check.expected_minor, report.functional_currency)}`}>
          {check.ok ? 'Reconciles to the ledger' : 'Differs from the ledger'}
        </Badge>
      ))}
    </>
  );
}

function Report({ report, division }: { report: AgingReport; division: string }) {
  const readPage = useLoadedRows(report.rows);
  return (
    <>
      {report.totals.map((total) => (
        <Section key={total.currency} title={`By age, ${total.currency}`}>
          <AgeBar label={`Receivables by age in ${total.currency}`} currency={total.currency} countLabel="Customers"
            total={customersOwing(report.rows, total.currency)}
            buckets={BUCKETS.map((bucket) => ({
              label: DUE_LABELS[bucket], minor: total[`${bucket}_minor`],
              count: customersOwing(report.rows, total.currency, bucket),
              href: `${INVOICES}?division=${division}&currency=${total.currency}&due=${bucket}`,
            }))} />
        </Section>
      ))}
      <Section title="Customers" count={report.rows.length}>
        <DataTable label="Receivables by customer" columns={columnsOf(division)} rows={report.rows} readPage={readPage}
          variant="record" rowKey={(row) => `${row.customer_id} ${row.currency}`}
          rowHref={(row) => `${INVOICES}?division=${division}&customer_id=${row.customer_id}`}
          empty={{ title: 'Nobody owes anything', text: 'Open invoices of this division stand here by their age.' }} />
      </Section>
    </>
  );
}
