/**
 * Lines made with a hand scanner: the scanner types a code and Enter. The same item again counts one more; the same
 * copy again is refused, since a copy is one piece. What the server refuses stands at its line.
 */
import { X } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { call } from '#kit/client.ts';
import { IconButton } from '#web/controls/button.tsx';
import { NumberField } from '#web/controls/number-field.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { readFailure } from '#web/query/use-action.ts';
import { stockEndpoints, type StockItem } from './movement.contract.ts';
import styles from '../stock.module.css';

export interface ScannedLine { code: string; quantity: number; item: StockItem }

export interface ScanLinesProps {
  lines: readonly ScannedLine[];
  onChange: (lines: ScannedLine[]) => void;
  /** Words of the server by path: `lines.0.code`. */
  errors: Readonly<Record<string, string>>;
  /** What the number means: 'Quantity', 'Counted', 'More or less'. */
  quantityLabel: string;
}

export function ScanLines({ lines, onChange, errors, quantityLabel }: ScanLinesProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [reading, setReading] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const scan = async (): Promise<void> => {
    const code = text.trim().toUpperCase();
    if (code === '' || reading) return;
    setProblem(undefined);
    const at = lines.findIndex((line) => line.code === code);
    const known = lines[at];
    if (known) {
      if (known.item.copy) setProblem(`${code} was scanned already`);
      else onChange(lines.map((line, index) => (index === at ? { ...line, quantity: line.quantity + 1 } : line)));
      setText('');
      return;
    }
    setReading(true);
    try {
      const { data } = await call(stockEndpoints.scan, { query: { code } });
      onChange([...lines, { code, quantity: 1, item: data }]);
      setText('');
    } catch (error) {
      setProblem(readFailure(error).message);
      input.current?.select();
    } finally {
      setReading(false);
      input.current?.focus();
    }
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    // Enter ends a scan; it must not send the form.
    event.preventDefault();
    void scan();
  };
  return (
    <div className={styles.scan} onKeyDown={(event) => { if (event.target === input.current) onKey(event); }}>
      <TextField label="Scan or type a code, then Enter" value={text} onChange={setText} inputRef={input}
        error={problem ?? errors.lines} caption="A barcode of a copy, or an item number." autoComplete="off" />
      {lines.length > 0 && (
        <ul className={styles.lines} aria-label="Scanned">
          {lines.map((line, index) => (
            <li key={line.code}>
              <span className={styles.what}>
                <strong>{line.item.name}</strong>
                <span>{line.code}</span>
                {errors[`lines.${index}.code`] && <em role="alert">{errors[`lines.${index}.code`]}</em>}
              </span>
              <NumberField label={quantityLabel} value={line.quantity} error={errors[`lines.${index}.quantity`]}
                onChange={(quantity) => onChange(lines.map((one, other) => (other === index
                  ? { ...one, quantity: quantity ?? 0 } : one)))} />
              <IconButton label={`Remove ${line.code}`} icon={<Glyph icon={X} />} type="button" variant="quiet"
                onClick={() => onChange(lines.filter((_one, other) => other !== index))} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
