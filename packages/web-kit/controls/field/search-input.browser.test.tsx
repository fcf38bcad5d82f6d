/** Search input: state S101, constants C56, C57. */
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { windowNavigation } from '#web/navigation/navigation.tsx';
import { SEARCH_MAX_WIDTH, SearchInput } from './search-input.tsx';
import { SEARCH_DEBOUNCE } from '../late/use-late-report.ts';
import { staged } from '../stage.tsx';

const reported = vi.fn();
function Held() {
  const [value, setValue] = useState('');
  return <SearchInput label="Search venues" value={value} onChange={(text) => { reported(text); setValue(text); }} />;
}
const input = () => page.getByRole('textbox', { name: 'Search venues' });

afterEach(() => { vi.useRealTimers(); reported.mockClear(); });

test('[S101] [C56] reports 100 ms after the last keystroke', async () => {
  await staged(<Held />);
  await input().click();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await userEvent.keyboard('sa');
  vi.advanceTimersByTime(SEARCH_DEBOUNCE - 1);
  await userEvent.keyboard('v');
  vi.advanceTimersByTime(SEARCH_DEBOUNCE - 1);
  expect(reported).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(reported.mock.calls).toEqual([['sav']]);
  expect(SEARCH_DEBOUNCE).toBe(100);
});

test('what was typed is forgotten where a link is followed before it is reported', async () => {
  const { path, query } = windowNavigation.read();
  await staged(<Held />);
  await input().click();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await userEvent.keyboard('sav');
  windowNavigation.go('/next', { replace: true });
  vi.advanceTimersByTime(SEARCH_DEBOUNCE);
  windowNavigation.go(path + query, { replace: true });
  expect(reported).not.toHaveBeenCalled();
});

test('[S101] [C57] is at most 325 px wide', async () => {
  await staged(<div style={{ width: 900, display: 'flex' }}><Held /></div>);
  expect(page.getByRole('search').element().getBoundingClientRect().width).toBe(325);
  expect(SEARCH_MAX_WIDTH).toBe(325);
});

test('Escape and the clear button empty it at once', async () => {
  await staged(<Held />);
  await userEvent.fill(input(), 'savoy');
  await expect.poll(() => reported.mock.calls).toEqual([['savoy']]);
  await userEvent.keyboard('{Escape}');
  expect(reported).toHaveBeenLastCalledWith('');
  await userEvent.fill(input(), 'x');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect.element(input()).toHaveValue('');
});
