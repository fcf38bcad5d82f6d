/** The people of an organisation: what did not load says so under its title, and is asked for again. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { NavigationProvider, windowNavigation } from '#web/navigation/navigation.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import Users from './users.web.tsx';

const JOINING = { id: 3, first_name: 'June', last_name: 'Castle', email: 'june@players.example',
  created_at: '2026-11-20T10:00:00Z' };
const META = { current_page: 1, from: 1, to: 1, last_page: 1, per_page: 20, total: 0 };
const failed = () => Response.json({ message: 'The server did not answer.' }, { status: 500 });

async function drawn(answers: (url: string) => Response): Promise<void> {
  vi.stubGlobal('fetch', (url: string) => Promise.resolve(answers(url)));
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(ME_KEY, { id: 1, email: 'ruth@players.example', role: 'customer', permission_values: [],
    customers: [{ id: 7, role: 'admin' }] });
  await staged(
    <QueryClientProvider client={client}>
      <NavigationProvider port={{ ...windowNavigation, params: { customerId: '7' } }}><Users /></NavigationProvider>
    </QueryClientProvider>,
  );
}

test('who asks to join, and did not load, is no silence: the card says so, and shows them once they come', async () => {
  let broken = true;
  await drawn((url) => (!url.includes('join_requests') ? Response.json({ data: [], meta: META })
    : broken ? failed() : Response.json({ data: [JOINING] })));
  await expect.element(page.getByRole('heading', { name: 'Requests to join' })).toBeVisible();
  await expect.element(page.getByRole('alert').getByText('This could not be loaded')).toBeVisible();
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('heading', { name: '1 request to join' })).toBeVisible();
  await expect.element(page.getByText(/june@players.example/)).toBeVisible();
});

test.each([['invitations', 'Invited'], ['user_events', 'Changes']])(
  '%s that did not load say so under their title', async (path, title) => {
    await drawn((url) => (url.includes(path) ? failed() : Response.json({ data: [], meta: META })));
    await expect.element(page.getByRole('heading', { name: title })).toBeVisible();
    await expect.element(page.getByRole('alert').getByText('This could not be loaded')).toBeVisible();
  });
