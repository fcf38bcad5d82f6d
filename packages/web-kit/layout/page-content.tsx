/**
 * The body of a screen. `PageContent` is the layout of SPEC.md 2 (title, description, right content, tabs with an
 * action, 960 px unless full width); `Section`, `Columns` and `SideColumn` arrange what stands in it. Sections are
 * separated by rules, never by boxes (LOOK.md 2).
 */
import type { CSSProperties, ReactNode } from 'react';
import { Tabs, type TabAlign, type TabItem } from './tabs.tsx';
import styles from './page-content.module.css';

/** SPEC.md 2 (C11). */
export const CONTENT_MAX_WIDTH = 960;
/** SPEC.md 2 (C12). */
export const ACTION_LABEL = 'Action';

export interface PageContentProps {
  title?: string | undefined;
  description?: ReactNode;
  right?: ReactNode;
  tabs?: readonly TabItem[] | undefined;
  tabAlign?: TabAlign | undefined;
  /** Shows an action button in the tab row (or beside the title). */
  onAction?: (() => void) | undefined;
  actionLabel?: string | undefined;
  fullWidth?: boolean | undefined;
  /** Indents to the record edge (64), under a header with Back. */
  record?: boolean | undefined;
  children?: ReactNode;
}

export function PageContent(props: PageContentProps) {
  const { title, description, right, tabs, tabAlign = 'left', onAction, actionLabel } = props;
  const { fullWidth, record, children } = props;
  const action = onAction && (
    <button type="button" className={styles.action} onClick={onAction}>{actionLabel ?? ACTION_LABEL}</button>
  );
  const head = title ?? description ?? right;
  return (
    <div className={styles.outer} data-record={record || undefined}>
      <div className={styles.content} style={fullWidth ? undefined : { maxWidth: CONTENT_MAX_WIDTH }}>
        {(head !== undefined || (action && !tabs)) && (
          <div className={styles.head}>
            <div className={styles.headText}>
              {title && <h2 className={styles.title}>{title}</h2>}
              {description && <p className={styles.description}>{description}</p>}
            </div>
            {right && <div className={styles.right}>{right}</div>}
            {!tabs && action}
          </div>
        )}
        {tabs && (
          <div className={styles.tabRow}>
            <div className={styles.tabBox}><Tabs items={tabs} align={tabAlign} label={title ?? 'Sections'} /></div>
            {action}
          </div>
        )}
        {children}
      </div>
    </div>
  );
}

export interface SectionProps {
  title?: ReactNode;
  /** In faint after the title: a count. */
  count?: ReactNode;
  description?: ReactNode;
  /** Buttons or facts at the right of the title. */
  right?: ReactNode;
  /** No padding: for a table that reaches the edges. */
  flush?: boolean | undefined;
  record?: boolean | undefined;
  children?: ReactNode;
}

/** One part of a screen under a rule, with its h2. */
export function Section({ title, count, description, right, flush, record, children }: SectionProps) {
  return (
    <section className={styles.section} data-flush={flush || undefined} data-record={record || undefined}>
      {(title ?? right) !== undefined && (
        <div className={styles.sectionHead}>
          <div className={styles.headText}>
            {title !== undefined && (
              <h2 className={styles.sectionTitle}>
                {title}{count !== undefined && <span className={styles.count}>{count}</span>}
              </h2>
            )}
            {description && <p className={styles.description}>{description}</p>}
          </div>
          {right && <div className={styles.right}>{right}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** The screen's main part and a docked column beside it; below 1100 px the column follows underneath. */
export function Columns({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.columnMain}>{children}</div>
      {side}
    </div>
  );
}

export interface SideColumnProps {
  label: string;
  /** Width in px: today and trace 372, peek 360, drill-down 396 (LOOK.md 2). */
  width?: number | undefined;
  children: ReactNode;
}

/** Sunken column with a left rule. */
export function SideColumn({ label, width = 372, children }: SideColumnProps) {
  const size = { '--side': `${width}px` } as CSSProperties;
  return <aside className={styles.side} aria-label={label} style={size}>{children}</aside>;
}
