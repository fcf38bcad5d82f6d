/** Select in a real browser, its timings on a controlled clock: SPEC.md 4 and 9, states S27-S36, S102. */
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { AsyncSelect, type AsyncSelectProps } from './async-select.tsx';
import type { Option, OptionPage } from './option.ts';
import { SELECT_LIST_MAX_HEIGHT } from './option-panel.tsx';
import { staged } from '../stage.tsx';
import { SELECT_SEARCH_DEBOUNCE } from './use-options.ts';

const shows: Option[] = [
  { value: 'PIR', label: 'The Pirates of Penzance', children: 'Operetta' },
  { value: 'MIK', label: 'The Mikado', children: 'Operetta' },
  { value: 'EAR', label: 'The Importance of Being Earnest', children: 'Play' },
];

function Held(props: Partial<AsyncSelectProps> & { start?: string }) {
  const { start = null, ...rest } = props;
  const [value, setValue] = useState<string | null>(start);
  return <AsyncSelect label="Show" {...rest} value={value} onChange={setValue} />;
}

function pageOf(from: number, count: number, current: number, last: number): OptionPage {
  const data = Array.from({ length: count }, (_, i) => ({ value: `v${from + i}`, label: `Venue ${from + i}` }));
  return { data, meta: { current_page: current, last_page: last } };
}

const trigger = () => page.getByRole('combobox', { name: 'Show', exact: true });
const searchBox = () => page.getByRole('combobox', { name: 'Search Show' });
const optionTexts = () => page.getByRole('option').elements().map((element) => element.textContent);

afterEach(() => { vi.useRealTimers(); });

test('[S27] closed it shows the selected option; [S28] [S29] open, a search box and the list', async () => {
  await staged(<Held options={shows} start="MIK" />);
  await expect.element(trigger()).toHaveTextContent('The Mikado');
  expect(page.getByRole('option').elements()).toHaveLength(0);
  await trigger().click();
  await expect.element(searchBox()).toHaveFocus();
  expect(optionTexts()).toHaveLength(3);
  await expect.element(page.getByRole('option', { name: /The Mikado/ })).toHaveAttribute('aria-selected', 'true');
});

test('the keyboard opens, searches, chooses; the focus returns', async () => {
  await staged(<Held options={shows} />);
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(searchBox()).toHaveFocus();
  await userEvent.keyboard('earn{ArrowDown}{Enter}');
  await expect.element(trigger()).toHaveTextContent('The Importance of Being Earnest');
  await expect.element(trigger()).toHaveFocus();
});

test('Enter takes the first hit of what was typed', async () => {
  await staged(<Held options={shows} />);
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(searchBox()).toHaveFocus();
  await userEvent.keyboard('mik');
  await expect.element(page.getByRole('option', { name: /The Mikado/ })).toHaveAttribute('data-combobox-selected');
  await userEvent.keyboard('{Enter}');
  await expect.element(trigger()).toHaveTextContent('The Mikado');
  await expect.element(trigger()).toHaveFocus();
});

test('Enter takes nothing while the hits are those of an older search', async () => {
  const source = vi.fn((search: string) => Promise.resolve(search === ''
    ? pageOf(1, 2, 1, 1) : { ...pageOf(0, 0, 1, 1), data: [{ value: 'hall', label: 'Town Hall' }] }));
  await staged(<Held source={source} />);
  await trigger().click();
  await expect.element(page.getByRole('option', { name: 'Venue 1' })).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await userEvent.keyboard('hall{Enter}');
  await expect.element(searchBox()).toBeVisible();
  vi.advanceTimersByTime(SELECT_SEARCH_DEBOUNCE);
  vi.useRealTimers();
  await expect.element(page.getByRole('option', { name: 'Town Hall' })).toHaveAttribute('data-combobox-selected');
  await userEvent.keyboard('{Enter}');
  await expect.element(trigger()).toHaveTextContent('Town Hall');
});

