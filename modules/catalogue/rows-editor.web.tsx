/** Rows of a form that come and go: tiers, bands, deductions. Each row's fields are given by the caller. */
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import styles from './catalogue.module.css';

export interface RowsEditorProps<Row> {
  label: string;
  /** One sentence: what the rows are for. */
  caption?: string;
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
  /** A new row; it may go on from the last one. */
  blank: (last: Row | undefined) => Row;
  add: string;
  /** Error of the list as a whole. */
  error?: string | undefined;
  /** To be read only: no row comes or goes. */
  disabled?: boolean | undefined;
  /** Fields in columns of one width from row to row, named above the first row alone where there is room. */
  aligned?: boolean | undefined;
  children: (index: number) => ReactNode;
}

export function RowsEditor<Row>(props: RowsEditorProps<Row>) {
  const { label, caption, rows, onChange, blank, add, error, disabled, aligned, children } = props;
  return (
    <fieldset className={styles.rows} data-aligned={aligned || undefined}>
      <legend>{label}</legend>
      {caption && <p className={styles.rowsCaption}>{caption}</p>}
      {rows.map((_, index) => (
        <div key={index} className={styles.row}>
          <div className={styles.rowFields}>{children(index)}</div>
          {!disabled && (
            <IconButton label={`Remove row ${index + 1}`} icon={<Glyph icon={X} />} type="button" variant="quiet"
              onClick={() => onChange(rows.filter((_row, other) => other !== index))} />
          )}
        </div>
      ))}
      {error && <p role="alert" className={styles.rowsError}>{error}</p>}
      {!disabled && (
        <div>
          <Button size="small" type="button" icon={<Glyph icon={Plus} size={14} />}
            onClick={() => onChange([...rows, blank(rows.at(-1))])}>{add}</Button>
        </div>
      )}
    </fieldset>
  );
}
