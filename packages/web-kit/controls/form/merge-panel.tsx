/**
 * Changes somebody else made to the record while its form was open (U27): author and time, each field as it was, theirs
 * and mine side by side, and a choice wherever both changed the same one. The form itself shows the result at once.
 */
import { Users } from 'lucide-react';
import { useId, type RefObject } from 'react';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Button } from '../button/button.tsx';
import { valueAt } from '../field/field-path.ts';
import type { FieldDifference } from './merge-changes.ts';
import type { FoundChanges, Side } from './use-record-merge.ts';
import styles from './merge-panel.module.css';

export interface MergePanelProps {
  found: FoundChanges;
  /** The record as it is now. */
  loaded: object;
  pending: boolean;
  labels?: Record<string, string> | undefined;
  words: Readonly<Record<string, (value: unknown) => string | undefined>>;
  /** The form around it: a reference chosen here stands in words in its control only. */
  root: RefObject<HTMLElement | null>;
  onChoose: (path: string, side: Side) => void;
  onClose: () => void;
}

type Kind = 'both' | 'theirs' | 'mine';
type Line = FieldDifference & { kind: Kind; choice?: Side | null };

export function MergePanel(props: MergePanelProps) {
  const { found, onClose, pending } = props;
  const id = useId();
  const waiting = found.both.filter(({ choice }) => choice === null).length;
  const lines: Line[] = [...found.both.map((one) => ({ ...one, kind: 'both' as const })),
    ...found.theirs.map((one) => ({ ...one, kind: 'theirs' as const })),
    ...found.mine.map((one) => ({ ...one, kind: 'mine' as const }))];
  return (
    <section className={styles.panel} aria-labelledby={id} data-waiting={waiting > 0 || undefined}>
      <div role={waiting > 0 ? 'alert' : 'status'} className={styles.head}>
        <Users size={16} strokeWidth={1.75} aria-hidden="true" />
        <div>
          <p id={id} className={styles.title}><Who by={found.by} /></p>
          <p className={styles.text}>{tellOf(found, waiting)}</p>
        </div>
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Field</th><th scope="col">Before</th><th scope="col">Theirs</th><th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>{lines.map((line) => <Row key={line.path} line={line} {...props} />)}</tbody>
      </table>
      <div className={styles.actions}>
        {waiting > 1 && (['mine', 'theirs'] as const).map((side) => (
          <Button key={side} size="small" onClick={() => found.both.forEach((one) => {
            if (one.choice === null) props.onChoose(one.path, side);
          })}>{side === 'mine' ? 'Keep all of mine' : 'Take all of theirs'}</Button>
        ))}
        {waiting === 0 && found.both.length + found.mine.length > 0 && (
          <Button size="small" type="submit" pending={pending}>Save both</Button>
        )}
        {waiting === 0 && <Button size="small" variant="quiet" onClick={onClose}>Close</Button>}
      </div>
    </section>
  );
}

function Who({ by }: Pick<FoundChanges, 'by'>) {
  if (!by) return <>This was changed while you had it open</>;
  if (by.who === undefined) return <>This was changed on <DateText value={by.when} /> while you had it open</>;
  return <>{by.who ?? 'The system'} changed this on <DateText value={by.when} /></>;
}

function tellOf(found: FoundChanges, waiting: number): string {
  if (waiting > 0) {
    return `${waiting === 1 ? 'One field was' : `${waiting} fields were`} changed by both of you: choose which value `
      + 'stays. Nothing you typed is lost.';
  }
  if (found.both.length > 0) return 'You have chosen. Save to keep it.';
  if (found.mine.length > 0) return 'Their changes are included, yours are kept. Save to keep both.';
  return 'The form shows the record as it is now.';
}

function Row({ line, ...props }: MergePanelProps & { line: Line }) {
  const name = useId();
  const label = labelOf(line.path, props.labels);
  const cell = (side: Side) => {
    const words = wordsAt(line, side, props);
    const text = <Text>{words}</Text>;
    if (line.kind !== 'both') {
      return line.kind === side ? <strong>{text}</strong> : <span className={styles.same}>{text}</span>;
    }
    return (
      <label className={styles.choice}>
        <input type="radio" name={name} checked={line.choice === side} onChange={() => props.onChoose(line.path, side)}
          aria-label={`${label}: keep ${side === 'mine' ? 'yours' : 'theirs'}, ${words || 'empty'}`} />
        {text}
      </label>
    );
  };
  const open = line.kind === 'both' && line.choice === null;
  return (
    <tr data-kind={line.kind} data-choose={open || undefined}>
      <th scope="row">{label}</th>
      <td data-label="Before"><Text>{wordsAt(line, 'loaded', props)}</Text></td>
      <td data-label="Theirs">{cell('theirs')}</td>
      <td data-label="Yours">{cell('mine')}</td>
    </tr>
  );
}

function Text({ children }: { children: string }) {
  return children === '' ? <em className={styles.empty}>empty</em> : <span>{children}</span>;
}

/** `address.line1` as the form's own word, else 'Address, line1'. */
function labelOf(path: string, labels: Record<string, string> = {}): string {
  if (labels[path]) return labels[path];
  const words = path.split('.').map((part, index, all) =>
    labels[all.slice(0, index + 1).join('.')] ?? part.replace(/_(id|minor|ppm|at|on)$/, '').replaceAll('_', ' '));
  const text = words.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function wordsAt(line: Line, side: Side | 'loaded', props: MergePanelProps): string {
  const value = line[side];
  const declared = props.words[line.path]?.(value);
  if (declared !== undefined) return declared;
  if (typeof value === 'number' && line.path.endsWith('_id')) {
    // The control has the words of what it shows; any other record is named by its number.
    return sameAsShown(line, side, props) ? shownText(props.root.current, line.path) ?? `no. ${value}` : `no. ${value}`;
  }
  return plainWords(value);
}

function sameAsShown(line: Line, side: Side | 'loaded', props: MergePanelProps): boolean {
  const chosen = line.kind === 'both' ? line.choice ?? 'mine' : line.kind;
  return line[side] === (chosen === 'theirs' ? valueAt(props.loaded, line.path) : line.mine);
}

function shownText(root: HTMLElement | null, path: string): string | undefined {
  const control = root?.querySelector<HTMLElement>(`[name="${CSS.escape(path)}"]`);
  return control instanceof HTMLInputElement ? control.value : control?.textContent ?? undefined;
}

function plainWords(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return value.toLocaleString('en-US');
  if (typeof value === 'string') return /^\d{4}-\d{2}-\d{2}$/.test(value) ? formatDay(value) : value;
  if (Array.isArray(value)) {
    return value.every((item) => typeof item !== 'object') ? value.join(', ')
      : `${value.length} ${value.length === 1 ? 'line' : 'lines'}`;
  }
  return Object.values(value as Record<string, unknown>).filter((part) => typeof part !== 'object' && part)
    .join(', ');
}
