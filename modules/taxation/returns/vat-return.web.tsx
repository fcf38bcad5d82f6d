/** The VAT return of the UK and the EU division: its boxes, what stands behind each, and the way to filing it. */
import { DateField } from '#web/controls/field/date-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { HmrcReceipt } from '../hmrc/file-with-hmrc.web.tsx';
import { HmrcSection, useHmrcConnection, useReturnFromHmrc } from '../hmrc/hmrc.web.tsx';
import { returnTabs, VAT_PAGE } from '../return-tabs.ts';
import { ReturnActions, ReturnFacts } from './return-actions.web.tsx';
import { VAT_BOXES, vatReturnEndpoints, type VatDivisionCode, type VatItemRow, type VatReport, type TaxReturnRow }
  from './vat-return.contract.ts';
import styles from './vat-return.module.css';

const TITLES: Record<VatDivisionCode, string> = { UK: 'UK VAT return', EU: 'EU VAT return' };
/** Sums that others are made into. */
const SUMS: readonly string[] = ['3', '5', 'T3', 'T4'];

const itemColumns: readonly Column<VatItemRow>[] = [
  { id: 'document', header: 'Document', kind: 'title', cell: (row) => row.document, fixed: true, width: 170 },
  { id: 'party', header: 'Name', kind: 'muted', cell: (row) => row.party, width: 220 },
  { id: 'tax_point', header: 'Tax point', kind: 'date', cell: (row) => row.tax_point_on, width: 120 },
  { id: 'booked', header: 'Booked on', kind: 'date', cell: (row) => row.booked_on, width: 120 },
  { id: 'code', header: 'Tax code', kind: 'muted', cell: (row) => row.tax_code, width: 140 },
  { id: 'net', header: 'Net', kind: 'money', cell: (row) => BigInt(row.net_minor), width: 120 },
  { id: 'tax', header: 'VAT', kind: 'money', cell: (row) => BigInt(row.tax_minor), width: 110 },
  { id: 'late', header: 'Late', kind: 'badge', width: 80,
    cell: (row) => (row.is_late ? <Badge tone="warn" small>Late</Badge> : null) },
];

const returnColumns: readonly Column<TaxReturnRow>[] = [
  { id: 'period', header: 'Period', kind: 'title', fixed: true, width: 240,
    cell: (row) => `${formatDay(row.period_from)} – ${formatDay(row.period_to)}` },
  { id: 'state', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => <Badge tone={row.status === 'filed' ? 'ok' : 'warn'} small>
      {row.status === 'filed' ? 'Filed' : 'Awaits filing'}</Badge> },
  { id: 'net', header: 'To pay', kind: 'money', cell: (row) => BigInt(row.net_minor), width: 130 },
  { id: 'prepared', header: 'Prepared by', kind: 'muted', cell: (row) => row.prepared_by_name, width: 160 },
  { id: 'filed', header: 'Filed by', kind: 'muted', cell: (row) => row.filed_by_name, width: 160 },
  { id: 'receipt', header: 'Receipt', kind: 'muted', cell: (row) => row.receipt, width: 180 },
];

export default function VatReturnPage() {
  const may = useMay();
  const [chosen] = useDivision();
  const { values, set } = useQueryValues();
  const division: VatDivisionCode = chosen === 'EU' ? 'EU' : 'UK';
  const span = Object.fromEntries((['from', 'to'] as const).flatMap((name) => {
    const day = values.get(name);
    return day ? [[name, day]] : [];
  }));
  const read = useEndpoint(vatReturnEndpoints.report, { query: { division, ...span } });
  const report = read.data?.data;
  const hmrc = useHmrcConnection(division === 'UK');
  useReturnFromHmrc();
  const day = (name: 'from' | 'to') => values.get(name) ?? report?.[name] ?? null;
  return (
    <>
      <PageHeader title={TITLES[division]} badges={report && <State report={report} />}
        activity={report?.prepared ? { entity: 'tax_return', id: report.prepared.id } : undefined}
        tabs={returnTabs(division, may)}
        subtitle={report ? [report.currency, `${formatDay(report.from)} – ${formatDay(report.to)}`,
          report.vat_number ?? 'No VAT number entered'] : [<Skeleton key="waiting" width={180} />]}>
        {report && <ReturnActions report={report} hmrc={hmrc} />}
      </PageHeader>
      <PageContent fullWidth>
        <div className={styles.dates} data-print="hide">
          {(['from', 'to'] as const).map((name) => (
            <DateField key={name} label={name === 'from' ? 'From' : 'To'} value={day(name)}
              onChange={(value) => set({ [name]: value, page: null, box: null })} />))}
        </div>
        {read.isError && <NotLoaded title="The return could not be read" read={read} />}
        {!report && !read.isError && [420, 380, 400].map((width) =>
          <p key={width}><Skeleton width={width} height={18} /></p>)}
        {report && <Report report={report} box={values.get('box')} />}
        {division === 'UK' && hmrc && <HmrcSection connection={hmrc} />}
      </PageContent>
    </>
  );
}