test('[S30] [M23] while options load a spinner and Loading show', async () => {
  let answer: (page: OptionPage) => void = () => {};
  await staged(<Held source={() => new Promise((resolve) => { answer = resolve; })} />);
  await trigger().click();
  await expect.element(page.getByText('Loading')).toBeVisible();
  expect(document.querySelectorAll('[data-spinner]')).toHaveLength(1);
  expect(page.getByText('No Items').elements()).toHaveLength(0);
  answer(pageOf(1, 2, 1, 1));
  await expect.element(page.getByText('Loading')).not.toBeInTheDocument();
  expect(optionTexts()).toEqual(['Venue 1', 'Venue 2']);
});

test('[S31] [M24] no match shows No Items', async () => {
  await staged(<Held options={shows} />);
  await trigger().click();
  await userEvent.fill(searchBox(), 'zzz');
  await expect.element(page.getByText('No Items')).toBeVisible();
});

test('[S32] the search text is empty at the next opening', async () => {
  await staged(<Held options={shows} />);
  await trigger().click();
  await userEvent.fill(searchBox(), 'mik');
  await userEvent.keyboard('{Escape}');
  await expect.element(searchBox()).not.toBeInTheDocument();
  await trigger().click();
  await expect.element(searchBox()).toHaveValue('');
  expect(optionTexts()).toHaveLength(3);
});

test('[S33] [S34] the end of the list loads the next page until the last one', async () => {
  const source = vi.fn((_search: string, number: number) => Promise.resolve(pageOf(number * 100, 30, number, 2)));
  await staged(<Held source={source} />);
  await trigger().click();
  await expect.poll(() => optionTexts().length).toBe(30);
  expect(source).toHaveBeenCalledTimes(1);
  const list = document.querySelector('[data-select-list]')!;
  list.scrollTo({ top: list.scrollHeight });
  await expect.poll(() => optionTexts().length).toBe(60);
  expect(source.mock.calls.map((call) => call[1])).toEqual([1, 2]);
  list.scrollTo({ top: list.scrollHeight });
  await new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
  expect(source).toHaveBeenCalledTimes(2);
  expect(document.querySelectorAll('[data-end-of-list]')).toHaveLength(0);
});

test('[S35] [C55] the search runs 300 ms after the last keystroke', async () => {
  const source = vi.fn((search: string) => Promise.resolve(pageOf(search.length, 1, 1, 1)));
  await staged(<Held source={source} />);
  await trigger().click();
  await expect.element(searchBox()).toHaveFocus();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await userEvent.keyboard('ab');
  vi.advanceTimersByTime(299);
  await userEvent.keyboard('c');
  vi.advanceTimersByTime(299);
  expect(source).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(source.mock.calls.map((call) => call[0])).toEqual(['', 'abc']);
  expect(SELECT_SEARCH_DEBOUNCE).toBe(300);
});

test('[S36] local options are ranked by the fuzzy tiers, rank 0 hidden', async () => {
  await staged(<Held options={shows} />);
  await trigger().click();
  await userEvent.fill(searchBox(), 'pi');
  expect(optionTexts()[0]).toContain('The Pirates of Penzance');
  expect(optionTexts().some((text) => text?.includes('Mikado'))).toBe(false);
});

test('[S102] [C58] the list is at most 348 px high', async () => {
  const many = Array.from({ length: 60 }, (_, i) => ({ value: String(i), label: `Show ${i}` }));
  await staged(<Held options={many} />);
  await trigger().click();
  await expect.poll(() => document.querySelector('[data-select-list]')?.clientHeight).toBe(SELECT_LIST_MAX_HEIGHT);
  expect(SELECT_LIST_MAX_HEIGHT).toBe(348);
});

test('a failed load says so and can be tried again', async () => {
  const source = vi.fn().mockRejectedValueOnce(new Error('Network Error')).mockResolvedValue(pageOf(1, 1, 1, 1));
  await staged(<Held source={source} />);
  await trigger().click();
  await expect.element(page.getByText('Network Error')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(optionTexts).toEqual(['Venue 1']);
});

test('Clear empties the choice; an unknown value shows the label of the row', async () => {
  await staged(<Held source={() => Promise.resolve(pageOf(1, 1, 1, 1))} start="7" selectedLabel="Savoy" clearable />);
  await expect.element(trigger()).toHaveTextContent('Savoy');
  await page.getByRole('button', { name: 'Clear Show' }).click();
  await expect.element(trigger()).toHaveTextContent('Select');
});
