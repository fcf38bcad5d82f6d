/**
 * Trace of a calculation: the kernel's steps, numbered on a rail, with source, formula lines and result (LOOK.md 8).
 * The same component in quote, license, portal and statement. Amounts are minor units.
 */
import { Calculator } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { useOnPaper } from '#web/layout/use-on-paper.ts';
import { Money, formatAmount } from './money.tsx';
import styles from './trace.module.css';

export interface TraceLine { text: string; minor?: number | bigint | null | undefined }
export interface TraceStep {
  title: string;
  /** Place of its rule in words: 'Rate card'. */
  source?: string | undefined;
  minor?: number | bigint | null | undefined;
  lines?: readonly TraceLine[] | undefined;
}

export interface TraceProps {
  steps: readonly TraceStep[];
  /** Place and time it was stored. */
  note?: ReactNode;
  total?: { label?: string | undefined; minor: number | bigint; currency: string } | undefined;
  /** Under the total: 'Paid in full'. */
  after?: ReactNode;
  /** Own heading; leave it out inside a Drawer, whose title says it. */
  heading?: boolean | undefined;
}

/** Brass calculator: the mark of every figure that can be explained. */
export function TraceIcon() {
  return <span className={styles.icon}><Glyph icon={Calculator} size={16} /></span>;
}

/** A tour of forty houses has eighty steps: beyond this many, the first are read and the others asked for. */
const MOST_STEPS = 24;
const FIRST_STEPS = 12;

/** Paper has them all. */
function useShownSteps(count: number): { shown: number; showAll: () => void } {
  const [all, setAll] = useState(false);
  useOnPaper(() => setAll(true));
  return { shown: all || count <= MOST_STEPS ? count : FIRST_STEPS, showAll: () => setAll(true) };
}

export function Trace({ steps, note, total, after, heading = true }: TraceProps) {
  const { shown, showAll } = useShownSteps(steps.length);
  return (
    <div className={styles.trace}>
      {heading && <h3 className={styles.heading}><TraceIcon />How this was calculated</h3>}
      {note && <p className={styles.note}>{note}</p>}
      <ol className={styles.steps}>
        {steps.slice(0, shown).map((step, index) => (
          <li key={`${index}${step.title}`} className={styles.step}>
            <span className={styles.number} aria-hidden="true">{index + 1}</span>
            <div className={styles.line}>
              <span>
                <strong>{step.title}</strong>{step.source && <span className={styles.source}> {step.source}</span>}
              </span>
              <span className={styles.result}><Money minor={step.minor} strong /></span>
            </div>
            {step.lines?.map((line, at) => (
              <div key={`${at}${line.text}`} className={styles.formula}>
                <span>{line.text}</span><Money minor={line.minor} />
              </div>
            ))}
          </li>
        ))}
      </ol>
      {shown < steps.length && <Button onClick={showAll}>Show the other {steps.length - shown} steps</Button>}
      {total && (
        <div className={styles.total}>
          <strong>{total.label ?? 'Total'}</strong>
          <span className={styles.sum}>{formatAmount(total.minor, total.currency)}</span>
        </div>
      )}
      {after}
    </div>
  );
}
