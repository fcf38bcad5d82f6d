/** Dates of a tour pasted from a spreadsheet: what was read is counted before it is added. */
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { today } from '#web/data/local-day.ts';
import { pasteRows } from './apply-rows.web.ts';
import type { Stop } from './apply-values.web.ts';
import { counted, sentence } from './portal-words.web.ts';
import apply from './apply.module.css';
import styles from './portal.module.css';

const SHOWN = 5;

export function PastePanel({ stops, venues, dayFirst, onAdd, onClose }: {
  stops: readonly Stop[]; venues: readonly { id: number; name: string }[]; dayFirst: boolean;
  onAdd: (stops: Stop[]) => void; onClose: () => void;
}) {
  const [text, setText] = useState('');
  const read = pasteRows(text, { stops, venues, today: today(), dayFirst });
  const reason = read.rows === 0 ? 'Paste the rows first' : undefined;
  return (
    <section className={apply.panel} aria-label="Paste a list">
      <TextField label="Rows from a spreadsheet" rows={6} value={text} onChange={setText}
        caption={`Columns: venue, date (${dayFirst ? 'day/month/year' : 'month/day/year'}), time, type, street, city, `
          + 'state, postal code, seats, price, ticket type. Headings in the first row may change their order. Add a '
          + 'row for each ticket type of a venue.'} />
      {read.rows > 0 && <p className={styles.muted}>{sentence(counted(read.rows, 'row'))} read,{' '}
        {counted(read.stops.length, 'venue')} in all.</p>}
      {read.problems.length > 0 && (
        <Callout tone="warn" live title={`${sentence(counted(read.problems.length, 'row'))} cannot be read`}>
          {read.problems.slice(0, SHOWN).map((one) => `Row ${one.line}: ${one.text}`).join('; ')}
          {read.problems.length > SHOWN ? ' …' : ''}
        </Callout>
      )}
      <div className={styles.row}>
        <Button variant="primary" {...(reason && { reason })} onClick={() => { onAdd(read.stops); onClose(); }}>
          {read.performances > 0 ? `Add ${counted(read.performances, 'performance')}`
            : read.rows > 0 ? 'Update seats and prices' : 'Add performances'}</Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </section>
  );
}
