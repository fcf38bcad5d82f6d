/** Head, tabs, division, content layout and dark mode in a real browser: SPEC.md 2, 4, 9. */
import { Info } from 'lucide-react';
import { useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { NavigationProvider, windowNavigation } from '#web/navigation/navigation.tsx';
import { DARK_MODE_KEY } from '#web/theme/color-scheme.ts';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { Modal } from './overlay.tsx';
import { PageContent, Section } from './page-content.tsx';
import { PageHeader } from './page-header.tsx';
import { DarkModeSwitch } from './dark-mode-switch.tsx';
import { StaffShell } from './staff-shell.tsx';
import { StatStrip } from './stat-strip.tsx';
import type { TabItem } from './tabs.tsx';

const staged = (children: React.ReactNode) => render(<ThemeProvider>{children}</ThemeProvider>);
const tabs: TabItem[] = [
  { id: 'info', text: 'Information', icon: Info, href: '/admin/venues/5' },
  { id: 'short', text: 'Materials', href: '/admin/venues/6', error: true, note: '2 short' },
];

beforeEach(() => {
  window.localStorage.clear();
  window.history.replaceState(null, '', '/admin/venues/5');
});

test.each([1280, 1000, 768, 680])('at %i px no word of a long path lies over the next', async (width) => {
  await page.viewport(width, 900);
  const crumbs = ['Sales & royalties', 'Customer classifications', 'Astoria Community Players of Long Island']
    .map((label, at) => ({ label, href: `/admin/${at}` }));
  await staged(
    <StaffShell groups={[]} crumbs={crumbs} user={{ name: 'Ada Byron' }} onSearch={vi.fn()}><p /></StaffShell>,
  );
  const shown = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').elements()
    .map((one) => one.firstElementChild!.getBoundingClientRect()).filter((box) => box.width > 0);
  await page.viewport(1280, 900);
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.map((box) => [box.height, box.width >= 24])).toEqual(shown.map(() => [24, true]));
  shown.slice(1).forEach((box, at) => expect(box.left).toBeGreaterThan(shown[at]!.right));
});

test('the search gives way down to its icon before a name in the path is cut, and keeps its own name', async () => {
  await page.viewport(768, 900);
  const shell = (...labels: string[]) => (
    <ThemeProvider>
      <StaffShell groups={[]} crumbs={labels.map((label) => ({ label, href: '/admin' }))} user={{ name: 'Ada Byron' }}
        userMenu={<button type="button" style={{ width: 38 }}>A</button>} onSearch={vi.fn()}><p /></StaffShell>
    </ThemeProvider>
  );
  const search = () => page.getByRole('button', { name: 'Search licenses, customers, invoices' }).element();
  const cut = () => [...document.querySelectorAll('[aria-label="Breadcrumb"] li > *')]
    .some((one) => one.scrollWidth > one.clientWidth);
  const { rerender } = await render(shell('Venues'));
  const wide = search().getBoundingClientRect().width;
  await rerender(shell('Astoria Community Players', 'L-US-2026-000058'));
  expect([cut(), search().getBoundingClientRect().width < wide]).toEqual([false, true]);
  await rerender(shell('Astoria Community Players of Long Island City',
    'The Lamplighter’s Daughter, set for professional houses'));
  expect(Math.round(search().getBoundingClientRect().width)).toBe(36);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(768);
  await rerender(shell('Astoria Community Players '.repeat(5), 'L-US-2026-000058'));
  const number = page.getByText('L-US-2026-000058').element();
  expect(number.scrollWidth, 'the number is read whole').toBeLessThanOrEqual(number.clientWidth);
  const menu = page.getByRole('button', { name: 'A', exact: true }).element();
  expect(menu.getBoundingClientRect().width, 'tools give nothing').toBe(38);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(768);
});

