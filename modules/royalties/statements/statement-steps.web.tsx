/** The thirteen steps of a statement in the order in which they are calculated (domain.md 3.5). */
import { Money } from '#web/data/money.tsx';
import styles from '../royalty.module.css';
import type { StatementDetail } from './statement.contract.ts';

/** Steps whose amount is a result of those above, and the step that is paid. */
const RESULTS: readonly string[] = ['5', '7'];
const PAYMENT = '12';

export function StatementSteps({ statement }: { statement: StatementDetail }) {
  return (
    <ol className={styles.steps}>
      {statement.steps.map((step) => (
        <li key={step.step} className={styles.step} data-result={RESULTS.includes(step.step) || undefined}
          data-payment={step.step === PAYMENT || undefined}>
          <span className={styles.stepNumber}>{step.step}</span>
          <span>
            {step.label}
            <span className={styles.stepFormula}>{step.formula}</span>
          </span>
          <span className={styles.stepAmount}>
            <Money minor={step.amount_minor} strong={RESULTS.includes(step.step) || step.step === PAYMENT} />
          </span>
        </li>
      ))}
    </ol>
  );
}
