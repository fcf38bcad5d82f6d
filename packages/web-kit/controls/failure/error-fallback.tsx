/**
 * The error page of every area: logo, heading, text, Go Back. Go Back goes one step back in history and reloads after
 * 120 ms; a browser back or forward event meanwhile reloads at once; the page is reloaded once, whichever comes first
 * (gap G44). Areas differ only in what surrounds it (gap G46). Source: states S44-S51, C17, M1-M3.
 */
import { Component, useEffect, useRef, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { Logo } from '#web/layout/logo.tsx';
import styles from './error-fallback.module.css';

/** ms between the step back and the reload (C17). */
export const ERROR_RELOAD_DELAY = 120;

export type ErrorFallbackProps = {
  /** Replaces the browser's history and reload, for tests and for shells with a history of their own. */
  goBack?: (() => void) | undefined;
  reload?: (() => void) | undefined;
};

export function ErrorFallback(props: ErrorFallbackProps) {
  const reload = useRef(props.reload);
  reload.current = props.reload;
  const reloaded = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  function reloadOnce() {
    if (reloaded.current) return;
    reloaded.current = true;
    (reload.current ?? (() => window.location.reload()))();
  }
  useEffect(() => {
    window.addEventListener('popstate', reloadOnce);
    return () => {
      window.removeEventListener('popstate', reloadOnce);
      clearTimeout(timer.current);
    };
  }, []);
  function onGoBack() {
    (props.goBack ?? (() => window.history.back()))();
    timer.current = setTimeout(reloadOnce, ERROR_RELOAD_DELAY);
  }

  return (
    <div className={styles.page} role="alert">
      <Logo size={40} />
      <h1 className={styles.title}>Something went wrong.</h1>
      <p className={styles.text}>Please try reloading the page, or go back to the previous page.</p>
      <Button variant="primary" onClick={onGoBack}>Go Back</Button>
    </div>
  );
}

type BoundaryProps = {
  children: ReactNode;
  /** Fallback for a child that failed; the error page by default. */
  fallback?: ((retry: () => void) => ReactNode) | undefined;
  onError?: ((error: unknown, info: ErrorInfo) => void) | undefined;
};

/** Normal until a child fails to render, then error; `retry` of the fallback goes back to normal (S44, S45). */
export class ErrorBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.onError?.(error, info);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return this.props.fallback?.(() => this.setState({ failed: false })) ?? <ErrorFallback />;
  }
}
