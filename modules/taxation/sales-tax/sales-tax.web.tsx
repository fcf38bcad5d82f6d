/** Sales and use tax of the US divisions by state: sold, exempt, collected, due, and how near a state's threshold. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { downloadFile } from '#web/data/download-file.ts';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { divisionLabel, useDivision } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { returnTabs } from '../return-tabs.ts';
import { FilingRules } from './filing-rules.web.tsx';
import { RuleForm } from './nexus-rule-form.web.tsx';
import { SalesTaxReturns } from './sales-tax-returns.web.tsx';
import { StateReturn } from './state-return.web.tsx';
import { salesTaxEndpoints, type NexusRuleRow, type SalesTaxReport, type SalesTaxState, type UsDivision }
  from './sales-tax.contract.ts';
import { stateName } from './state-name.ts';
import styles from './sales-tax.module.css';

type Row = SalesTaxState['rows'][number] & { state: string };
const figure = (minor: number): string => (minor === 0 ? '' : formatAmount(minor));

const stateColumns: readonly Column<SalesTaxState>[] = [
  { id: 'state', header: 'State', kind: 'title', cell: (row) => stateName(row.state), fixed: true, width: 150 },
  { id: 'registered', header: 'Registered', kind: 'badge', width: 120, cell: (row) => (row.is_registered
    ? <Badge tone="ok" small>Registered</Badge> : <Badge tone="outline" small>Not registered</Badge>) },
  { id: 'gross', header: 'Gross sales', kind: 'money', cell: (row) => BigInt(row.gross_minor), width: 130 },
  { id: 'exempt', header: 'Exempt', kind: 'number', cell: (row) => figure(row.exempt_minor), width: 110 },
  { id: 'not_taxable', header: 'Not taxable', kind: 'number', cell: (row) => figure(row.not_taxable_minor),
    width: 110 },
  { id: 'untaxed', header: 'Not registered', kind: 'number', cell: (row) => figure(row.not_registered_minor),
    width: 120 },
  { id: 'taxable', header: 'Taxable', kind: 'money', cell: (row) => BigInt(row.taxable_minor), width: 120 },
  { id: 'collected', header: 'Collected', kind: 'money', cell: (row) => BigInt(row.collected_minor), width: 120 },
  { id: 'due', header: 'Due', kind: 'money', cell: (row) => BigInt(row.due_minor), width: 120 },
  { id: 'over', header: 'Over or under', kind: 'number', cell: (row) => figure(row.over_minor), width: 120 },
  { id: 'use', header: 'Use tax', kind: 'number', cell: (row) => figure(row.use_tax_minor), width: 110 },
];

const rowColumns: readonly Column<Row>[] = [
  { id: 'jurisdiction', header: 'Jurisdiction', kind: 'title', cell: (row) => stateName(row.jurisdiction),
    fixed: true, width: 240 },
  { id: 'rate', header: 'Rate', kind: 'number', cell: (row) => `${row.rate_ppm / 10_000}%`, width: 90 },
  { id: 'taxable', header: 'Taxable', kind: 'money', cell: (row) => BigInt(row.taxable_minor), width: 130 },
  { id: 'collected', header: 'Collected', kind: 'money', cell: (row) => BigInt(row.collected_minor), width: 130 },
  { id: 'due', header: 'Due', kind: 'money', cell: (row) => BigInt(row.due_minor), width: 130 },
  { id: 'over', header: 'Over or under', kind: 'number', cell: (row) => figure(row.over_minor), width: 130 },
];

/** All states; with a state in the address, its return. */
export default function SalesTaxPage() {
  const [chosen] = useDivision();
  const state = useQueryValues().values.get('state');
  const division: UsDivision = chosen === 'PROD' ? 'PROD' : 'US';
  return state ? <StateReturn division={division} state={state} /> : <AllStates division={division} />;
}

function AllStates({ division }: { division: UsDivision }) {
  const may = useMay();
  const { values, set } = useQueryValues();
  const span = Object.fromEntries((['from', 'to'] as const).flatMap((name) => {
    const day = values.get(name);
    return day ? [[name, day]] : [];
  }));
  const read = useEndpoint(salesTaxEndpoints.report, { query: { division, ...span } });
  const report = read.data?.data;
  const day = (name: 'from' | 'to') => values.get(name) ?? report?.[name] ?? null;
  return (
    <>
      <PageHeader title="US sales and use tax" tabs={returnTabs(division, may)}
        badges={report && <Check report={report} />}
        subtitle={report ? [divisionLabel(division), 'USD', `${formatDay(report.from)} – ${formatDay(report.to)}`]
          : [<Skeleton key="waiting" width={180} />]}>
        {report && <ActionMenu label="Files" actions={[{ label: 'By jurisdiction (CSV)', icon: Download,
          onSelect: () => void downloadFile(`${salesTaxEndpoints.export.path}?${new URLSearchParams({ division,
            from: report.from, to: report.to })}`) }]} />}
      </PageHeader>
      <PageContent fullWidth>
        <div className={styles.dates} data-print="hide">
          {(['from', 'to'] as const).map((name) => (
            <DateField key={name} label={name === 'from' ? 'From' : 'To'} value={day(name)}
              onChange={(value) => set({ [name]: value })} />))}
        </div>
        {read.isError && <NotLoaded title="The report could not be read" read={read} />}
        {!report && !read.isError && [420, 380, 400].map((width) =>
          <p key={width}><Skeleton width={width} height={18} /></p>)}
        {report && <Report report={report} />}
        <FilingRules division={division} />
      </PageContent>
    </>
  );
}

