/** The sales tax return of a state: its figures, what came late, and what it takes. */
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { divisionLabel } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { returnTabs, SALES_TAX_PAGE } from '../return-tabs.ts';
import vat from '../returns/vat-return.module.css';
import { StateReturnActions } from './state-return-actions.web.tsx';
import { salesTaxReturnEndpoints, type SalesTaxItemRow, type SalesTaxReturn } from './sales-tax-return.contract.ts';
import type { UsDivision } from './sales-tax.contract.ts';
import { stateName } from './state-name.ts';

/** Sums that other lines are made into. */
const SUMS: readonly string[] = ['taxable', 'net'];

const itemColumns: readonly Column<SalesTaxItemRow>[] = [
  { id: 'document', header: 'Document', kind: 'title', cell: (row) => row.document, fixed: true, width: 170 },
  { id: 'on', header: 'Date', kind: 'date', cell: (row) => row.on, width: 120 },
  { id: 'party', header: 'Name', kind: 'muted', cell: (row) => row.party, width: 220 },
  { id: 'jurisdiction', header: 'Jurisdiction', kind: 'muted', cell: (row) => stateName(row.jurisdiction),
    width: 180 },
  { id: 'reason', header: 'Treatment', kind: 'muted', cell: (row) => row.reason, width: 130 },
  { id: 'rate', header: 'Rate', kind: 'number', width: 80,
    cell: (row) => (row.rate_ppm ? `${row.rate_ppm / 10_000}%` : '') },
  { id: 'net', header: 'Net', kind: 'money', cell: (row) => BigInt(row.net_minor), width: 120 },
  { id: 'tax', header: 'Tax', kind: 'money', cell: (row) => BigInt(row.tax_minor), width: 110 },
  { id: 'late', header: 'Late', kind: 'badge', width: 80,
    cell: (row) => (row.is_late ? <Badge tone="warn" small>Late</Badge> : null) },
];

export function StateReturn({ division, state }: { division: UsDivision; state: string }) {
  const may = useMay();
  const { values } = useQueryValues();
  const span = Object.fromEntries((['from', 'to'] as const).flatMap((name) => {
    const day = values.get(name);
    return day ? [[name, day]] : [];
  }));
  const read = useEndpoint(salesTaxReturnEndpoints.show, { query: { division, state, ...span } });
  const report = read.data?.data;
  return (
    <>
      <PageHeader title={`${report?.state_name ?? state} sales and use tax return`} tabs={returnTabs(division, may)}
        back={`${SALES_TAX_PAGE}?division=${division}`} badges={report && <State report={report} />}
        activity={report?.prepared ? { entity: 'tax_return', id: report.prepared.id } : undefined}
        subtitle={report ? [divisionLabel(division), 'USD', `${formatDay(report.from)} – ${formatDay(report.to)}`,
          report.due_on === null ? 'No filing calendar' : `Due ${formatDay(report.due_on)}`]
          : [<Skeleton key="waiting" width={180} />]}>
        {report && <StateReturnActions report={report} />}
      </PageHeader>
      <PageContent fullWidth>
        {read.isError && <NotLoaded title="The return could not be read" read={read} />}
        {!report && !read.isError && [420, 380, 400].map((width) =>
          <p key={width}><Skeleton width={width} height={18} /></p>)}
        {report && <Report report={report} />}
      </PageContent>
    </>
  );
}

function State({ report }: { report: SalesTaxReturn }) {
  const failed = report.checks.some((check) => !check.ok);
  const status = report.prepared?.status;
  const bill = report.prepared?.bill_state;
  return (
    <>
      <Badge tone={status === 'filed' ? 'ok' : status === 'prepared' ? 'warn' : 'info'}>
        {bill === 'paid' ? 'Paid' : status === 'filed' ? 'Filed'
          : status === 'prepared' ? 'Awaits filing' : 'Not filed'}
      </Badge>
      <Badge tone={failed ? 'error' : 'ok'}>{failed ? 'Differs from the ledger' : 'Reconciles to the ledger'}</Badge>
    </>
  );
}

function outcomeOf({ net_minor: net }: SalesTaxReturn): string {
  if (net === 0) return 'Nothing to pay';
  return net > 0 ? `To pay: ${formatAmount(net, 'USD')}` : `Credit with the state: ${formatAmount(-net, 'USD')}`;
}

