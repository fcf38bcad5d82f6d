/** Without a connection the frame says so, and what was typed stays (U28). */
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { OfflineBar } from './offline-bar.tsx';

afterEach(() => { Reflect.deleteProperty(navigator, 'onLine'); });

function connection(online: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: online });
  window.dispatchEvent(new Event(online ? 'online' : 'offline'));
}

test('the bar comes with the loss of the connection and goes with its return; fields keep their text', async () => {
  await staged(<><OfflineBar /><input aria-label="Name" /></>);
  await page.getByLabelText('Name').fill('Savoy');
  expect(page.getByText(/^You are offline/).elements()).toHaveLength(0);
  connection(false);
  await expect.element(page.getByText(/^You are offline/)).toBeVisible();
  connection(true);
  await expect.element(page.getByText(/^You are offline/)).not.toBeInTheDocument();
  await expect.element(page.getByLabelText('Name')).toHaveValue('Savoy');
});
