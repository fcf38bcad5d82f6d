/** The signed-in person is read every 20 minutes, not on focus, without retry: states S18-S20, constants C26-C28. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { settled } from '#web/controls/stage.tsx';
import { endpoint } from '#kit/endpoint.ts';
import { signedIn } from '#kit/auth.ts';
import { CURRENT_USER_INTERVAL, ME_KEY, useCurrentUser, useMay } from './current-user.ts';
import { createQueryClient } from './query-client.ts';
import { useEndpoint } from './use-endpoint.ts';

const listing = endpoint({ method: 'GET', path: '/api/admin/staff/venues', auth: signedIn, summary: 'Venues',
  response: null });

const person = { id: 1, email: 'ada@house.example', first_name: 'Ada', last_name: 'Byron', role: 'staff_admin',
  permission_values: [], customers: [], acting_customer: null };
const ok = () => Promise.resolve(Response.json({ data: person }));
const reads = vi.fn(ok);

function Name() {
  const user = useCurrentUser();
  return <output>{user === undefined ? 'not read' : user?.first_name ?? 'nobody'}</output>;
}

async function shown() {
  const client = createQueryClient();
  await render(<QueryClientProvider client={client}><Name /></QueryClientProvider>);
  return client;
}
/** Lets answers arrive without moving the controlled clock. */
async function quiet(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await settled();
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  vi.stubGlobal('fetch', reads);
});
afterEach(() => { vi.useRealTimers(); vi.unstubAllGlobals(); reads.mockReset().mockImplementation(ok); });

test('[S18] [C26] read again after 20 minutes, not before', async () => {
  await shown();
  await vi.advanceTimersByTimeAsync(0);
  await quiet();
  expect(page.getByText('Ada').elements()).toHaveLength(1);
  expect(reads).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20 * 60_000 - 1);
  expect(reads).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(reads).toHaveBeenCalledTimes(2);
  expect(CURRENT_USER_INTERVAL).toBe(20 * 60_000);
});

test('[S18] read again after 20 minutes in a tab that is hidden as well', async () => {
  await shown();
  await vi.advanceTimersByTimeAsync(0);
  await quiet();
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  window.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  hidden.mockRestore();
  window.dispatchEvent(new Event('visibilitychange'));
  expect(reads).toHaveBeenCalledTimes(2);
});

test('[S19] [C27] not read because the window gains the focus, even when what is known is old', async () => {
  const client = await shown();
  await vi.advanceTimersByTimeAsync(0);
  await quiet();
  await client.invalidateQueries({ queryKey: ME_KEY, refetchType: 'none' });
  window.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('focus'));
  await quiet();
  await vi.advanceTimersByTimeAsync(1000);
  expect(reads).toHaveBeenCalledTimes(1);
});

test('read again where a call is refused, so that what is offered follows rights that were changed', async () => {
  function Buttons() {
    const may = useMay();
    const read = useEndpoint(listing, {}, { enabled: may('venue.list') });
    return <output>{may('venue.list') ? 'Venues' : 'No venues'} {read.isError ? 'refused' : ''}</output>;
  }
  const clerk = { ...person, role: 'staff_user', permission_values: ['venue.list'] };
  let rights = clerk.permission_values;
  reads.mockImplementation(((url: string) => Promise.resolve(url === listing.path
    ? Response.json({ message: 'This action is unauthorized.', code: 'forbidden' }, { status: 403 })
    : Response.json({ data: { ...clerk, permission_values: rights } }))) as typeof ok);
  const client = createQueryClient();
  client.setQueryData(ME_KEY, clerk);
  rights = [];
  await render(<QueryClientProvider client={client}><Buttons /></QueryClientProvider>);
  // The refusal, then the person: each answer is told with the next turn of the clock.
  for (let answer = 0; answer < 4; answer += 1) {
    await vi.advanceTimersByTimeAsync(10);
    await quiet();
  }
  expect(page.getByRole('status').element().textContent).toBe('No venues refused');
  expect((reads.mock.calls as unknown as [string][]).map(([url]) => url)).toEqual([listing.path, '/api/users/me']);
});

test('[S20] [C28] a read that fails is not tried again', async () => {
  reads.mockImplementation(() => Promise.resolve(Response.json({ message: 'Down.' }, { status: 503 })));
  const client = await shown();
  await vi.advanceTimersByTimeAsync(0);
  await quiet();
  await vi.advanceTimersByTimeAsync(60_000);
  await quiet();
  expect(reads).toHaveBeenCalledTimes(1);
  expect(client.getQueryState(ME_KEY)?.status).toBe('error');
});
