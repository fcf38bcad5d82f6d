/** Open points of a file: dates and numbers with two possible readings, columns nobody reads, letters. */
import { formatDay } from '#web/data/date-text.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Section } from '#web/layout/page-content.tsx';
import type { ImportMapping, ImportReading } from './import.contract.ts';
import { columnNotes } from './import-field.contract.ts';
import { DATES, DECIMALS } from './mapping-words.web.tsx';
import styles from './import.module.css';

type Draft = Pick<ImportMapping, 'date_format' | 'decimal_style'>;

const LABELS: ReadonlyMap<string, string> = new Map([...DATES, ...DECIMALS].map(({ value, label }) => [value, label]));

/** Each way to read the cells, with cells of the file; one of them is chosen before anything is ready. */
export function ReadingChoices<D extends Draft>({ readings, draft, onChange }: {
  readings: readonly ImportReading[]; draft: D; onChange: (draft: D) => void;
}) {
  return (
    <>
      {readings.map(({ setting, options }) => (
        <Section key={setting} record title={setting === 'date_format' ? 'Date format' : 'Number format'}
          description={setting === 'date_format'
            ? 'The dates in this file can be read in more than one way. Choose one, then save.'
            : 'The numbers in this file can be read in more than one way. Choose one, then save.'}>
          <div className={styles.readings}>
            {options.map(({ value, samples }) => (
              <div key={value} className={styles.reading}>
                <strong>{LABELS.get(value) ?? value}</strong>
                <dl>
                  {samples.map(({ row_no: row, field, text, read }) => (
                    <Reading key={`${row} ${field}`} text={text} read={setting === 'date_format' ? formatDay(read)
                      : Number(read).toLocaleString('en-US', { maximumFractionDigits: 4 })} />
                  ))}
                </dl>
                <Button size="small" variant={draft[setting] === value ? 'primary' : 'secondary'}
                  aria-pressed={draft[setting] === value}
                  onClick={() => onChange({ ...draft, [setting]: value })}>Use this format</Button>
              </div>
            ))}
          </div>
        </Section>
      ))}
    </>
  );
}

function Reading({ text, read }: { text: string; read: string }) {
  return (
    <>
      <dt>{text}</dt>
      <dd>{read}</dd>
    </>
  );
}

/** Errors at the columns whose cells nobody has said how to read. */
export function undecidedAt(mapping: ImportMapping, draft: Draft): Record<string, string[]> {
  return Object.fromEntries(mapping.readings.filter(({ setting }) => draft[setting] === null)
    .flatMap(({ setting, options }) => options.flatMap(({ samples }) => samples.map(({ field }) => [`columns.${field}`,
      [setting === 'date_format' ? 'Choose a date format above'
        : 'Choose a number format above']]))));
}

export function Samples({ texts }: { texts: readonly string[] | undefined }) {
  return texts && texts.length > 0 ? <span className={styles.samples}>{texts.join(' · ')}</span> : null;
}

/** "Columns not used: Notes, Box office manager". */
export function ColumnNotes({ header, columns }: Pick<ImportMapping, 'header' | 'columns'>) {
  const { repeated, unused } = columnNotes({ header, columns });
  if (repeated.length === 0 && unused.length === 0) return null;
  return (
    <p className={styles.quiet}>
      {repeated.length > 0 && `More than one column is named ${repeated.join(', ')}. `
        + 'Check that the right one is used. '}
      {unused.length > 0 && `Columns not used: ${unused.join(', ')}.`}
    </p>
  );
}
