/** Composition root of the browser: theme, server state, router, and the kit's door to the address bar. */
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { publicPages } from '#modules/identity/public.pages.ts';
import { Toasts } from '#web/data/toast.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { listenForFaults, reportFault } from './report-fault.ts';
import { createAppRouter } from './router.tsx';

// A new version was installed while this page was open: its chunks are gone, so the page is loaded anew, once.
// Without a connection none was: a link that is only pointed at would take the page away, with all that is typed.
window.addEventListener('vite:preloadError', (event) => {
  if (!window.navigator.onLine) return;
  if (window.sessionStorage.getItem('reloaded-for-chunk') === window.location.href) return;
  window.sessionStorage.setItem('reloaded-for-chunk', window.location.href);
  event.preventDefault();
  window.location.reload();
});

listenForFaults();

const queryClient = createQueryClient();
const router = createAppRouter(
  publicPages, queryClient, () => import('./page-table.ts').then((file) => file.pageTable),
);
const root = document.getElementById('root');
if (root) {
  createRoot(root, { onCaughtError: reportFault }).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ThemeProvider>
          <RouterProvider router={router} />
          <Toasts />
        </ThemeProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
