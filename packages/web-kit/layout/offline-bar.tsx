/** Says that the connection is gone, and what that means for what is on the screen (U28). Stands in both shells. */
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
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

export function OfflineBar() {
  const online = useSyncExternalStore(follow, () => navigator.onLine, () => true);
  return (
    <div role="status">
      {!online && <OfflineNotice />}
    </div>
  );
}
