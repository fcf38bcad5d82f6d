/** A figure of the group: the divisions that add up to it, each in its own books and in USD, and the eliminations. */
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import { Money } from '#web/data/money.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { figureHref, ownAmount } from './statement-links.ts';
import { statementEndpoints, type StatementTable } from './statement-table.contract.ts';
import styles from './report.module.css';

type Row = StatementTable['rows'][number];
type Column = StatementTable['columns'][number];
interface PartProps { table: StatementTable; row: Row; column: Column; minor: number }

const RATE_DIGITS = 4;

/** USD for a unit of the division's currency; of days that have several rates, their mean for this figure. */
const rateOf = (own: number, usd: number): string => (own === 0 ? '' : (usd / own).toFixed(RATE_DIGITS));

function DivisionPart({ table, row, column, minor, division }: PartProps & { division: Division }) {
  const { statement, from, to } = table;
  const read = useEndpoint(statementEndpoints.read, { query: { statement, division, from, to } });
  const own = read.data && ownAmount(read.data.data, row);
  const currency = FUNCTIONAL_CURRENCY[division];
  const href = figureHref(table, row, column, { scope: 'group' });
  const isTranslated = currency !== 'USD' && own !== undefined && own !== null;
  return (
    <tr className={styles.row}>
      <th scope="row">{column.title}</th>
      <td>{isTranslated && <Money minor={own} currency={currency} />}</td>
      <td>{isTranslated && rateOf(own, minor)}</td>
      <td>{href === null ? <Money minor={minor} />
        : <AppLink className={styles.lead} href={href}><Money minor={minor} /></AppLink>}</td>
    </tr>
  );
}

function Part(props: PartProps) {
  const { table, row, column, minor } = props;
  if (column.division !== null) return <DivisionPart {...props} division={column.division} />;
  const href = figureHref(table, row, column, { scope: 'group' });
  return (
    <tr className={styles.row}>
      <th scope="row">{column.title}</th><td /><td />
      <td>{href === null ? <Money minor={minor} />
        : <AppLink className={styles.lead} href={href}><Money minor={minor} /></AppLink>}</td>
    </tr>
  );
}

/** Opened by `figure` in the address: the key of a line. */
export default function GroupFigure({ table }: { table: StatementTable }) {
  const { values, set } = useQueryValues();
  const row = table.rows.find((one) => one.key === values.get('figure'));
  if (!row) return null;
  const group = table.columns.length - 1;
  return (
    <Drawer open floating width={396} onClose={() => set({ figure: null })} title={row.title}>
      <div className={styles.parts}>
        <table className={styles.statement}>
          <caption className="gr-hidden">{row.title} by division</caption>
          <thead>
            <tr>
              {['Division', 'In its books', 'Rate', 'USD'].map((title) => <th key={title} scope="col">{title}</th>)}
            </tr>
          </thead>
          <tbody>
            {table.columns.map((column, at) => at !== group && row.amounts[at] !== 0 && (
              <Part key={column.key} table={table} row={row} column={column} minor={row.amounts[at]!} />))}
            <tr className={styles.result}>
              <th scope="row">Group</th><td /><td /><td><Money minor={row.amounts[group]!} /></td>
            </tr>
          </tbody>
        </table>
      </div>
    </Drawer>
  );
}