function State({ report }: { report: VatReport }) {
  const failed = report.checks.some((check) => !check.ok);
  const status = report.prepared?.status;
  return (
    <>
      <Badge tone={status === 'filed' ? 'ok' : status === 'prepared' ? 'warn' : 'info'}>
        {status === 'filed' ? 'Filed' : status === 'prepared' ? 'Awaits filing' : 'Not filed'}
      </Badge>
      <Badge tone={failed ? 'error' : 'ok'}>{failed ? 'Differs from the ledger' : 'Reconciles to the ledger'}</Badge>
    </>
  );
}

/** Pay, reclaim or nothing, with the amount. */
function outcomeOf({ net_minor: net, currency }: VatReport): string {
  if (net === 0) return 'Nothing is to be paid';
  return net > 0 ? `To pay: ${formatAmount(net, currency)}` : `To reclaim: ${formatAmount(-net, currency)}`;
}

function Report({ report, box }: { report: VatReport; box: string | null }) {
  const chosen = report.boxes.find((one) => one.box === box && one.items !== null);
  const returns = useEndpoint(vatReturnEndpoints.list, { query: { division: report.division } });
  return (
    <>
      <Late report={report} />
      {report.has_changed && (
        <Callout tone="warn" title="Something was posted in the period after the return was prepared">
          <p>The figures below are those of today. Withdraw the return and prepare it again.</p>
        </Callout>)}
      <Section title={outcomeOf(report)} description="Choose a line to see the documents behind it">
        <Boxes report={report} />
      </Section>
      <ReturnFacts report={report} />
      {report.division === 'UK' && report.prepared && <HmrcReceipt row={report.prepared} />}
      {chosen && <Items key={chosen.box} report={report} box={chosen.box} label={chosen.label} />}
      <Section title="Returns" count={returns.data?.data.length}>
        <DataTable label="VAT returns" variant="record" columns={returnColumns} rows={returns.data?.data}
          rowKey={(row) => row.id} error={returns.isError ? returns.error : null}
          onRetry={() => void returns.refetch()}
          rowHref={(row) => `${VAT_PAGE}?division=${row.division}&from=${row.period_from}&to=${row.period_to}`}
          empty={{ title: 'No return yet', text: 'Choose the first period above and prepare its return. What was '
            + 'booked before it counts as filed elsewhere.' }} />
      </Section>
    </>
  );
}

/** Items that came after the return of their period was filed: included in this one, and shown separately. */
function Late({ report: { late, currency, division } }: { report: VatReport }) {
  if (late.items === 0) return null;
  const items = late.items === 1 ? '1 item belongs' : `${late.items} items belong`;
  return (
    <Callout tone={late.may_correct ? 'info' : 'warn'} title={`${items} to a period that is filed already`}>
      <p>{`Their VAT of ${formatAmount(late.tax_minor, currency)} is part of this return.`}</p>
      {division === 'UK' && (
        <p>Errors of up to £10,000.00 net, or of 1% of box 6 up to £50,000.00, may be corrected on a return (VAT Notice
          700/45). {late.may_correct ? 'These are within the limit.'
          : 'These are above the limit: tell HMRC about them separately.'}</p>)}
    </Callout>
  );
}

function Boxes({ report }: { report: VatReport }) {
  const query = { division: report.division, from: report.from, to: report.to };
  return (
    <table className={styles.boxes}>
      <caption className="gr-hidden">Boxes of the VAT return in {report.currency}</caption>
      <tbody>
        {report.boxes.map((box) => (
          <tr key={box.box} className={SUMS.includes(box.box) ? styles.sum : undefined}>
            <td>{box.box}</td>
            <th scope="row">
              {box.items ? (
                <AppLink className={styles.link}
                  href={`${VAT_PAGE}?${new URLSearchParams({ ...query, box: box.box })}`}>
                  {box.label}
                </AppLink>) : box.label}
            </th>
            <td><Money minor={box.amount_minor} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Items({ report, box, label }: { report: VatReport; box: string; label: string }) {
  const known = VAT_BOXES.find((one) => one === box)!;
  const list = useList(vatReturnEndpoints.items, { query: { division: report.division, from: report.from,
    to: report.to, box: known } }, { views: false });
  return (
    <Section title={`Box ${box}: ${label}`}>
      <DataTable label={`Documents behind box ${box}`} {...list} exportOf={undefined} searchable={false}
        variant="record"
        columns={itemColumns} rowKey={(row) => row.key} rowHref={(row) => row.href ?? undefined}
        empty={{ title: 'No documents behind this box', text: 'Documents of the period appear here.' }} />
    </Section>
  );
}
