/** Around every chart: its number as a title, the legend, and the Table button that shows the same figures in rows. */
import { useId, useState, type ReactNode } from 'react';
import styles from './chart.module.css';

export interface ChartTable { head: readonly string[]; rows: readonly (readonly string[])[] }

export interface ChartFrameProps {
  /** Summary of the chart in one sentence, for screen readers. */
  summary: string;
  title: ReactNode;
  legend?: ReactNode;
  tools?: ReactNode;
  table: ChartTable;
  children: ReactNode;
}

export function ChartFrame({ summary, title, legend, tools, table, children }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <div className={styles.bar}>
        <div className={styles.titles}>{title}</div>
        <div className={styles.legend}>{legend}</div>
        {tools}
        <button type="button" className={styles.toggle} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Chart' : 'Table'}
        </button>
      </div>
      <figcaption id={id} className="gr-hidden">{summary}</figcaption>
      {asTable ? (
        <div className={styles.tableBox}>
          <table className={styles.table}>
            <thead><tr>{table.head.map((cell) => <th key={cell} scope="col">{cell}</th>)}</tr></thead>
            <tbody>
              {table.rows.map((row) => (
                <tr key={row[0]}>
                  {row.map((cell, index) => (index === 0
                    ? <th key={index} scope="row">{cell}</th> : <td key={index}>{cell}</td>))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : children}
    </figure>
  );
}

/** A number as a chart's title: caption with swatch, value, one comparison. */
export function ChartNumber({ label, value, note, series }: {
  label: string; value: string; note?: ReactNode; series: 1 | 2;
}) {
  return (
    <div className={styles.number}>
      <span className={styles.caption}>
        {label}<i className={styles.swatch} data-series={series} aria-hidden="true" />
      </span>
      <span><strong>{value}</strong>{note && <small>{note}</small>}</span>
    </div>
  );
}
