/** The gallery of the kit: axe finds nothing (U33), every component of the kit stands in it, colours of the system. */
import { QueryClientProvider } from '@tanstack/react-query';
import axe from 'axe-core';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { still } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { DARK_MODE_KEY } from '#web/theme/color-scheme.ts';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import Gallery from './gallery.web.tsx';

function Screen() {
  return (
    <QueryClientProvider client={createQueryClient()}>
      <ThemeProvider><main><Gallery /></main></ThemeProvider>
    </QueryClientProvider>
  );
}

beforeEach(async () => {
  window.localStorage.clear();
  await page.viewport(1440, 900);
});

async function violations(within: Element | Document = document): Promise<string[]> {
  await still();
  const found = await axe.run(within, {
    resultTypes: ['violations'],
    // The frame of the application brings the landmarks around a screen.
    rules: { region: { enabled: false }, 'landmark-one-main': { enabled: false } },
  });
  return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

test.each([[false, 'light'], [true, 'dark']])('dark mode %s: no violation in the gallery', async (dark, scheme) => {
  window.localStorage.setItem(DARK_MODE_KEY, String(dark));
  await render(<Screen />);
  await expect.element(page.getByText('Box office reported').first()).toBeVisible();
  await expect.element(page.getByText('The map cannot be reached')).toBeVisible();
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe(scheme);
  expect(await violations()).toEqual([]);
}, 60_000);

test('no violation with a dialog open; the focus is inside and Escape closes it', async () => {
  await render(<Screen />);
  await page.getByRole('button', { name: 'Amend' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Amend the licence' })).toBeVisible();
  // The dialog is a window in the middle, not a sheet over everything.
  expect(page.getByRole('dialog').element().getBoundingClientRect().width).toBe(520);
  expect(await violations()).toEqual([]);
  expect(page.getByRole('dialog').element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
}, 60_000);

test('no violation with the palette open', async () => {
  await render(<Screen />);
  await page.getByRole('button', { name: 'Open the palette' }).click();
  await expect.element(page.getByRole('option', { name: /The Pirates of Penzance/ })).toBeVisible();
  expect(await violations(page.getByRole('dialog').element())).toEqual([]);
  await userEvent.keyboard('{Escape}');
}, 60_000);
