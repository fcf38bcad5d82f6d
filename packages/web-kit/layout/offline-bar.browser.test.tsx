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

test('it stays in view while one scrolls, and what is scrolled to stays below it', async () => {
  await page.viewport(800, 600);
  await staged(<div><OfflineBar /><div style={{ height: 4000 }} /></div>);
  connection(false);
  const bar = page.getByText(/^You are offline/);
  await expect.element(bar).toBeVisible();
  window.scrollTo(0, 2000);
  const height = (bar.element() as HTMLElement).offsetHeight;
  expect(bar.element().getBoundingClientRect().top).toBe(75);
  await expect.poll(() => document.documentElement.style.getPropertyValue('--gr-notice-height')).toBe(`${height}px`);
  connection(true);
  await expect.poll(() => document.documentElement.style.getPropertyValue('--gr-notice-height')).toBe('');
  window.scrollTo(0, 0);
});
