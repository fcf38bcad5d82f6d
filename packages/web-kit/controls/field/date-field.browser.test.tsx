/** Dates and times: state S105, constants C79, C80; ISO at the edge, typing accepted. */
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { DateField, type DateFieldProps } from './date-field.tsx';
import { DateRangeField, type DateRange } from './date-range-field.tsx';
import { staged } from '../stage.tsx';
import { TimeField } from './time-field.tsx';

const changed = vi.fn();
function Held(props: Partial<DateFieldProps> & { start?: string | null }) {
  const { start = null, ...rest } = props;
  const [day, setDay] = useState<string | null>(start);
  return (
    <DateField label="Opening" today="2026-11-21" {...rest} value={day}
      onChange={(next) => { changed(next); setDay(next); }} />
  );
}
const input = () => page.getByRole('textbox', { name: 'Opening' });
const openCalendar = () => page.getByRole('button', { name: 'Calendar: Opening' }).click();

test('[S105] [C79] [C80] the calendar starts its weeks on Sunday, in English (US)', async () => {
  await staged(<Held start="2027-03-12" />);
  await expect.element(input()).toHaveValue('03/12/2027');
  await openCalendar();
  await expect.element(page.getByText('March 2027')).toBeVisible();
  const heads = [...document.querySelectorAll('[role=dialog] thead th')].map((head) => head.textContent);
  expect(heads).toEqual(['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa']);
});

test('typing reports ISO; leaving shows the day as en-US', async () => {
  changed.mockClear();
  await staged(<Held />);
  await userEvent.fill(input(), 'Mar 12, 2027');
  expect(changed).toHaveBeenLastCalledWith('2027-03-12');
  await userEvent.keyboard('{Tab}');
  await expect.element(input()).toHaveValue('03/12/2027');
  await userEvent.fill(input(), '');
  expect(changed).toHaveBeenLastCalledWith(null);
});

test('what cannot be read stays, is said, and reports nothing', async () => {
  changed.mockClear();
  await staged(<Held />);
  await userEvent.fill(input(), '2/30/2027');
  await userEvent.keyboard('{Tab}');
  await expect.element(input()).toHaveValue('2/30/2027');
  await expect.element(input()).toHaveAccessibleDescription('Enter a date, such as 03/12/2027');
  expect(changed).not.toHaveBeenCalled();
});

test('a day outside the limits is refused in words', async () => {
  await staged(<Held min="2026-12-01" />);
  await userEvent.fill(input(), '11/30/2026');
  await userEvent.keyboard('{Tab}');
  await expect.element(input()).toHaveAccessibleDescription('Enter a date on or after 12/01/2026');
});

test('Escape closes the calendar from its button too: the focus may not be in it yet', async () => {
  const above = vi.fn();
  await staged(<div onKeyDown={above}><Held start="2027-03-12" /></div>);
  await openCalendar();
  await expect.element(page.getByText('March 2027')).toBeVisible();
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBeNull();
  (page.getByRole('button', { name: 'Calendar: Opening' }).element() as HTMLElement).focus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByText('March 2027')).not.toBeInTheDocument();
  expect(above).not.toHaveBeenCalled();
});

test('the focus returns from a calendar that is closed while its focus is still on the way into it', async () => {
  await staged(<Held start="2027-03-12" />);
  await openCalendar();
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBeNull();
  const day = document.activeElement as HTMLElement;
  const button = page.getByRole('button', { name: 'Calendar: Opening' }).element() as HTMLElement;
  button.focus();
  button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  // Closed, and on its way out.
  await new Promise((done) => setTimeout(done));
  day.focus();
  await expect.element(page.getByText('March 2027')).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Calendar: Opening' })).toHaveFocus();
});

test('Alt+Down opens the calendar; arrows walk the days, Enter chooses, the focus returns', async () => {
  await staged(<Held start="2027-03-12" />);
  await input().click();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await expect.element(page.getByRole('dialog')).toBeVisible();
  const day = page.getByRole('button', { name: '12 March 2027' });
  day.element().focus();
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.element(input()).toHaveValue('03/13/2027');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('a range takes two typed days and says when they stand backwards', async () => {
  function Range() {
    const [value, setValue] = useState<DateRange>({ from: '2027-02-11', to: null });
    const text = JSON.stringify(value);
    return <><DateRangeField label="Run" value={value} onChange={setValue} /><output>{text}</output></>;
  }
  await staged(<Range />);
  await userEvent.fill(page.getByRole('textbox', { name: 'Run: last day' }), '2/10/2027');
  await expect.element(page.getByText('The last day is before the first day')).toBeVisible();
  await userEvent.fill(page.getByRole('textbox', { name: 'Run: last day' }), '2/14/2027');
  await expect.element(page.getByRole('status')).toHaveTextContent('{"from":"2027-02-11","to":"2027-02-14"}');
  expect(page.getByText('The last day is before the first day').elements()).toHaveLength(0);
});

test('a time is typed in any usual way and moves by quarter hours', async () => {
  function Time() {
    const [value, setValue] = useState<string | null>(null);
    return <><TimeField label="Curtain" value={value} onChange={setValue} /><output>{value}</output></>;
  }
  await staged(<Time />);
  const time = page.getByRole('textbox', { name: 'Curtain' });
  await userEvent.fill(time, '730p');
  await expect.element(page.getByRole('status')).toHaveTextContent('19:30');
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(page.getByRole('status')).toHaveTextContent('19:45');
  await userEvent.keyboard('{Tab}');
  await expect.element(time).toHaveValue('7:45 PM');
});
