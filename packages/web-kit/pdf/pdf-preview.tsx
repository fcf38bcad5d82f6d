/**
 * A PDF beside what it belongs to: pages, zoom, a search in its words, download. Drawn by pdf.js, which is loaded with
 * the first one; where it cannot run, or cannot read the file, the browser's own viewer stands instead (U23).
 */
import { lazy, Suspense, useState } from 'react';
import { Skeleton } from '#web/data/empty-state.tsx';
import type { PdfPreviewProps } from './pdf-props.ts';
import styles from './pdf-preview.module.css';

const PdfPages = lazy(() => import('./pdf-pages.tsx').catch(() => ({ default: NativeViewer })));

function NativeViewer({ url, title }: PdfPreviewProps) {
  return <iframe className={styles.native} src={url} title={`${title}, preview`} />;
}

export function PdfPreview(props: PdfPreviewProps) {
  const [unreadable, setUnreadable] = useState<string | null>(null);
  return (
    <div className={styles.frame} data-fill={props.fill || undefined}>
      {unreadable === props.url ? <NativeViewer {...props} /> : (
        <Suspense fallback={<div className={styles.waiting} aria-busy="true"><Skeleton height={420} /></div>}>
          <PdfPages key={props.url} {...props} onUnreadable={() => setUnreadable(props.url)} />
        </Suspense>
      )}
    </div>
  );
}
