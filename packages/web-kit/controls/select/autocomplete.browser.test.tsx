/** Autocomplete: states S29, S37-S43, S102, rule R25, constants C29, C30, message M36. */
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Autocomplete, AUTOCOMPLETE_BLUR_DELAY, type AutocompleteProps } from './autocomplete.tsx';
import { settled, staged } from '../stage.tsx';

const items = [{ id: 11, label: 'Savoy Theatre' }, { id: 12, label: 'Ravenswood Playhouse' }];

function Held(props: Partial<AutocompleteProps<number>>) {
  const [text, setText] = useState('');
  return (
    <>
      <Autocomplete label="Venue" items={items} onChoose={() => {}} {...props} value={text} onChange={setText} />
      <button type="button">Elsewhere</button>
    </>
  );
}
const input = () => page.getByRole('combobox', { name: 'Venue' });
const list = () => document.querySelector('[role=listbox]');
async function passes(ms: number) {
  await settled();
  await vi.advanceTimersByTimeAsync(ms);
  await settled();
}

afterEach(() => { vi.useRealTimers(); });

test('[S29] [S37] focus opens the list', async () => {
  await staged(<Held />);
  expect(list()).toBeNull();
  await userEvent.keyboard('{Tab}');
  await expect.element(input()).toHaveFocus();
  await expect.poll(list).not.toBeNull();
  await expect.element(input()).toHaveAttribute('aria-expanded', 'true');
});

test('[S38] without items no list shows', async () => {
  await staged(<Held items={[]} />);
  await input().click();
  await expect.element(input()).toHaveFocus();
  expect(list()).toBeNull();
  expect(page.getByText('No results found.').elements()).toHaveLength(0);
});

test('[S39] [C29] leaving closes the list after 200 ms', async () => {
  await staged(<Held />);
  await input().click();
  await expect.poll(list).not.toBeNull();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  page.getByRole('button', { name: 'Elsewhere' }).element().focus();
  await passes(AUTOCOMPLETE_BLUR_DELAY - 1);
  expect(list()).not.toBeNull();
  await passes(1);
  expect(list()).toBeNull();
  expect(AUTOCOMPLETE_BLUR_DELAY).toBe(200);
});

test('[S40] the list stays open when the focus moves into it', async () => {
  await staged(<Held />);
  await input().click();
  await expect.poll(list).not.toBeNull();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  page.getByRole('option', { name: 'Savoy Theatre' }).element().focus();
  await passes(AUTOCOMPLETE_BLUR_DELAY * 5);
  expect(list()).not.toBeNull();
});

test('[S41] choosing reports the id, by pointer and by keyboard', async () => {
  const onChoose = vi.fn();
  await staged(<Held onChoose={onChoose} />);
  await input().click();
  await page.getByRole('option', { name: 'Ravenswood Playhouse' }).click();
  expect(onChoose.mock.calls).toEqual([[12]]);
  await expect.poll(list).toBeNull();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(onChoose.mock.calls).toEqual([[12], [11]]);
});

test('[S42] a progress indicator shows while loading', async () => {
  const screen = await staged(<Held loading />);
  await expect.element(page.getByRole('progressbar', { name: 'Searching Venue' })).toBeInTheDocument();
  await screen.rerender(<Held />);
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
});

test('[S43] [M36] a search without result says so, not while loading', async () => {
  const screen = await staged(<Held items={[]} loading />);
  await userEvent.fill(input(), 'zzz');
  expect(page.getByText('No results found.').elements()).toHaveLength(0);
  await screen.rerender(<Held items={[]} />);
  await expect.element(page.getByText('No results found.')).toBeVisible();
});

test('[R25] a supplied error stands under the input, in red', async () => {
  await staged(<Held error="Choose a venue" />);
  await expect.element(input()).toHaveAttribute('aria-invalid', 'true');
  await expect.element(input()).toHaveAccessibleDescription('Choose a venue');
  const text = page.getByText('Choose a venue').element();
  expect(text.getBoundingClientRect().top).toBeGreaterThan(input().element().getBoundingClientRect().bottom - 1);
  expect(getComputedStyle(text).color).toBe('rgb(179, 38, 30)');
  expect(getComputedStyle(input().element()).borderColor).toBe('rgb(179, 38, 30)');
});

test('[S102] [C30] the list is at most 10rem high', async () => {
  await staged(<Held items={Array.from({ length: 40 }, (_, id) => ({ id, label: `Venue ${id}` }))} />);
  await input().click();
  await expect.poll(() => list()?.getBoundingClientRect().height).toBe(160);
});
