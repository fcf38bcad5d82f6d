/** The gallery of the kit read by axe, light and dark, and once with a dialog open: 0 violations (U33). */
import axe from 'axe-core';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { still } from '#web/controls/stage.tsx';
import { DARK_MODE_KEY } from '#web/theme/color-scheme.ts';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import Gallery from './gallery.web.tsx';

beforeEach(async () => {
  window.localStorage.clear();
  await page.viewport(1440, 900);
});

async function violations(): Promise<string[]> {
  await still();
  const found = await axe.run(document, {
    resultTypes: ['violations'],
    // The frame of the application brings the landmarks around a screen.
    rules: { region: { enabled: false }, 'landmark-one-main': { enabled: false } },
  });
  return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

test.each([[false, 'light'], [true, 'dark']])('dark mode %s: no violation in the gallery', async (dark, scheme) => {
  window.localStorage.setItem(DARK_MODE_KEY, String(dark));
  await render(<ThemeProvider><main><Gallery /></main></ThemeProvider>);
  await expect.element(page.getByText('Box office reported').first()).toBeVisible();
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe(scheme);
  expect(await violations()).toEqual([]);
}, 60_000);

test('no violation with a dialog open; the focus is inside and Escape closes it', async () => {
  await render(<ThemeProvider><main><Gallery /></main></ThemeProvider>);
  await page.getByRole('button', { name: 'Amend' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Amend the licence' })).toBeVisible();
  // The dialog is a window in the middle, not a sheet over everything.
  expect(page.getByRole('dialog').element().getBoundingClientRect().width).toBe(520);
  expect(await violations()).toEqual([]);
  expect(page.getByRole('dialog').element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
}, 60_000);
