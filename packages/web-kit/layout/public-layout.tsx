/** Sign-in and its neighbours: the form at the left, the ghost light at the right (picture 09). */
import { lazy, Suspense, type ReactNode } from 'react';
import { useDocumentTitle } from './document-title.ts';
import { Logo } from './logo.tsx';
import styles from './public-layout.module.css';

// A decoration waits for no one and nobody waits for it: the form can be used before the light is drawn.
const GhostLight = lazy(() => import('./ghost-light.tsx').then((file) => ({ default: file.GhostLight })));

export interface PublicLayoutProps {
  title: string;
  text?: ReactNode;
  children: ReactNode;
}

export function PublicLayout({ title, text, children }: PublicLayoutProps) {
  useDocumentTitle(title);
  return (
    <PublicFrame>
      <h1 tabIndex={-1} className={styles.title}>{title}</h1>
      {text && <p className={styles.text}>{text}</p>}
      <div className={styles.form}>{children}</div>
    </PublicFrame>
  );
}

/** Frame around every public screen, its error page included. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page} data-density="portal">
      <div className={styles.side}>
        <header><a href="/login" aria-label="Grand Rights, sign in"><Logo size={30} /></a></header>
        <main id="main" className={styles.main}>{children}</main>
        <footer className={styles.footer}><span>English (US)</span></footer>
      </div>
      <div className={styles.stage} aria-hidden="true">
        <Suspense><GhostLight /></Suspense>
        <p className={styles.line}>The ghost light stays on<br />when everyone has gone home.</p>
      </div>
    </div>
  );
}
