/** Foot of a list: which rows, how many per page, the way through the pages, and the list's own sum. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Glyph } from '#web/layout/icons.tsx';
import { Skeleton } from './empty-state.tsx';
import { totalText } from './total-text.ts';
import { PAGE_SIZES, type TableSearch } from './use-table-search.ts';
import styles from './table-footer.module.css';

/** `meta` of a list's answer. */
export interface TablePage {
  current_page: number;
  from: number | null;
  to: number | null;
  last_page: number;
  per_page: number;
  total: number;
  total_is_exact?: boolean | undefined;
}

export function TableFooter({ page, search, summary }: {
  page: TablePage; search: TableSearch | undefined; summary?: ReactNode;
}) {
  const id = useId();
  const sizes = [...new Set([...PAGE_SIZES, page.per_page])].sort((a, b) => a - b);
  return (
    <div className={styles.footer} data-print="hide">
      <span aria-live="polite">
        {page.from ?? 0}–{page.to ?? 0} of {totalText(page)}
      </span>
      {search && (
        <span className={styles.size}>
          <label htmlFor={id} className="gr-hidden">Rows per page</label>
          <select id={id} value={page.per_page} onChange={(event) => search.setPerPage(Number(event.target.value))}>
            {sizes.map((size) => <option key={size} value={size}>{size} per page</option>)}
          </select>
        </span>
      )}
      {search && page.last_page > 1 && (
        <nav className={styles.pages} aria-label="Pages">
          <button type="button" aria-label="Previous page" disabled={page.current_page <= 1}
            onClick={() => search.setPage(page.current_page - 1)}><Glyph icon={ChevronLeft} /></button>
          <span>Page {page.current_page} of {page.last_page.toLocaleString('en-US')}</span>
          <button type="button" aria-label="Next page" disabled={page.current_page >= page.last_page}
            onClick={() => search.setPage(page.current_page + 1)}><Glyph icon={ChevronRight} /></button>
        </nav>
      )}
      {summary && <span className={styles.summary}>{summary}</span>}
    </div>
  );
}

/** Its place while the list is on its way: what stands below must not be pushed down by it. */
export function FooterWaiting() {
  return <div className={styles.footer} data-print="hide"><Skeleton width={64} height={12} /></div>;
}
