/**
 * Asks before unsaved changes are left behind: a question of the browser on closing or reloading, a question of the
 * house on moving to another page (U17). Without a router above (a single form in a test) only the browser asks.
 */
import { useBlocker, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

export function UnsavedGuard({ dirty }: { dirty: boolean }) {
  const router = useRouter({ warn: false }) as unknown;
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
  return router ? <PageBlocker dirty={dirty} /> : null;
}

function PageBlocker({ dirty }: { dirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
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
