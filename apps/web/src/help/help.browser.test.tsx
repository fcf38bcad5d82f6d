/** The help panel with the articles of staff: states S94, S95, messages M10-M14, constant C16, gaps G39. */
import axe from 'axe-core';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged, still } from '#web/controls/stage.tsx';
import { HelpButton, lazyHelp } from '#web/help/help-button.tsx';
import { articlesOf } from '#web/help/help-search.ts';
import { helpWith } from '#web/help/open-article.ts';
import { TextField } from '#web/controls/field/text-field.tsx';
import { pageTable } from '../page-table.ts';
import { help as customerHelp } from './customer-help.ts';
import { help as staffHelp } from './staff-help.ts';

const StaffHelp = lazyHelp(() => import('./staff-help.ts').then((file) => file.help));
const opener = () => page.getByRole('button', { name: 'Help', exact: true });
const box = () => page.getByRole('textbox', { name: 'Search help' });
const entry = (name: string) => page.getByRole('button', { name });

async function opened(path = '/admin') {
  window.history.replaceState(null, '', path);
  await staged(<main><h1>Page</h1><HelpButton panel={StaffHelp} /></main>);
  await opener().click();
}
beforeEach(() => { window.history.replaceState(null, '', '/'); });

test('[S94] [C16] [M10] [M11] the panel opens with its search box and two Getting Started entries', async () => {
  await opened();
  await expect.element(box()).toHaveAttribute('placeholder', 'Search help');
  await expect.element(box()).toHaveFocus();
  const list = page.getByRole('list', { name: 'Getting Started' });
  await expect.element(page.getByRole('heading', { name: 'Getting Started' })).toBeVisible();
  expect(list.getByRole('listitem').elements().map((one) => one.textContent))
    .toEqual(['Find your way around', 'Offset Account']);
});

test('[S95] [M12] [M13] [M14] an entry shows its article, Home > Offset Account and a Report link', async () => {
  await opened();
  await page.getByRole('list', { name: 'Getting Started' }).getByRole('button', { name: 'Offset Account' }).click();
  await expect.element(page.getByRole('heading', { name: 'Offset Account' })).toHaveFocus();
  await expect.element(page.getByText(/the account on the other side is its offset account/)).toBeVisible();
  const crumbs = page.getByRole('navigation', { name: 'Help breadcrumb' }).getByRole('listitem');
  expect(crumbs.elements().map((one) => one.textContent)).toEqual(['Home', 'Offset Account']);
  await expect.element(page.getByRole('link', { name: 'Report' })).toHaveAttribute('href',
    expect.stringMatching(/^mailto:\?subject=Help%3A%20Offset%20Account&body=http/));
  await entry('Home').click();
  await expect.element(page.getByRole('heading', { name: 'Getting Started' })).toBeVisible();
});

test('the search finds articles by their words and says when there is none', async () => {
  await opened();
  await userEvent.fill(box(), 'withheld');
  await entry('State and pay royalties').click();
  await expect.element(page.getByRole('heading', { name: 'State and pay royalties' })).toBeVisible();
  await userEvent.fill(box(), 'zebra');
  await expect.element(page.getByRole('status')).toHaveTextContent('No article has these words. Try fewer or others.');
});

test('articles of the page one is on come first', async () => {
  await opened('/admin/accounts-receivable/payments');
  const list = page.getByRole('list', { name: 'For this page' });
  await expect.element(list.getByRole('button', { name: 'Record and apply a payment' })).toBeVisible();
});

test('every screen has an article of its own, beside those that hold everywhere', () => {
  const everywhere = ['way', 'search', 'keys', 'home'];
  const without = pageTable.filter((row) => row.area !== 'public' && row.load !== undefined && !row.redirectTo
    // Both homes and the search are what those articles are about; before an area is chosen there is no help.
    && !row.path.startsWith('/apply/')
    && !/^\/(account|admin|admin\/search|customer\/:customerId|gallery|select|select-portal|set-up-two-factor)$/
      .test(row.path))
    .filter((row) => articlesOf((row.area === 'customer' ? customerHelp : staffHelp).articles,
      row.path.replaceAll(/:\w+/g, '7')).every((one) => everywhere.includes(one.id)));
  expect(without.map((row) => row.path)).toEqual([]);
});

