/** Short news at the foot of the screen and what can be taken back: U12, frontend.md 3.4. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { settled, staged, still } from '#web/controls/stage.tsx';
import { dismiss, toast, Toasts, undoable, UNDO_DURATION } from './toast.tsx';

const shown = () => page.getByRole('region', { name: 'Messages' }).getByRole('status').elements()
  .map((one) => one.querySelector('span')?.textContent);
const press = (name: string) => (page.getByRole('button', { name }).element() as HTMLElement).click();

function clear(): void {
  const last = toast('');
  for (let id = 0; id <= last; id += 1) dismiss(id);
}

beforeEach(async () => {
  // The page is kept from the tests before, and their news with it.
  clear();
  await staged(<Toasts />);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  clear();
  vi.useRealTimers();
});

test('news is read out politely and goes after five seconds', async () => {
  toast('Venue saved');
  await settled();
  expect(shown()).toEqual(['Venue saved']);
  vi.advanceTimersByTime(4999);
  await settled();
  expect(shown()).toEqual(['Venue saved']);
  vi.advanceTimersByTime(1);
  await settled();
  expect(shown()).toEqual([]);
});

test('an error is read out at once and stays until it is closed', async () => {
  toast('Network Error', { tone: 'error' });
  await settled();
  vi.advanceTimersByTime(3_600_000);
  await settled();
  expect(page.getByRole('alert').elements()).toHaveLength(1);
  press('Close message');
  await settled();
  expect(page.getByRole('alert').elements()).toHaveLength(0);
});

test('an undo is offered for eight seconds and takes back once', async () => {
  const undo = vi.fn(() => Promise.resolve());
  undoable('Venue moved to trash', undo);
  await settled();
  vi.advanceTimersByTime(UNDO_DURATION - 1);
  await settled();
  expect(UNDO_DURATION).toBe(8000);
  press('Undo');
  await settled();
  expect(undo).toHaveBeenCalledOnce();
  expect(shown()).toEqual(['Restored']);
});

test('after eight seconds there is nothing to undo', async () => {
  undoable('Venue moved to trash', () => Promise.resolve());
  await settled();
  vi.advanceTimersByTime(UNDO_DURATION);
  await settled();
  expect(shown()).toEqual([]);
});

test('an undo that fails says why', async () => {
  undoable('Venue moved to trash', () => Promise.reject(new Error('Somebody was faster.')));
  await settled();
  press('Undo');
  await settled();
  expect(page.getByRole('alert').elements().map((one) => one.textContent)).toEqual(['Somebody was faster.']);
});

test.each([[390, 44], [1280, 24]])('at %i px of width what is pressed in a message is at least %i px', async (
  width, least) => {
  await page.viewport(width, 844);
  undoable('Venue moved to trash', () => Promise.resolve());
  // It slides in: on its way it is a hair smaller.
  await still();
  for (const name of ['Undo', 'Close message']) {
    const box = page.getByRole('button', { name }).element().getBoundingClientRect();
    expect(Math.min(box.width, box.height), name).toBeGreaterThanOrEqual(least);
  }
  await page.viewport(1280, 900);
});

test('at most four stand at once, the newest stay', async () => {
  for (const text of ['one', 'two', 'three', 'four', 'five']) toast(text);
  await settled();
  expect(shown()).toEqual(['two', 'three', 'four', 'five']);
});
