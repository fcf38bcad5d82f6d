/** Dark mode before the first paint: states S68, S69, constants C7, C8. The file is the one the page loads first. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DARK_MODE_KEY } from '#web/theme/color-scheme.ts';

const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');

/** Runs the script that the head of index.html loads. */
async function opened(): Promise<void> {
  document.documentElement.removeAttribute('data-mantine-color-scheme');
  const script = document.createElement('script');
  script.textContent = await (await fetch('/apps/web/public/color-scheme.js')).text();
  document.head.append(script);
  script.remove();
}

beforeEach(() => { window.localStorage.clear(); });
afterEach(() => { window.localStorage.clear(); });

test('[S68] [C7] on a first visit it is off', async () => {
  await opened();
  expect(scheme()).toBe('light');
});

test.each([['true', 'dark'], ['false', 'light']])('[S69] [C8] what the switch kept (%s) is there after a reload: %s',
  async (kept, shown) => {
    window.localStorage.setItem(DARK_MODE_KEY, kept);
    await opened();
    expect(scheme()).toBe(shown);
  });