test('keys of a single letter are switched off in it, and on again (WCAG 2.1.4)', async () => {
  await opened();
  const keys = () => page.getByRole('checkbox', { name: 'Single-key shortcuts' });
  await expect.element(keys()).toBeChecked();
  await keys().click({ force: true });
  await page.getByRole('button', { name: 'Close help' }).click();
  await userEvent.keyboard('?');
  await expect.element(box()).not.toBeInTheDocument();
  await opener().click();
  await keys().click({ force: true });
  await page.getByRole('button', { name: 'Close help' }).click();
  await userEvent.keyboard('?');
  await expect.element(box()).toBeVisible();
});

test('the key ? opens and closes it, not while someone types', async () => {
  await staged(<main><h1>Page</h1><input aria-label="Name" /><HelpButton panel={StaffHelp} /></main>);
  await userEvent.keyboard('?');
  await expect.element(box()).toHaveFocus();
  await userEvent.keyboard('?');
  await expect.element(box()).toHaveValue('?');
  await userEvent.keyboard('{Escape}');
  await expect.element(box()).toHaveValue('');
  await userEvent.keyboard('{Escape}');
  await expect.element(box()).not.toBeInTheDocument();
  await userEvent.fill(page.getByLabelText('Name'), 'what');
  await userEvent.keyboard('?');
  await expect.element(page.getByLabelText('Name')).toHaveValue('what?');
  expect(box().elements()).toHaveLength(0);
});

test('Escape closes it and gives the focus back; axe finds nothing', async () => {
  await opened();
  await expect.element(box()).toHaveFocus();
  await still();
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  expect(violations.map((one) => one.id)).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('heading', { name: 'Getting Started' })).not.toBeInTheDocument();
  await expect.element(opener()).toHaveFocus();
});

const HELPS = [['staff', staffHelp], ['customers', customerHelp]] as const;
test.each(HELPS)('%s: two entries to start with, no article twice', (_, help) => {
  const ids = help.articles.map((article) => article.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(help.started).toHaveLength(2);
  for (const id of help.started) expect(ids).toContain(id);
  for (const { title, body } of help.articles) expect(body.every((part) => part.length > 40), title).toBe(true);
});

test('[S98] a field\'s tooltip shows its text; Read More opens the article it names, and the panel again', async () => {
  window.history.replaceState(null, '', '/admin/plays/4/information');
  await staged(<main><h1>Page</h1><HelpButton panel={StaffHelp} /><TextField label="Radius" value="" onChange={() => {}}
    help={helpWith('Nearer productions ask for a clearance.', 'restrictions')} /></main>);
  await page.getByRole('button', { name: 'Help: Radius' }).click();
  await expect.element(page.getByText('Nearer productions ask for a clearance.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Read More' }).click();
  await expect.element(page.getByRole('heading', { name: 'Close a title for a time or a place' })).toBeVisible();
  await page.getByRole('button', { name: 'Close help' }).click();
  await opener().click();
  await expect.element(page.getByRole('heading', { name: 'Getting Started' })).toBeVisible();
});

test('[S98] every article that a form names beside a field is there', () => {
  const sources = import.meta.glob<string>('../../../../modules/**/*.web.tsx',
    { query: '?raw', import: 'default', eager: true });
  const named = Object.values(sources)
    .flatMap((text) => [...text.matchAll(/article: '([\w-]+)'/g)].map(([, id]) => id));
  expect(named.length).toBeGreaterThan(1);
  const known = staffHelp.articles.map((article) => article.id);
  expect(named.filter((id) => id === undefined || !known.includes(id))).toEqual([]);
});
