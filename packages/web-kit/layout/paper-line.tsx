/** First line of a print: whose paper it is, and when it was printed. The screen has its frame for that. */
import { useState } from 'react';
import { formatInstant } from '#web/data/date-text.tsx';
import { Logo } from './logo.tsx';
import { useOnPaper } from './use-on-paper.ts';
import styles from './paper-line.module.css';

export function PaperLine() {
  const [at, setAt] = useState(() => new Date().toISOString());
  useOnPaper(() => setAt(new Date().toISOString()));
  return (
    <div className={styles.line} data-print="only">
      <Logo size={20} /><span>Printed {formatInstant(at)}</span>
    </div>
  );
}
