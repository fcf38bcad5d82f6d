/**
 * Content of a peek (picture 03): the record, its state, its amount. A list passes a component of its own to
 * `DataTable` (`peek`) that returns a `PeekView`; other lists have the general one, made of their columns.
 */
import { createContext, use, type ReactNode } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Skeleton } from './empty-state.tsx';
import { formatDay } from './date-text.tsx';
import { Money } from './money.tsx';
import styles from './peek.module.css';

/** Id of the heading, which names the panel. */
export const PeekHeading = createContext<string | undefined>(undefined);

export interface PeekViewProps {
  code?: ReactNode;
  title: ReactNode;
  /** Person and place. */
  under?: ReactNode;
  badges?: ReactNode;
  /** One or two links to where it is decided. */
  foot?: ReactNode;
  children?: ReactNode;
}

export function PeekView({ code, title, under, badges, foot, children }: PeekViewProps) {
  const id = use(PeekHeading);
  return (
    <>
      {/* Reached by Tab, so that the arrow keys scroll what holds no button or link. */}
      <div className={styles.body} role="group" aria-labelledby={id} tabIndex={0} data-peek-body>
        {code && <span className={styles.code}><span>{code}</span></span>}
        <h2 id={id} className={styles.title}>{title}</h2>
        {under && <p className={styles.under}>{under}</p>}
        {badges && <div className={styles.badges}>{badges}</div>}
        <div className={styles.content}>{children}</div>
      </div>
      {foot && <div className={styles.foot}>{foot}</div>}
    </>
  );
}

export function PeekSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3 className={styles.sectionTitle}>{title}</h3>
      {children}
    </section>
  );
}

/** Placeholder for a part that is loading: about as high as the part, so that the content below keeps its place. */
export function PeekWait({ title, lines }: { title: string; lines: number }) {
  return (
    <section className={styles.section} aria-busy="true">
      <h3 className={styles.sectionTitle}>{title}</h3>
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} width={`${88 - (index % 3) * 14}%`} height={22} />
      ))}
    </section>
  );
}

export interface PeekLine { key: string | number; label: ReactNode; note?: ReactNode; minor: number | null }

/** Lines that add up; sums are the server's. */
export function PeekLines({ lines, totals, label }: {
  lines: readonly PeekLine[]; totals: readonly PeekLine[]; label: string;
}) {
  const row = ({ key, label: words, note, minor }: PeekLine) => (
    <tr key={key}>
      <th scope="row">{words}{note && <small>{note}</small>}</th>
      <td><Money minor={minor} /></td>
    </tr>
  );
  return (
    <table className={styles.lines} aria-label={label}>
      <tbody>{lines.map(row)}</tbody>
      <tfoot>{totals.map(row)}</tfoot>
    </table>
  );
}

export interface PeekDay { key: string | number; day: string; time?: string | undefined; off?: boolean | undefined }

/** 'Fri, Mar 12': the year stands where the days are told in words. */
function dayChip(day: string): string {
  return formatDay(day, 'near');
}

/** Days as chips, the first of them; how many more there are is said. */
export function PeekDays({ days, most = 8 }: { days: readonly PeekDay[]; most?: number }) {
  return (
    <ul className={styles.chips}>
      {days.slice(0, most).map(({ key, day, time, off }) => (
        <li key={key} data-off={off || undefined}>
          <time dateTime={day}>{dayChip(day)}</time>{time && ` ${time}`}
          {off && <span className="gr-hidden">{spell`, canceled`}</span>}
        </li>
      ))}
      {days.length > most && <li>{days.length - most} more</li>}
    </ul>
  );
}

export function PeekNote({ children }: { children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}
