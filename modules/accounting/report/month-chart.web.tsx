/** The chart of a profit and loss by month, loaded where it is drawn. */
import { TwinBars } from '#web/charts/twin-bars.tsx';
import type { StatementTable } from './statement-table.contract.ts';
import styles from './report.module.css';

/** Revenue and costs by month: what the table says in many figures. */
export default function MonthChart({ table }: { table: StatementTable }) {
  const of = (key: string, index: number): number => table.rows.find((row) => row.key === key)?.amounts[index] ?? 0;
  const bars = table.columns.flatMap((column, index) => (column.total ? [] : [{ label: column.title.slice(0, 3),
    title: column.title, upper_minor: Math.max(0, of('sum:revenue', index)),
    lower_minor: Math.max(0, of('sum:cost_of_sales', index) + of('sum:operating', index)) }]));
  return (
    <div className={styles.chart} data-print="hide">
      <TwinBars currency={table.currency} bars={bars} upper={{ label: 'Revenue' }}
        lower={{ label: 'Cost of sales and operating expenses' }} />
    </div>
  );
}
