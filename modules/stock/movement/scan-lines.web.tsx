/**
 * Lines made with a hand scanner. The same item again counts one more; the same copy again is refused, since a copy is
 * one piece. The latest stands first. What the server refuses stands at its line.
 */
import { X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { countOf } from '#kernel/text/count.ts';
import type { Currency } from '#kernel/money/money.ts';
import { call } from '#kit/client.ts';
import { IconButton } from '#web/controls/button/button.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { ScanField, type Refused, type ScanFieldProps, type Taken } from '../scan-field.web.tsx';
import { stockEndpoints, type StockItem } from './movement.contract.ts';
import styles from '../stock.module.css';

export interface ScannedLine { code: string; quantity: number; item: StockItem; unit_cost_minor?: number | null }

export interface ScanLinesProps {
  lines: readonly ScannedLine[];
  onChange: (lines: ScannedLine[]) => void;
  /** Words of the server by path: `lines.0.code`. */
  errors: Readonly<Record<string, string>>;
  /** Label for the number: 'Quantity', 'Counted', 'More or less'. */
  quantityLabel: string;
  /** Fewer than none: of a correction. */
  allowNegative?: boolean | undefined;
  first?: ScanFieldProps['first'];
  /** Each line has a cost in this currency: a delivery that a vendor bills. */
  costs?: Currency | undefined;
}

const piecesOf = (lines: readonly ScannedLine[]): string => {
  const pieces = lines.reduce((sum, line) => sum + line.quantity, 0);
  return `${countOf(lines.length, 'line')}, ${countOf(pieces, 'piece')}`;
};

/** One more of a code; a piece less takes it back, and the line with its last piece. */
function oneMore(lines: readonly ScannedLine[], code: string, item: StockItem): ScannedLine[] {
  return lines.some((line) => line.code === code)
    ? lines.map((line) => (line.code === code ? { ...line, quantity: line.quantity + 1 } : line))
    : [...lines, { code, quantity: 1, item }];
}
function oneLess(lines: readonly ScannedLine[], code: string): ScannedLine[] {
  return lines.flatMap((line) => (line.code !== code ? [line]
    : line.quantity > 1 ? [{ ...line, quantity: line.quantity - 1 }] : []));
}

export function ScanLines({ lines, onChange, errors, quantityLabel, allowNegative, first, costs }: ScanLinesProps) {
  // A scan that was waiting for an answer adds to what stands there when it comes.
  const latest = useRef(lines);
  useLayoutEffect(() => { latest.current = lines; });
  const change = (next: ScannedLine[]): void => { latest.current = next; onChange(next); };
  const take = async (code: string): Promise<Taken | Refused> => {
    const known = latest.current.find((line) => line.code === code);
    if (known?.item.copy) return { problem: 'It was scanned already.' };
    const item = known?.item ?? (await call(stockEndpoints.scan, { query: { code } })).data;
    change(oneMore(latest.current, code, item));
    const count = latest.current.find((line) => line.code === code)?.quantity ?? 1;
    return { title: item.name, text: item.copy ? code : `${code}, ${count} so far`,
      undo: () => change(oneLess(latest.current, code)) };
  };
  const shown = lines.map((line, index) => ({ line, index })).toReversed();
  return (
    <div className={styles.scan}>
      <ScanField take={take} error={errors.lines} caption="A barcode of a copy, or an item number."
        hint="Scanned items appear here." first={first} />
      {lines.length > 0 && (
        <section className={styles.scan} aria-label="Scanned">
          <p className={styles.sum}>{piecesOf(lines)}</p>
          <ul className={styles.lines}>
            {shown.map(({ line, index }) => (
              <li key={line.code} className={costs ? styles.costed : undefined}>
                <span className={styles.what}>
                  <strong>{line.item.name}</strong>
                  <span>{line.code}</span>
                  {errors[`lines.${index}.code`] && <em role="alert">{errors[`lines.${index}.code`]}</em>}
                </span>
                <NumberField label={`${quantityLabel}: ${line.code}`} hideLabel value={line.quantity}
                  allowNegative={allowNegative} error={errors[`lines.${index}.quantity`]}
                  onChange={(quantity) => change(lines.map((one, other) =>
                    (other === index ? { ...one, quantity: quantity ?? 0 } : one)))} />
                {costs && (
                  <MoneyField label={`Cost each: ${line.code}`} hideLabel currency={costs}
                    value={line.unit_cost_minor ?? null} error={errors[`lines.${index}.unit_cost_minor`]}
                    onChange={(unit_cost_minor) => change(lines.map((one, other) =>
                      (other === index ? { ...one, unit_cost_minor } : one)))} />)}
                <IconButton label={`Remove ${line.code}`} icon={<Glyph icon={X} />} type="button" variant="quiet"
                  onClick={() => change(lines.filter((_one, other) => other !== index))} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