function Report({ report }: { report: SalesTaxReturn }) {
  const { division, state, from, to } = report;
  const list = useList(salesTaxReturnEndpoints.items, { query: { division, state, from, to } }, { views: false });
  return (
    <>
      <Notices report={report} />
      <Section title={outcomeOf(report)}><Figures report={report} /></Section>
      <Facts report={report} />
      <Jurisdictions report={report} />
      <Section title="Documents" count={list.page?.total}>
        <DataTable label="Documents of the return" {...list} exportOf={undefined} searchable={false} variant="record"
          columns={itemColumns} rowKey={(row) => row.key} rowHref={(row) => row.href}
          empty={{ title: 'Nothing was sold or bought', text: 'A return is due all the same: it is filed with zeros.' }}
        />
      </Section>
    </>
  );
}

function Notices({ report: { late, has_changed, rule } }: { report: SalesTaxReturn }) {
  const items = late.items === 1 ? '1 item belongs' : `${late.items} items belong`;
  return (
    <>
      {has_changed && (
        <Callout tone="warn" title="Something was posted after the return was prepared">
          <p>The figures below are those of today. Withdraw the return and prepare it again.</p>
        </Callout>)}
      {late.items > 0 && (
        <Callout tone="info" title={`${items} to a period that is filed already`}>
          <p>{`Part of this return: sales of ${formatAmount(late.sales_minor, 'USD')}, sales tax of ${
            formatAmount(late.tax_minor, 'USD')}, use tax of ${formatAmount(late.use_tax_minor, 'USD')}. If the state `
            + 'asks for an amended return instead, file one there.'}</p>
        </Callout>)}
      {rule?.confirmed_at === null && (
        <Callout tone="warn" title="The filing calendar of the state is to be verified">
          <p>Compare due date and vendor discount with what the state publishes, and confirm the calendar.</p>
        </Callout>)}
    </>
  );
}

function Figures({ report }: { report: SalesTaxReturn }) {
  return (
    <table className={vat.boxes}>
      <caption className="gr-hidden">Figures of the return in USD</caption>
      <tbody>
        {report.boxes.map((box) => (
          <tr key={box.box} className={SUMS.includes(box.box) ? vat.sum : undefined}>
            <th scope="row">{box.label}</th>
            <td><Money minor={box.amount_minor} /></td>
          </tr>
        ))}
        {report.exempt.map((one) => (
          <tr key={one.certificate}>
            <th scope="row">{`Of exempt sales: ${one.certificate} certificate`}</th>
            <td><Money minor={one.minor} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Facts({ report: { prepared, registration } }: { report: SalesTaxReturn }) {
  return (
    <Section title="Filing">
      <KeyValue facts={[
        { label: 'Registration', value: registration ?? 'No number entered' },
        prepared !== null && { label: 'Prepared by',
          value: <>{prepared.prepared_by_name}, <DateText value={prepared.prepared_at} /></> },
        prepared?.filed_on != null && { label: 'Filed by',
          value: <>{prepared.filed_by_name}, <DateText value={prepared.filed_on} /></> },
        prepared !== null && prepared.receipt !== '' && { label: 'Confirmation', value: prepared.receipt },
        prepared?.status === 'filed' && prepared.net_minor < 0 && { label: 'Credit',
          value: prepared.carries_credit ? 'Carried forward to the next return' : 'Refund asked for' },
        prepared?.bill_id != null && { label: 'Bill', value: (
          <AppLink href={`/admin/accounting/bills/${prepared.bill_id}`}>{prepared.bill_number}</AppLink>) },
      ]} />
    </Section>
  );
}

const rowColumns: readonly Column<SalesTaxReturn['rows'][number]>[] = [
  { id: 'jurisdiction', header: 'Jurisdiction', kind: 'title', cell: (row) => stateName(row.jurisdiction),
    fixed: true, width: 240 },
  { id: 'rate', header: 'Rate', kind: 'number', cell: (row) => `${row.rate_ppm / 10_000}%`, width: 90 },
  { id: 'taxable', header: 'Taxable', kind: 'money', cell: (row) => BigInt(row.taxable_minor), width: 130 },
  { id: 'collected', header: 'Collected', kind: 'money', cell: (row) => BigInt(row.collected_minor), width: 130 },
  { id: 'due', header: 'Due', kind: 'money', cell: (row) => BigInt(row.due_minor), width: 130 },
];

function Jurisdictions({ report: { rows } }: { report: SalesTaxReturn }) {
  const readRows = useLoadedRows(rows);
  return (
    <Section title="By jurisdiction and rate" count={rows.length}>
      <DataTable label="Sales tax of the return by jurisdiction" columns={rowColumns} rows={rows} readPage={readRows}
        variant="record" rowKey={(row) => `${row.jurisdiction} ${row.rate_ppm}`}
        empty={{ title: 'No sales tax was charged', text: 'Taxed sales of the period appear here by jurisdiction.' }} />
    </Section>
  );
}
