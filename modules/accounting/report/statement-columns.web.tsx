/** A statement with several columns: every figure leads to the lines that it sums. */
import { lazy, Suspense, useState } from 'react';
import { formatPermille } from '#kernel/ledger/statement-columns.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Money } from '#web/data/money.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { ReportCheck } from './report.contract.ts';
import { Checks, FailedChecks } from './report-parts.web.tsx';
import { figureHref, type Settings } from './statement-links.ts';
import { hasColumns, useStatementSettings } from './statement-settings.web.tsx';
import { statementEndpoints, type StatementName, type StatementTable } from './statement-table.contract.ts';
import { Frame } from './statement-parts.web.tsx';
import styles from './report.module.css';

const GroupFigure = lazy(() => import('./group-figure.web.tsx'));
const MonthChart = lazy(() => import('./month-chart.web.tsx'));

type Row = StatementTable['rows'][number];

const LOOKS = { group: styles.group, line: styles.row, sum: styles.sum, result: styles.result } as const;

/** On a phone one column stands beside the names, chosen above them; wider screens and paper show all. */
const ALL = -1;
type Shown = (at: number) => string | undefined;

/** The group beside its divisions, the sum of months, the closing balance, the net profit of a show. */
function mainColumn({ columns }: StatementTable): number {
  if (columns[0]!.division !== null && columns.at(-1)!.division === null) return columns.length - 1;
  const at = columns.findIndex((column) => column.total || ['closing', 'net'].includes(column.measure));
  return Math.max(at, 0);
}

function Figures({ table, row, settings, shown }: { table: StatementTable; row: Row; settings: Settings;
  shown: Shown }) {
  const label = table.statement === 'trial_balance' && row.code !== null ? `${row.code} ${row.title}` : row.title;
  return (
    <tr className={LOOKS[row.kind]}>
      <th scope={row.kind === 'group' ? 'rowgroup' : 'row'}>{label}</th>
      {table.columns.map((column, index) => {
        const href = figureHref(table, row, column, settings);
        const figure = <Money minor={row.amounts[index]!} />;
        return (
          <td key={column.key} className={shown(index)}>
            {row.kind !== 'group' && (href === null ? figure
              : <AppLink className={styles.lead} href={href}>{figure}</AppLink>)}
          </td>
        );
      })}
      {table.has_change && (
        <>
          <td className={shown(table.columns.length)}>
            {row.change_minor !== null && <Money minor={row.change_minor} />}
          </td>
          <td className={shown(table.columns.length)}>
            {row.change_permille !== null && formatPermille(BigInt(row.change_permille))}
          </td>
        </>
      )}
    </tr>
  );
}

function ColumnsTable({ table, settings }: { table: StatementTable; settings: Settings }) {
  const { columns, has_change } = table;
  const [chosen, choose] = useState(mainColumn(table));
  const shown: Shown = (at) => (chosen === ALL || at === chosen ? undefined : styles.aside);
  const options = [...columns.map((column, value) => ({ value, label: column.title })),
    ...(has_change ? [{ value: columns.length, label: 'Change' }] : []), { value: ALL, label: 'All columns' }];
  return (
    <>
      {columns.length > 1 && (
        <div className={styles.choice} data-print="hide">
          <AsyncSelect<number> label="Column" value={chosen} options={options}
            onChange={(value) => choose(value ?? ALL)} />
        </div>)}
      <div className={styles.many} tabIndex={0} role="region" aria-label={`${table.title}, columns`}>
        <table className={styles.statement}>
          <caption className="gr-hidden">{table.title} in {table.currency}</caption>
          <thead>
            <tr>
              <th scope="col"><span className="gr-hidden">Line</span></th>
              {columns.map((column, at) => (
                <th key={column.key} scope="col" className={shown(at)}>{column.title}</th>))}
              {has_change && ['Change', 'Change in %'].map((title) => (
                <th key={title} scope="col" className={shown(columns.length)}>{title}</th>))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <Figures key={row.key} table={table} row={row} settings={settings} shown={shown} />))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** A consolidation without a rate of the day: the refusal names which. */
function MissingRate({ error }: { error: Error }) {
  return (
    <PageContent>
      <Callout tone="error" title="An exchange rate is missing">
        {`${error.message} `}
        <AppLink className="gr-link" href="/admin/accounting/exchange-rates">Enter exchange rates</AppLink>
      </Callout>
    </PageContent>
  );
}

/** The statement as the address asks for it; not read where the plain one says it all. */
export function useStatementColumns(statement: StatementName, days: Settings) {
  const [division] = useDivision();
  const settings = useStatementSettings();
  const wanted = hasColumns(settings);
  const { as_of, ...rest } = days;
  const query = { statement, division, ...rest, ...(as_of ? { to: as_of } : {}), ...settings };
  // The settings stand in the address as text; the server checks them.
  const read = useEndpoint(statementEndpoints.read, { query: query as never }, { enabled: wanted });
  return { wanted, read, table: wanted ? read.data?.data : undefined, settings, group: settings.scope === 'group' };
}

type Columns = ReturnType<typeof useStatementColumns>;

/** With several columns the checks are those of the table, a consolidation included. */
export function checksOf({ wanted, table }: Columns, report: { checks: readonly ReportCheck[] } | undefined) {
  const checks = wanted ? table?.checks : report?.checks;
  return checks && <Checks checks={checks} />;
}

export const headOf = ({ group }: Columns, currency: string, days: string): string[] =>
  (group ? ['All divisions', 'USD', days] : [currency, days]);

export function StatementColumns({ of }: { of: ReturnType<typeof useStatementColumns> }) {
  const { read, table, settings } = of;
  if (read.error?.code === 'consolidation.rate_missing') return <MissingRate error={read.error} />;
  return (
    <Frame read={read}>
      {table && (
        <>
          <FailedChecks checks={table.checks} />
          {settings.compare === 'months' && table.statement === 'profit_loss' && table.columns.length > 2
            && <Suspense fallback={<Skeleton height={260} />}><MonthChart table={table} /></Suspense>}
          {table.part !== null && <p>{`Only ${table.part}`}</p>}
          <ColumnsTable key={table.columns.map((column) => column.title).join()} table={table} settings={settings} />
          {table.scope === 'group' && settings.compare === undefined
            && <Suspense fallback={null}><GroupFigure table={table} /></Suspense>}
          {table.notes.map((note) => <p key={note} className={styles.note}>{note}</p>)}
        </>
      )}
    </Frame>
  );
}
