/**
 * The dressed input: a native control with room for a prefix and a suffix inside its border.
 *
 * Native on purpose: the component library's Input sets `id` and `aria-*` itself and would overwrite what the field
 * frame decides, and the sign-in page stays free of the library (budget of frontend.md 4.3).
 */
import type { ReactNode } from 'react';
import styles from './field-frame.module.css';

type InputShellProps = {
  prefix?: ReactNode;
  suffix?: ReactNode;
  /** px; a text gets its own width by its length. */
  prefixWidth?: number | undefined;
  suffixWidth?: number | undefined;
  children: ReactNode;
};

function widthOf(content: ReactNode, given: number | undefined): string | undefined {
  if (content === undefined || content === null) return undefined;
  if (given !== undefined) return `${given}px`;
  return typeof content === 'string' ? `calc(${content.length}ch + 22px)` : '36px';
}

export function InputShell({ prefix, suffix, prefixWidth, suffixWidth, children }: InputShellProps) {
  const before = widthOf(prefix, prefixWidth);
  const after = widthOf(suffix, suffixWidth);
  return (
    <div className={styles.shell}
      style={{ ...(before && { '--gr-before': before }), ...(after && { '--gr-after': after }) } as object}>
      {before && <span className={styles.prefix}>{prefix}</span>}
      {children}
      {after && <span className={styles.suffix}>{suffix}</span>}
    </div>
  );
}
