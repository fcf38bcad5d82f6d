/** Profit and loss, balance sheet: sections of the chart with their sums; each line leads to its ledger. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { Money } from '#web/data/money.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { financeTabs } from '../accounting-tabs.ts';
import { Checks, FailedChecks, ReportDates, useReportDates, WAITING } from './report-parts.web.tsx';
import { reportEndpoints } from './report.contract.ts';
import { checksOf, headOf, StatementColumns, useStatementColumns } from './statement-columns.web.tsx';
import { resultHref } from './statement-links.ts';
import { StatementFields, StatementFiles } from './statement-settings.web.tsx';
import { Frame, Sum } from './statement-parts.web.tsx';
import styles from './report.module.css';

type Section = ResponseOf<typeof reportEndpoints.profitLoss>['data']['sections'][number];

function Rows({ section, span, total }: { section: Section; span: string; total?: string }) {
  if (section.rows.length === 0) return null;
  return (
    <>
      <tr className={styles.group}><th scope="rowgroup">{section.title}</th><td /></tr>
      {section.rows.map((row) => (
        <tr key={row.account_id} className={styles.row}>
          <th scope="row">
            <AppLink className={styles.lead} href={`/admin/accounting/general-ledger?account=${row.code}&${span}`}>
              {row.name}
            </AppLink>
          </th>
          <td><Money minor={row.amount_minor} /></td>
        </tr>
      ))}
      <Sum label={total ?? `Total ${section.title.toLowerCase()}`} minor={section.total_minor} />
    </>
  );
}

/** The sections between the sums; whatever else the chart has stands before the net profit. */
const SECTIONS: readonly string[] = ['revenue', 'cost_of_sales', 'operating', 'other'];

export function ProfitLoss() {
  const [division] = useDivision();
  const may = useMay();
  const dates = useReportDates('from', 'to');
  const read = useEndpoint(reportEndpoints.profitLoss, { query: { division, ...dates } });
  const report = read.data?.data;
  const section = (key: string) => report?.sections.find((one) => one.key === key);
  const columns = useStatementColumns('profit_loss', dates);
  const checks = (columns.wanted ? columns.table : report)?.checks ?? [];
  const span = report ? new URLSearchParams({ division, from: report.from, as_of: report.to,
    closing_entries: 'without' }).toString() : '';
  const part = (key: string) => { const one = section(key); return one ? <Rows section={one} span={span} /> : null; };
  return (
    <>
      <PageHeader title="Profit and loss" division={!columns.group} tabs={financeTabs(may)}
        badges={checks.length > 0 && <Checks checks={checks} />}
        subtitle={report ? headOf(columns, report.currency, `${formatDay(report.from)} – ${formatDay(report.to)}`)
          : WAITING}>
        <StatementFiles statement="profit_loss" title="Profit and loss" days={dates} />
      </PageHeader>
      <ReportDates names={['from', 'to']} taken={report} after={<StatementFields parts group />} />
      {columns.wanted ? <StatementColumns of={columns} /> : (
      <Frame read={read}>
        {report && (
          <>
            <FailedChecks checks={report.checks} />
            <table className={styles.statement}>
              <caption className="gr-hidden">Profit and loss in {report.currency}</caption>
              <tbody>
                {part('revenue')}{part('cost_of_sales')}
                <Sum label="Gross profit" minor={report.gross_profit_minor} />
                {part('operating')}
                <Sum label="Operating profit" minor={report.operating_profit_minor} />
                {part('other')}
                {report.sections.filter((one) => !SECTIONS.includes(one.key))
                  .map((one) => <Rows key={one.key} section={one} span={span} />)}
                <Sum label="Net profit" minor={report.net_profit_minor} result />
              </tbody>
            </table>
          </>
        )}
      </Frame>)}
    </>
  );
}

export function BalanceSheet() {
  const [division] = useDivision();
  const may = useMay();
  const dates = useReportDates('as_of');
  const read = useEndpoint(reportEndpoints.balanceSheet, { query: { division, ...dates } });
  const report = read.data?.data;
  const columns = useStatementColumns('balance_sheet', dates);
  const span = report ? new URLSearchParams({ division, as_of: report.as_of }).toString() : '';
  const result = report ? resultHref({ division, minor: report.current_result_minor, from: report.fiscal_year_from,
    to: report.as_of, has_closing_entry: report.has_closing_entry }) : null;
  return (
    <>
      <PageHeader title="Balance sheet" division={!columns.group} tabs={financeTabs(may)}
        badges={checksOf(columns, report)}
        subtitle={report ? headOf(columns, report.currency, `As of ${formatDay(report.as_of)}`) : WAITING}>
        <StatementFiles statement="balance_sheet" title="Balance sheet" days={{ to: dates.as_of }} />
      </PageHeader>
      <ReportDates names={['as_of']} taken={report} after={<StatementFields group />} />
      {columns.wanted ? <StatementColumns of={columns} /> : (
      <Frame read={read}>
        {report && (
          <>
            <FailedChecks checks={report.checks} />
            <table className={styles.statement}>
              <caption className="gr-hidden">Balance sheet in {report.currency}</caption>
              <tbody>
                {report.assets.map((one) => <Rows key={one.key} section={one} span={span} />)}
                <Sum label="Assets" minor={report.total_assets_minor} result />
                {report.liabilities.map((one) => <Rows key={one.key} section={one} span={span} />)}
                <Sum label="Liabilities" minor={report.total_liabilities_minor} />
                {report.equity.map((one) => <Rows key={one.key} section={one} span={span} />)}
                <Sum label="Retained earnings" minor={report.brought_forward_minor}
                  href={`/admin/accounting/trial-balance?${new URLSearchParams({ division,
                    as_of: addDays(report.fiscal_year_from, -1) })}`} />
                <Sum label={`Net income since ${formatDay(report.fiscal_year_from)}`}
                  minor={report.current_result_minor} {...(result === null ? {} : { href: result })} />
                <Sum label="Equity" minor={report.total_equity_minor} />
                <Sum label="Liabilities and equity" result
                  minor={report.total_liabilities_minor + report.total_equity_minor} />
              </tbody>
            </table>
          </>
        )}
      </Frame>)}
    </>
  );
}
