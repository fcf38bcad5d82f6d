/** The signed-in person is read every 20 minutes, not on focus, without retry: states S18-S20, constants C26-C28. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { settled } from '#web/controls/stage.tsx';
import { CURRENT_USER_INTERVAL, ME_KEY, useCurrentUser } from './current-user.ts';
import { createQueryClient } from './query-client.ts';

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
