/** Columns of a ticketing table that is read: seats, price, weight, gross at capacity, with their totals. */
import { parseMinor } from '#kernel/money/money.ts';
import { performancesOfType, usualBands } from '#kernel/pricing/price-bands.ts';
import { rowGross, ticketTotals } from '#web/controls/ticketing/ticketing.ts';
import type { Column } from '#web/data/column.ts';
import { formatAmount } from '#web/data/money.tsx';
import type { TicketRow } from './license-venue.contract.ts';
import styles from '../../licensing.module.css';

const count = (value: number) => value.toLocaleString('en-US');

export function ticketColumns(rows: readonly TicketRow[]): readonly Column<TicketRow & { place: number }>[] {
  // Matinees at other prices are the same seats again: the totals are those of the other performances.
  const totals = ticketTotals(usualBands(rows));
  return [
    { id: 'label', header: 'Ticketing', kind: 'title', cell: (row) =>
      [row.label || `Ticket ${row.place}`, row.performance_type ? performancesOfType(row.performance_type) : '']
        .filter(Boolean).join(', '), width: 180 },
    { id: 'seats', header: 'Seats', kind: 'number', cell: (row) => count(row.number_of_seats), width: 90,
      total: count(totals.seats) },
    { id: 'price', header: 'Price', kind: 'money', cell: (row) => parseMinor(row.price.toFixed(2)), width: 110,
      total: totals.average_minor === null ? '' : <><span
        className={styles.muted}>avg</span> {formatAmount(totals.average_minor)}</> },
    { id: 'weight', header: 'Weight', kind: 'number', cell: (row) => String(row.weight), width: 90,
      total: count(totals.weight) },
    { id: 'gross', header: 'At capacity', kind: 'money', cell: (row) => rowGross(row), width: 120,
      total: totals.gross_minor },
  ];
}
