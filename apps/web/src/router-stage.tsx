/** Test stage: puts a small page table behind the application's own router, as a person with a given role. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from 'vitest-browser-react';
import type { Role } from '#kit/auth.ts';
import type { PageRow } from '#kit/page.ts';
import type { Person } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import type { Screen } from './page-table.ts';
import { createAppRouter, type AppRouter } from './router.tsx';

export function personOf(role: Role, permissions: readonly string[] = []): Person {
  return { id: 1, email: 'ada@house.example', first_name: 'Ada', last_name: 'Byron', role,
    permission_values: [...permissions], acting_customer: null,
    customers: [{ id: 7, name: 'Astoria Players', role: 'admin', status: 'active' }] };
}

/** Server's response to GET /api/users/me: the person, or 401 if nobody is signed in. */
export function meAnswer(person: Person | null): Response {
  return person ? Response.json({ data: person })
    : Response.json({ message: 'Sign in first.', code: 'unauthenticated' }, { status: 401 });
}

/** `loadAll` as the application has it: `pages` at once, the rest when an address asks for it. */
export async function openPages(
  pages: readonly PageRow<Screen>[], address: string, loadAll?: () => Promise<readonly PageRow<Screen>[]>,
): Promise<AppRouter> {
  const client = createQueryClient();
  const router = createAppRouter(pages, client, loadAll);
  // The router takes a history later on; its types know only the one it was made with.
  router.update({ history: createMemoryHistory({ initialEntries: [address] }) } as never);
  await render(
    <QueryClientProvider client={client}><ThemeProvider><RouterProvider router={router} /></ThemeProvider>
    </QueryClientProvider>,
  );
  return router;
}
