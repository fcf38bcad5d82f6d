/**
 * The ticketing table: one row per ticket kind with seats, price, weight; Add Ticket appends zeros, Remove deletes by
 * index, every change notifies the parent once with the full list. Cells are disabled without `canEdit`; Add and
 * Remove are not gated. No message is shown while typing (R14). Under the rows stand seats, weighted average price and
 * the gross at capacity. The local list starts as the passed rows and is the table's own from then on (S21).
 */
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatMinor } from '#kernel/money/money.ts';
import { usualBands } from '#kernel/pricing/price-bands.ts';
import { AsyncSelect } from '../select/async-select.tsx';
import { Button } from '../button/button.tsx';
import {
  rowGross, ticketReducer, ticketText, ticketTotals, ticketValue,
  type TicketEvent, type TicketField, type TicketRow,
} from './ticketing.ts';
import fieldStyles from '../field/field-frame.module.css';
import styles from './ticketing-table.module.css';

export type TicketingTableProps = {
  rows: readonly TicketRow[];
  onChange: (rows: TicketRow[]) => void;
  /** Whether the cells may be edited: `canEditTickets(user)`. */
  canEdit: boolean;
  currency?: string | undefined;
  caption?: string | undefined;
  /** Types of performance that rows may be for; absent: every row is for all of them. */
  types?: readonly { value: string; label: string }[] | undefined;
};

const FIELDS: readonly { field: TicketField; label: string }[] = [
  { field: 'number_of_seats', label: 'Seats' }, { field: 'price', label: 'Price' },
  { field: 'weight', label: 'Weight' },
];

type KeyedRow = { key: number; row: TicketRow };

export function TicketingTable(props: TicketingTableProps) {
  const { rows, onChange, canEdit, currency, caption = 'Ticketing', types } = props;
  const nextKey = useRef(rows.length);
  const [kept, setKept] = useState<KeyedRow[]>(() => rows.map((row, key) => ({ key, row })));
  // Two changes in one tick must see each other, so the list is read from here and not from the render.
  const latest = useRef(kept);

  function change(event: TicketEvent) {
    const before = latest.current;
    const after = ticketReducer(before.map((item) => item.row), event);
    const keys = before.map((item) => item.key);
    if (event.type === 'remove') keys.splice(event.index, 1);
    if (event.type === 'add') keys.push(nextKey.current++);
    latest.current = after.map((row, index) => ({ key: keys[index] ?? 0, row }));
    setKept(latest.current);
    onChange(after);
  }

  const capacity = `At capacity${currency ? ` ${currency}` : ''}`;
  return (
    <div className={styles.ticketing}>
      <div className={styles.scroll} data-scrolls>
        <table className={styles.table}>
          <caption className={styles.hidden}>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{caption}</th>
              {types && <th scope="col">Performances</th>}
              {FIELDS.map(({ field, label }) => <th key={field} scope="col" className={styles.number}>{label}</th>)}
              <th scope="col" className={styles.number}>{capacity}</th>
              <th scope="col"><span className={styles.hidden}>Actions</span></th>
            </tr>
          </thead>
          <tbody>
            {kept.map(({ key, row }, index) => (
              <tr key={key}>
                <th scope="row">Ticket {index + 1}</th>
                {types && (
                  <td data-label="Performances">
                    <AsyncSelect<string> label={`Performances, ticket ${index + 1}`} hideLabel clearable
                      placeholder="All" options={types} value={row.performance_type ?? null} disabled={!canEdit}
                      onChange={(type) => change({ type: 'give', index, performance_type: type })} />
                  </td>
                )}
                {FIELDS.map(({ field, label }) => (
                  <td key={field} className={styles.number} data-label={label}>
                    <TicketCell label={`${label}, ticket ${index + 1}`} field={field} value={row[field]}
                      disabled={!canEdit} onChange={(value) => change({ type: 'edit', index, field, value })} />
                  </td>
                ))}
                <td className={styles.number} data-label={capacity}>{formatMinor(rowGross(row))}</td>
                <td className={styles.remove}>
                  <Button size="small" variant="quiet" aria-label={`Remove ticket ${index + 1}`}
                    onClick={() => change({ type: 'remove', index })}>Remove</Button>
                </td>
              </tr>
            ))}
          </tbody>
          <TicketFoot rows={usualBands(kept.map((item) => item.row))} capacity={capacity} span={types ? 2 : 1} />
        </table>
      </div>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => change({ type: 'add' })}>Add Ticket</Button>
    </div>
  );
}

/** Matinees at other prices are the same seats again: the foot sums the rows of the other performances. */
function TicketFoot({ rows, capacity, span }: { rows: readonly TicketRow[]; capacity: string; span: number }) {
  const totals = ticketTotals(rows);
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={span}>{rows.length === 1 ? '1 price' : `${rows.length} prices`}</th>
        <td className={styles.number} data-label="Seats">{totals.seats.toLocaleString('en-US')}</td>
        <td className={styles.number} data-label="Price">
          {totals.average_minor !== null && (
            <><span className={styles.note}>avg</span> {formatMinor(totals.average_minor)}</>
          )}
        </td>
        <td className={styles.number} data-label="Weight">{totals.weight.toLocaleString('en-US')}</td>
        <td className={styles.number} data-label={capacity}>{formatMinor(totals.gross_minor)}</td>
        <td className={styles.remove} />
      </tr>
    </tfoot>
  );
}

type TicketCellProps = {
  label: string;
  field: TicketField;
  value: number;
  disabled: boolean;
  onChange: (value: number) => void;
};

/** One cell: its own words while edited, the value's text after leaving. A refused keystroke changes nothing. */
function TicketCell({ label, field, value, disabled, onChange }: TicketCellProps) {
  const [draft, setDraft] = useState<string | null>(null);
  function onText(text: string) {
    const next = ticketValue(field, text);
    if (next === undefined) return;
    setDraft(text);
    if (next !== value) onChange(next);
  }
  return (
    <input type="text" inputMode="decimal" autoComplete="off" aria-label={label} disabled={disabled}
      className={`${fieldStyles.input} ${fieldStyles.numeric} ${styles.cell}`}
      value={draft ?? ticketText(field, value)}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onText(event.currentTarget.value)} onBlur={() => setDraft(null)} />
  );
}
