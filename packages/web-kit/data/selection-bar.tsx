/** Floating bar while rows are selected: its own buttons, or the server's bulk actions (lazy-loaded). */
import { lazy, Suspense, useRef, type ReactNode } from 'react';
import type { BulkOffer } from '#web/query/bulk-offer.ts';
import { FloatingBar } from './floating-bar.tsx';
import type { TablePage } from './table-footer.tsx';

const BulkBar = lazy(() => import('./bulk-bar.tsx').then((file) => ({ default: file.BulkBar })));

export interface SelectionBarProps {
  offer: BulkOffer | undefined;
  bulk: ((keys: (string | number)[], clear: () => void) => ReactNode) | undefined;
  selected: (string | number)[];
  wholePage: boolean;
  page: TablePage | undefined;
  clear: () => void;
}

export function SelectionBar({ offer, bulk, selected, wholePage, page, clear }: SelectionBarProps) {
  // Once rows were chosen it stays: what was begun is followed to its end.
  const wanted = useRef(false);
  wanted.current ||= selected.length > 0;
  if (offer && wanted.current) {
    return (
      <Suspense fallback={null}>
        <BulkBar offer={offer} selected={selected.map(Number)} wholePage={wholePage} page={page} clear={clear} />
      </Suspense>
    );
  }
  if (!bulk || selected.length === 0) return null;
  return (
    <FloatingBar words={`${selected.length} selected`} closing="Clear selection" onClose={clear}>
      {bulk(selected, clear)}
    </FloatingBar>
  );
}
