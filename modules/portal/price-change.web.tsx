/** Effect of a change on the price: the lines that move and the difference owed, minor units. */
import { formatAmount, Money } from '#web/data/money.tsx';
import styles from './portal.module.css';

interface Line { description: string; before_minor: number; after_minor: number; delta_minor: number }

export function PriceChange({ lines, currency }: { lines: readonly Line[]; currency: string }) {
  const total = lines.reduce((sum, line) => sum + line.delta_minor, 0);
  return (
    <table className={styles.lines}>
      <caption className="gr-hidden">Change in price</caption>
      <tbody>
        {lines.filter((line) => line.delta_minor !== 0).map((line) => (
          <tr key={line.description}>
            <th scope="row">{line.description}
              <small>{formatAmount(line.before_minor)} to {formatAmount(line.after_minor)}</small></th>
            <td><Money minor={line.delta_minor} /></td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr><th scope="row">{total === 0 ? 'The price stays' : total > 0 ? 'More to pay' : 'Less to pay'}
          <small>{currency}</small></th><td><Money minor={total} /></td></tr>
      </tfoot>
    </table>
  );
}
