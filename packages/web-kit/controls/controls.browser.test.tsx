/** The whole gallery read by axe, light and dark, closed and with a list open: 0 violations (U33). */
import axe from 'axe-core';
import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ControlsGallery } from './controls.gallery.tsx';
import { staged, still } from './stage.tsx';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

async function findings() {
  await still();
  const result = await axe.run(document.body, {
    runOnly: RULES, resultTypes: ['violations'],
    // The error page and the 401 page stand in one document here; on their own pages each is the only heading.
    rules: { 'page-has-heading-one': { enabled: false } },
  });
  return result.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
  );
}
function scheme(name: 'light' | 'dark') {
  document.documentElement.setAttribute('data-mantine-color-scheme', name);
  // Colours on their way from one scheme to the other are no colours of the product.
  for (const running of document.getAnimations()) if (running instanceof CSSTransition) running.finish();
}

afterEach(() => scheme('light'));

test.each([['light'], ['dark']] as const)('axe finds nothing, %s', async (name) => {
  await page.viewport(1280, 900);
  await staged(<main><h1>Controls</h1><ControlsGallery /></main>);
  scheme(name);
  expect(await findings()).toEqual([]);
  await page.getByRole('combobox', { name: 'Venue', exact: true }).click();
  await expect.element(page.getByRole('option').first()).toBeVisible();
  expect(await findings()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Calendar: Opening night' }).click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(await findings()).toEqual([]);
}, 30_000);

test('on a phone of 390 px nothing scrolls sideways', async () => {
  await page.viewport(390, 844);
  await staged(<main><h1>Controls</h1><ControlsGallery /></main>);
  const wide = [...document.querySelectorAll('main *')]
    .filter((element) => element.getBoundingClientRect().right > 390 && !element.closest('[data-scrolls]'))
    .map((element) => element.outerHTML.slice(0, 120));
  expect(wide).toEqual([]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  await page.viewport(1280, 900);
});

/** Text of less than 16 px makes a phone zoom into the field that is touched. */
function smallFields(): string[] {
  return [...document.querySelectorAll<HTMLElement>('input, textarea, select')]
    .filter((one) => !one.matches('[type="checkbox"], [type="radio"], [type="file"]'))
    .filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < 16)
    .map((one) => one.outerHTML.slice(0, 120));
}

test('on a phone every kind of field has text of 16 px, what opens with a search included', async () => {
  await page.viewport(390, 844);
  await staged(<main><h1>Controls</h1><ControlsGallery /></main>);
  const kinds = new Set([...document.querySelectorAll('input, textarea')].map((one) =>
    (one instanceof HTMLInputElement ? one.type : 'textarea')));
  for (const kind of ['text', 'email', 'password', 'textarea']) expect(kinds).toContain(kind);
  expect(smallFields()).toEqual([]);
  await page.getByRole('combobox', { name: 'Venue', exact: true }).click();
  await expect.element(page.getByRole('combobox', { name: 'Search Venue' })).toBeVisible();
  expect(smallFields()).toEqual([]);
  await page.viewport(1280, 900);
});