test('of four names in a path the last three are shown at 1024 px', async () => {
  await page.viewport(1024, 900);
  const crumbs = ['Productions', 'Astoria Community Players', 'L-US-2026-000056', 'Invoice INV-US-2026-000012']
    .map((label) => ({ label, href: '/admin' }));
  await staged(
    <StaffShell groups={[]} crumbs={crumbs} user={{ name: 'Ada Byron' }} onSearch={vi.fn()}><p /></StaffShell>,
  );
  const shown = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').elements()
    .map((one) => one.firstElementChild as HTMLElement).filter((one) => one.clientWidth > 0);
  const cut = shown.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent);
  await page.viewport(1280, 900);
  expect(shown.map((one) => one.textContent)).toEqual(crumbs.slice(1).map(({ label }) => label));
  expect(cut).toEqual([]);
});

function TakenAway() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>New rule</button>
      {open && <Modal open onClose={() => setOpen(false)} title="New rule">Fields</Modal>}
    </>
  );
}

test('a dialog that its screen takes away on Escape gives the focus back to what opened it', async () => {
  await staged(<TakenAway />);
  const opener = page.getByRole('button', { name: 'New rule' });
  await opener.click();
  await expect.element(page.getByRole('button', { name: 'Close' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(opener).toHaveFocus();
});

test('a dialog begins in its first field', async () => {
  await staged(
    <Modal open onClose={() => {}} title="Write off"><input type="hidden" /><textarea aria-label="Reason" /></Modal>,
  );
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveFocus();
});

test('a dialog does not begin in a search, whose list would cover its fields', async () => {
  await staged(
    <Modal open onClose={() => {}} title="Venue">
      <input role="combobox" aria-label="Place" aria-autocomplete="list" aria-controls="none" aria-expanded={false} />
    </Modal>,
  );
  await expect.element(page.getByRole('button', { name: 'Close' })).toHaveFocus();
});

test('title and Close of a long dialog stay while it scrolls', async () => {
  await staged(<Modal open onClose={() => {}} title="Amend"><div style={{ height: 3000 }}>Lines</div></Modal>);
  const close = page.getByRole('button', { name: 'Close' });
  await expect.element(close).toBeVisible();
  page.getByText('Lines').element().scrollIntoView({ block: 'end' });
  await expect.element(close).toBeInViewport();
});

describe('page header', () => {
  test('[S74] title, subtitle, badges and right-side content show; the browser tab has the title', async () => {
    await staged(
      <PageHeader title="Ravenswood" subtitle={['V-17', 'Queens']} badges={<b>Open</b>}><i>Right</i></PageHeader>,
    );
    await expect.element(page.getByRole('heading', { level: 1, name: 'Ravenswood' })).toBeVisible();
    for (const text of ['V-17', 'Queens', 'Open', 'Right']) await expect.element(page.getByText(text)).toBeVisible();
    expect(document.title).toBe('Ravenswood · Grand Rights');
  });

  test.each([
    ['over what is there', true, true, 1], ['for what will not come', 'facts' as const, false, 1],
    ['for what may come', true, false, 2],
  ])('bars while it waits, of actions %s', async (_, waiting, there, bars) => {
    await page.viewport(390, 844);
    await staged(
      <PageHeader title="Integrity" waiting={waiting}>{there && <button type="button">Check</button>}</PageHeader>,
    );
    const shown = [...document.querySelectorAll('header [aria-hidden="true"]')].filter((bar) => bar.checkVisibility());
    await page.viewport(1280, 900);
    expect(shown).toHaveLength(bars);
  });

  test.each([undefined, ['Queens']])('tabs stand below what can be done on a phone, facts %s', async (facts) => {
    await page.viewport(390, 844);
    await staged(
      <PageHeader title="Quotes" subtitle={facts} tabs={[{ id: 'a', text: 'All', href: '/a' }]}>
        <button type="button">New quote</button>
      </PageHeader>,
    );
    const top = (one: { element: () => Element }) => one.element().getBoundingClientRect().top;
    const places = [page.getByRole('heading', { level: 1 }), ...(facts ? [page.getByText('Queens')] : []),
      page.getByRole('button'), page.getByRole('link', { name: 'All' })].map(top);
    await page.viewport(1280, 900);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('[S75] [M4] Back with an href goes there', async () => {
    await staged(<PageHeader title="A" back="/admin/venues" />);
    await page.getByRole('link', { name: 'Back' }).click();
    expect(window.location.pathname).toBe('/admin/venues');
  });

  test('[S76] Back without an href goes one step back in history', async () => {
    const back = vi.fn();
    const port = { ...windowNavigation, back };
    await staged(<NavigationProvider port={port}><PageHeader title="A" back /></NavigationProvider>);
    await page.getByRole('button', { name: 'Back' }).click();
    expect(back).toHaveBeenCalledOnce();
  });

  test('[S77] without Back there is no Back button', async () => {
    await staged(<PageHeader title="A" />);
    expect(page.getByLabelText('Back').elements()).toHaveLength(0);
  });

  test.each(['light', 'dark'])('[S78] a tab with the error flag is red in %s; no other is', async (scheme) => {
    document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
    await staged(<PageHeader title="A" tabs={[...tabs, { id: 'late', text: 'Checklist', href: '/admin/venues/7' }]} />);
    const isRed = (name: RegExp): boolean => {
      const color = getComputedStyle(page.getByRole('link', { name }).element()).color;
      const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
      return red > green + 60 && red > blue + 60;
    };
    expect(isRed(/^Materials needs attention/)).toBe(true);
    expect([isRed(/^Information/), isRed(/^Checklist/)]).toEqual([false, false]);
    document.documentElement.setAttribute('data-mantine-color-scheme', 'light');
  });

  test('[S79] tabs show icon and text and lead to their href; the one you are on is marked', async () => {
    await staged(<PageHeader title="A" tabs={tabs} />);
    expect(page.getByRole('link', { name: 'Information' }).element().querySelector('svg.lucide-info')).not.toBeNull();
    await expect.element(page.getByRole('link', { name: 'Information' })).toHaveAttribute('aria-current', 'page');
    await page.getByRole('link', { name: /Materials/ }).click();
    expect(window.location.pathname).toBe('/admin/venues/6');
    await expect.element(page.getByRole('link', { name: /Materials/ })).toHaveAttribute('aria-current', 'page');
  });

  test('[S80] [C10] the header sticks 75 px below the top', async () => {
    const screen = await staged(<><PageHeader title="A" /><div style={{ height: 4000 }} /></>);
    window.scrollTo(0, 1500);
    const head = screen.container.querySelector('header');
    expect(getComputedStyle(head!).position).toBe('sticky');
    await expect.poll(() => head!.getBoundingClientRect().top).toBe(75);
  });
});

describe('division selector', () => {
  const select = () => page.getByRole('combobox', { name: 'Division' });

  test('tabs beside each other stay in the division; without one in the address they name none', async () => {
    window.history.replaceState(null, '', '/admin/venues/5?division=UK&page=2');
    const { rerender } = await staged(<PageHeader title="A" division tabs={tabs} />);
    const other = page.getByRole('link', { name: /Materials/ });
    await expect.element(other).toHaveAttribute('href', '/admin/venues/6?division=UK');
    window.history.replaceState(null, '', '/admin/venues/5');
    window.dispatchEvent(new PopStateEvent('popstate'));
    await rerender(<ThemeProvider><PageHeader title="A" division tabs={tabs} /></ThemeProvider>);
    await expect.element(other).toHaveAttribute('href', '/admin/venues/6');
  });

  test('[S81] [C5] without ?division US is selected', async () => {
    await staged(<PageHeader title="A" division />);
    await expect.element(select()).toHaveValue('US');
  });

  test('[S82] [C6] choosing UK writes division=UK and keeps the history length', async () => {
    await staged(<PageHeader title="A" division />);
    const before = window.history.length;
    await userEvent.selectOptions(select(), 'UK');
    expect(window.location.search).toBe('?division=UK');
    expect(window.history.length).toBe(before);
    await expect.element(select()).toHaveValue('UK');
  });

  test('[S83] ?division=EU selects EU', async () => {
    window.history.replaceState(null, '', '/admin/venues/5?division=EU');
    await staged(<PageHeader title="A" division />);
    await expect.element(select()).toHaveValue('EU');
  });

  test('[S81] a division that we do not have counts as US; the address is put right in its place', async () => {
    window.history.replaceState(null, '', '/admin/venues/5?division=FR&search=a');
    const before = window.history.length;
    await staged(<PageHeader title="A" division />);
    await expect.element(select()).toHaveValue('US');
    await expect.poll(() => window.location.search).toBe('?division=US&search=a');
    expect(window.history.length).toBe(before);
  });

  test('[S84] [C3] [C4] [M5] [M6] [M7] [M8] the options are US, EU, UK and Production (PROD)', async () => {
    await staged(<PageHeader title="A" division />);
    const options = [...(select().element() as HTMLSelectElement).options];
    expect(options.map((option) => [option.value, option.textContent])).toEqual(
      [['US', 'US'], ['EU', 'EU'], ['UK', 'UK'], ['PROD', 'Production']],
    );
  });
});

test('a section after a form begins below a line, as after another section', async () => {
  await staged(<PageContent><form>Save</form><Section title="Images">None</Section></PageContent>);
  const form = getComputedStyle(document.querySelector('form')!);
  expect([form.paddingBottom, form.borderBottomWidth]).toEqual(['20px', '1px']);
});

describe('page content', () => {
  test('[S89] title, description, right content and tabs show', async () => {
    await staged(<PageContent title="Terms" description="Of the run" right={<i>Right</i>} tabs={tabs} />);
    await expect.element(page.getByRole('heading', { name: 'Terms' })).toBeVisible();
    await expect.element(page.getByText('Of the run')).toBeVisible();
    await expect.element(page.getByText('Right')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Information' })).toBeVisible();
  });

  test('[S90] [C12] [M9] an action without a label reads Action', async () => {
    const act = vi.fn();
    await staged(<PageContent title="Terms" tabs={tabs} onAction={act} />);
    await page.getByRole('button', { name: 'Action', exact: true }).click();
    expect(act).toHaveBeenCalledOnce();
  });

  test('[S90] it reads Action without tabs, too; with a label it reads that', async () => {
    const button = (name: string) => page.getByRole('button', { name, exact: true }).elements();
    const screen = await staged(<PageContent title="Terms" onAction={() => {}} />);
    expect(button('Action')).toHaveLength(1);
    await screen.rerender(<PageContent title="Terms" onAction={() => {}} actionLabel="Add a term" />);
    expect([button('Action').length, button('Add a term').length]).toEqual([0, 1]);
    await screen.rerender(<PageContent title="Terms" tabs={tabs} />);
    expect(page.getByRole('button').elements()).toHaveLength(0);
  });

  test.each(['left', 'center', 'right', undefined] as const)('[S91] [C13] tabs are aligned %s', async (align) => {
    await staged(<PageContent title="Terms" tabs={tabs} tabAlign={align} />);
    const row = page.getByRole('navigation', { name: 'Terms' }).element();
    const outer = row.getBoundingClientRect();
    const first = row.firstElementChild!.getBoundingClientRect();
    const last = row.lastElementChild!.getBoundingClientRect();
    const [before, after] = [Math.round(first.left - outer.left), Math.round(outer.right - last.right)];
    expect(before + after).toBeGreaterThan(200);
    if (align === 'center') expect(Math.abs(before - after)).toBeLessThan(3);
    else if (align === 'right') expect(after).toBeLessThan(3);
    else expect(before).toBeLessThan(3);
  });

  test.each([false, true])('[S92] [S93] [C11] full width %s: 960 px at most, or no limit', async (fullWidth) => {
    await page.viewport(1600, 900);
    await staged(<PageContent title="Terms" fullWidth={fullWidth}><p>All of it</p></PageContent>);
    const width = page.getByText('All of it').element().getBoundingClientRect().width;
    if (fullWidth) expect(width).toBeGreaterThan(1400);
    else expect(width).toBe(960);
    await page.viewport(1280, 900);
  });
});

describe('dark mode', () => {
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');

  test('[S68] [C7] off on a first visit', async () => {
    await staged(<DarkModeSwitch />);
    expect(scheme()).toBe('light');
  });

  test('[S69] [C8] switched on it is remembered in the browser and read again', async () => {
    const first = await staged(<DarkModeSwitch />);
    await page.getByRole('button', { name: 'Switch to dark mode' }).click();
    expect(scheme()).toBe('dark');
    expect(window.localStorage.getItem(DARK_MODE_KEY)).toBe('true');
    await first.unmount();
    await staged(<DarkModeSwitch />);
    expect(scheme()).toBe('dark');
    await expect.element(page.getByRole('button', { name: 'Switch to light mode' })).toBeVisible();
  });
});

test('the tab where one is stands clear of the fading ends of a row that scrolls', async () => {
  await page.viewport(390, 700);
  const many = Array.from({ length: 9 }, (_, at): TabItem => ({ id: String(at), text: `Section ${at}`,
    href: `/admin/venues/5/${at}` }));
  for (const at of [1, 4, 7]) {
    window.history.replaceState(null, '', `/admin/venues/5/${at}`);
    const screen = await staged(<div style={{ marginLeft: 60 }}><PageHeader title="Savoy" tabs={many} /></div>);
    const tab = page.getByRole('link', { name: `Section ${at}` }).element().getBoundingClientRect();
    const row = page.getByRole('navigation', { name: 'Sections' }).element().getBoundingClientRect();
    expect(tab.left - row.left, `${at}`).toBeGreaterThanOrEqual(36);
    expect(row.right - tab.right, `${at}`).toBeGreaterThanOrEqual(36);
    await screen.unmount();
  }
});

test('the tab where one is stays in view when counts that come later push it away', async () => {
  await page.viewport(700, 700);
  window.history.replaceState(null, '', '/admin/venues/5/8');
  const many = (note?: string) => Array.from({ length: 9 }, (_, at): TabItem => ({ id: String(at),
    text: `Section ${at}`, href: `/admin/venues/5/${at}`, note: at < 4 ? note : undefined }));
  const screen = await staged(<PageHeader title="Savoy" tabs={many()} />);
  await screen.rerender(<ThemeProvider><PageHeader title="Savoy" tabs={many('9 of 14')} /></ThemeProvider>);
  const right = (role: 'link' | 'navigation', name: string) =>
    page.getByRole(role, { name }).element().getBoundingClientRect().right;
  await expect.poll(() => right('link', 'Section 8') - right('navigation', 'Sections')).toBeLessThanOrEqual(1);
  await page.viewport(1280, 900);
});

describe('a sum in one line', () => {
  const parts = ['Royalty', 'Rental', 'Shipping', 'Add-ons', 'Tax', 'Deposit'];
  const sum = (
    <StatStrip label="Price" stats={[
      ...parts.map((label, at) => ({ label, value: '375.00', ...(at > 0 && { sign: '+' as const }) })),
      { label: 'Total USD', value: '1,518.60', sign: '=' as const, strong: true },
    ]} />
  );
  const total = () => page.getByText('Total USD').element().parentElement!;

  test('where it breaks, a figure has its sign on its own line and stands at the end', async () => {
    await page.viewport(1280, 900);
    await staged(<div style={{ width: 520 }}>{sum}</div>);
    const { top, right } = total().getBoundingClientRect();
    expect(top).toBeGreaterThan(page.getByText('Royalty').element().getBoundingClientRect().bottom);
    expect(getComputedStyle(total(), '::before').content).toContain('"="');
    expect(right).toBe(page.getByText('Deposit').element().parentElement!.getBoundingClientRect().right);
    expect(total().parentElement!.scrollWidth).toBeLessThanOrEqual(520);
  });

  test('on a phone each figure has a line, without signs', async () => {
    await page.viewport(390, 844);
    await staged(sum);
    const content = getComputedStyle(total(), '::before').content;
    await page.viewport(1280, 900);
    expect(content).toBe('none');
  });
});
