/**
 * Phases of a record as a line: past with a check, current ringed, future hollow (LOOK.md 6, pictures 02 and 07). On a
 * phone the line has marks only and the words of now: seven phases under each other would be half the screen.
 */
import { Check, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Glyph, type Icon } from './icons.tsx';
import styles from './stepper.module.css';

export type StepState = 'past' | 'unfinished' | 'current' | 'future';
export interface Step {
  label: string;
  /** A date or 'about Apr 5'. */
  note?: ReactNode;
  state: StepState;
  /** Icon of the current step; a check unless given. */
  icon?: Icon | undefined;
}

const WORDS: Record<StepState, string> = {
  past: 'done', unfinished: 'not complete', current: 'now', future: 'to come',
};

export interface StepperProps {
  steps: readonly Step[];
  label?: string | undefined;
  /** `numbers`: a form in steps, the current one filled (picture 08). */
  variant?: 'phases' | 'numbers' | undefined;
  /** A form in steps lets one go to any of them. */
  onSelect?: ((index: number) => void) | undefined;
}

export function Stepper({ steps, label = 'Progress', variant = 'phases', onSelect }: StepperProps) {
  const drawn = (step: Step, index: number) => (
    <>
      <span className={styles.dot}>
        {step.state === 'past' ? <Glyph icon={Check} size={12} />
          : variant === 'numbers' ? index + 1
            : step.state === 'current' ? <Glyph icon={step.icon ?? CircleCheck} size={12} /> : null}
      </span>
      <span className={styles.text}>
        <span className={styles.label}>{step.label}<span className="gr-hidden">, {WORDS[step.state]}</span></span>
        {step.note && <span className={styles.note}>{step.note}</span>}
      </span>
    </>
  );
  const list = (
    <ol className={styles.steps} aria-label={label} data-variant={variant}>
      {steps.map((step, index) => (
        <li key={step.label} className={styles.step} data-state={step.state}
          aria-current={step.state === 'current' ? 'step' : undefined}>
          {onSelect
            ? <button type="button" className={styles.go} onClick={() => onSelect(index)}>{drawn(step, index)}</button>
            : drawn(step, index)}
        </li>
      ))}
    </ol>
  );
  const at = steps.findIndex((step) => step.state === 'current');
  const now = steps[at];
  if (variant === 'numbers' || !now) return list;
  return (
    <div className={styles.phases}>
      {list}
      <p className={styles.now} aria-hidden="true">
        <span className={styles.nowLabel}>{now.label}</span>
        {now.note && <span>{now.note}</span>}
        <span className={styles.of}>{at + 1} of {steps.length}</span>
      </p>
    </div>
  );
}
