/**
 * Asks before unsaved changes are left behind: a question of the browser on closing or reloading, a question of the
 * house on moving to another page (U17). Without a router above (a single form in a test) only the browser asks.
 */
import { useBlocker, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ConfirmDialog } from '../button/confirm-dialog.tsx';

export interface UnsavedGuardProps {
  dirty: boolean;
  /** Another page, filter or view of the same list would drop it too. */
  inList?: boolean | undefined;
}

export function UnsavedGuard({ dirty, inList = false }: UnsavedGuardProps) {
  const router = useRouter({ warn: false }) as unknown;
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
  return router ? <PageBlocker dirty={dirty} inList={inList} /> : null;
}

function PageBlocker({ dirty, inList }: { dirty: boolean; inList: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && (current.pathname !== next.pathname
      || (inList && JSON.stringify(current.search) !== JSON.stringify(next.search))),
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <ConfirmDialog open={blocker.status === 'blocked'} title="Leave without saving?"
      text="Your changes on this page have not been saved."
      confirm="Leave page" cancel="Keep editing" danger
      onConfirm={() => blocker.proceed?.()} onCancel={() => blocker.reset?.()} />
  );
}
