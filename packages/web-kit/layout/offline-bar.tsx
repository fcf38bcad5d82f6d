/** Says that the connection is gone, and what that means for what is on the screen (U28). Stands in both shells. */
import { WifiOff } from 'lucide-react';
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { Glyph } from './icons.tsx';
import styles from './offline-bar.module.css';

function follow(tell: () => void): () => void {
  window.addEventListener('online', tell);
  window.addEventListener('offline', tell);
  return () => {
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
  };
}

export function OfflineNotice() {
  return (
    <p className={styles.bar}><Glyph icon={WifiOff} size={16} />
      You are offline. What you typed stays here; changes you save are sent when the connection is back.</p>
  );
}

/** Stays in view under the frame's bar; the page's head and whatever gets the focus stay below it. */
export function OfflineBar() {
  const online = useSyncExternalStore(follow, () => navigator.onLine, () => true);
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    if (online || !element) return undefined;
    const root = document.documentElement;
    const sizes = new ResizeObserver(() => root.style.setProperty('--gr-notice-height', `${element.offsetHeight}px`));
    sizes.observe(element);
    return () => { sizes.disconnect(); root.style.removeProperty('--gr-notice-height'); };
  }, [online]);
  return (
    <div role="status" ref={bar} className={styles.place} data-print="hide">
      {!online && <OfflineNotice />}
    </div>
  );
}
