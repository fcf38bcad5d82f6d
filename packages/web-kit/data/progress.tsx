/** Progress of a piece of work: a bar with its figures in words; announced to screen readers by the bar itself. */
import styles from './progress.module.css';

export interface ProgressProps {
  label: string;
  done: number;
  total: number;
  /** Unit counted: 'rows'. */
  unit: string;
}

const NUMBER = new Intl.NumberFormat('en-US');

export function Progress({ label, done, total, unit }: ProgressProps) {
  const percent = total === 0 ? 0 : Math.floor((done / total) * 100);
  return (
    <div className={styles.progress}>
      <div className={styles.words}>
        <span className={styles.label}>{label}</span>
        <span className={styles.figures}>
          {NUMBER.format(done)} of {NUMBER.format(total)} {unit}<strong>{percent}%</strong>
        </span>
      </div>
      <progress className={styles.bar} max={Math.max(1, total)} value={done} aria-label={label} />
    </div>
  );
}