function Check({ report }: { report: SalesTaxReport }) {
  const failed = report.checks.some((check) => !check.ok);
  const words = failed ? 'Differs from the ledger' : 'Reconciles to the ledger';
  return <Badge tone={failed ? 'error' : 'ok'}>{words}</Badge>;
}

function Report({ report }: { report: SalesTaxReport }) {
  // States that the counters of nexus know have sales of other days alone.
  const sold = report.states.filter((state) => [state.gross_minor, state.collected_minor, state.due_minor,
    state.use_base_minor].some((minor) => minor !== 0) || state.rows.length > 0);
  const readStates = useLoadedRows(sold);
  const rows = report.states.flatMap((state) => state.rows.map((row) => ({ ...row, state: state.state })));
  const readRows = useLoadedRows(rows);
  const unknown = report.states.filter((state) => state.unknown_minor !== 0);
  return (
    <>
      <StatStrip label="Sales and use tax" stats={[
        { label: 'Gross sales', value: formatAmount(report.gross_minor, 'USD') },
        { label: 'Exempt', value: formatAmount(report.exempt_minor, 'USD') },
        { label: 'Collected', value: formatAmount(report.collected_minor, 'USD') },
        { label: 'Due', value: formatAmount(report.due_minor, 'USD') },
        { label: 'Use tax', value: formatAmount(report.use_tax_minor, 'USD') },
      ]} />
      {unknown.length > 0 && (
        <Callout tone="warn" title="Some invoices were issued without a tax rule or a rate">
          <p>{unknown.map((state) => `${stateName(state.state)}: ${formatAmount(state.unknown_minor, 'USD')}`)
            .join(' · ')}</p>
        </Callout>)}
      <SalesTaxReturns division={report.division} />
      <Section title="By state" count={sold.length}>
        <DataTable label="Sales and use tax by state" columns={stateColumns} rows={sold} readPage={readStates}
          variant="record" rowKey={(row) => row.state}
          empty={{ title: 'Nothing was sold in these days', text: 'Invoices of the division appear here by state.' }} />
      </Section>
      <Section title="By jurisdiction and rate" count={rows.length}
        description="Due is the taxable amount at the rate, rounded once for each row">
        <DataTable label="Sales tax by jurisdiction" columns={rowColumns} rows={rows} readPage={readRows}
          variant="record" rowKey={(row) => `${row.jurisdiction} ${row.rate_ppm}`}
          empty={{ title: 'No sales tax was charged', text: 'States in which the division is registered appear here.' }}
        />
      </Section>
      <Nexus report={report} />
    </>
  );
}

const ruleWords = (rule: NexusRuleRow): string => [
  rule.threshold_minor !== null && formatAmount(rule.threshold_minor, 'USD'),
  rule.transactions !== null && `${rule.transactions} sales`,
].filter(Boolean).join(rule.needs_both ? ' and ' : ' or ');

/** Whether the division should be registered in a state where it is not. */
function Nexus({ report }: { report: SalesTaxReport }) {
  const may = useMay();
  const [open, setOpen] = useState<NexusRuleRow | string | null>(null);
  const readRows = useLoadedRows(report.states);
  const edit = may('transaction.update');
  const columns: readonly Column<SalesTaxState>[] = [
    { id: 'state', header: 'State', kind: 'title', cell: (row) => stateName(row.state), fixed: true, width: 150 },
    { id: 'sales', header: 'Sales', kind: 'number', width: 140,
      cell: (row) => (row.nexus ? formatAmount(row.nexus.sales_minor) : '') },
    { id: 'count', header: 'Number of sales', kind: 'number', width: 130, cell: (row) => row.nexus?.transactions },
    { id: 'since', header: 'Since', kind: 'date', width: 120, cell: (row) => row.nexus?.from ?? null },
    { id: 'threshold', header: 'Threshold', kind: 'muted', width: 220,
      cell: (row) => (row.nexus ? ruleWords(row.nexus.rule) : 'No rule entered') },
    { id: 'verified', header: 'Rule', kind: 'badge', width: 140, cell: (row) => row.nexus && (row.nexus.rule.is_verified
      ? <Badge tone="ok" small>Confirmed</Badge> : <Badge tone="warn" small>To be verified</Badge>) },
    { id: 'source', header: 'Source', kind: 'muted', width: 260, cell: (row) => row.nexus?.rule.source ?? '' },
    { id: 'state_of', header: 'Result', kind: 'badge', width: 150, cell: (row) => (!row.nexus ? null
      : row.nexus.reached && !row.is_registered ? <Badge tone="error" small>Register here</Badge>
        : row.nexus.reached ? <Badge tone="info" small>Reached</Badge>
          : <Badge tone="outline" small>Below</Badge>) },
  ];
  return (
    <Section title="Economic nexus" description="Sales of the division against the threshold of each state"
      right={edit && <Button onClick={() => setOpen('')}>Enter rule</Button>}>
      <DataTable label="Economic nexus by state" columns={columns} rows={report.states} readPage={readRows}
        variant="record" rowKey={(row) => row.state}
        onOpen={edit ? (row) => setOpen(row.nexus?.rule ?? `US-${row.state}`) : undefined}
        empty={{ title: 'No sales to count', text: 'Invoices of the division appear here by state.' }} />
      {open !== null && <RuleForm rule={typeof open === 'string' ? null : open}
        state={typeof open === 'string' ? open : open.state} from={report.from} onClose={() => setOpen(null)} />}
    </Section>
  );
}
