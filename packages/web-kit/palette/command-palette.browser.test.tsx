/** The command palette by keys and pointer, what it marks, what it says without a match; records opened lately. */
import axe from 'axe-core';
import { House, Scale } from 'lucide-react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged, still } from '#web/controls/stage.tsx';
import { NavigationProvider, windowNavigation } from '#web/navigation/navigation.tsx';
import { CommandPalette, type PaletteGroup } from './command-palette.tsx';
import { keepRecent, recentOf, recordOf, RECENT_SIZE } from './recent.ts';

const places: PaletteGroup = { label: 'Go to', items: [
  { href: '/admin', label: 'Home', icon: House },
  { href: '/admin/accounting/trial-balance', label: 'Trial balance', detail: 'Accounting', icon: Scale },
] };
const go = vi.fn();

function Stage() {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const found = places.items.filter((item) => item.label.toLowerCase().includes(text.toLowerCase()));
  return (
    <NavigationProvider port={{ ...windowNavigation, go }}>
      <main><h1>Page</h1><button type="button" onClick={() => setOpen(true)}>Open</button></main>
      {open && <CommandPalette text={text} onText={setText} onClose={() => setOpen(false)}
        groups={[{ label: 'Opened lately', items: [] }, { label: 'Go to', items: found }]} />}
    </NavigationProvider>
  );
}
const field = () => page.getByRole('combobox');
const active = () => page.getByRole('option', { selected: true });
async function opened() {
  await staged(<Stage />);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect.element(field()).toHaveFocus();
}
beforeEach(() => { go.mockClear(); window.localStorage.clear(); });

test('arrows move around the list, Enter opens what is marked; groups without entries are not shown', async () => {
  await opened();
  expect(page.getByRole('group').elements()).toHaveLength(1);
  await expect.element(active()).toHaveTextContent('Home');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(active()).toHaveTextContent('Trial balanceAccounting');
  await expect.element(field()).toHaveAttribute('aria-activedescendant', active().element().id);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(active()).toHaveTextContent('Home');
  await userEvent.keyboard('{ArrowUp}{Enter}');
  expect(go).toHaveBeenCalledExactlyOnceWith('/admin/accounting/trial-balance');
  await expect.element(field()).not.toBeInTheDocument();
});

test('what was typed is marked; without a match it says so and Enter does nothing', async () => {
  await opened();
  await userEvent.fill(field(), 'bal');
  expect(page.getByRole('option').elements().map((one) => one.querySelector('mark')?.textContent)).toEqual(['bal']);
  await expect.element(page.getByRole('status')).toHaveTextContent('1 result');
  await userEvent.fill(field(), 'zebra');
  await expect.element(page.getByRole('status')).toHaveTextContent('Nothing matches');
  await userEvent.keyboard('{Enter}');
  expect(go).not.toHaveBeenCalled();
});

test('Escape closes it and the focus is back; a click opens an entry; axe finds nothing', async () => {
  await opened();
  await still();
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  expect(violations.map((one) => `${one.id} ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus();
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('option', { name: /Trial balance/ }).click();
  expect(go).toHaveBeenCalledExactlyOnceWith('/admin/accounting/trial-balance');
});

test('records opened lately: each once, the last first, a few, for each person alone', () => {
  expect(recordOf('/admin/quotes/5/terms')).toBe('/admin/quotes/5');
  expect(recordOf('/admin/customers/3/productions/9/documents')).toBe('/admin/customers/3/productions/9');
  expect(recordOf('/admin/quotes')).toBeNull();
  for (let id = 1; id <= RECENT_SIZE + 2; id += 1) keepRecent(1, `/admin/quotes/${id}/terms`, `Quote ${id}`);
  keepRecent(1, '/admin/quotes/5', 'Quote five');
  keepRecent(1, '/admin/quotes', 'Quotes');
  expect(recentOf(1)).toHaveLength(RECENT_SIZE);
  expect(recentOf(1)[0]).toEqual({ href: '/admin/quotes/5', title: 'Quote five' });
  expect(recentOf(1).filter((one) => one.href === '/admin/quotes/5')).toHaveLength(1);
  expect(recentOf(2)).toEqual([]);
  window.localStorage.setItem('recent:1', 'not json');
  expect(recentOf(1)).toEqual([]);
});
