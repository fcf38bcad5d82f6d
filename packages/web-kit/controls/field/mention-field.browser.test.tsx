/** Naming people in a text (U25). */
import axe from 'axe-core';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MentionField } from './mention-field.tsx';
import type { OptionSource } from '../select/option.ts';
import { staged, still } from '../stage.tsx';

const PEOPLE = [{ value: 7, label: 'Ada Marsh', children: 'ada@house.test' },
  { value: 8, label: 'Ada Marsh', children: 'marsh@house.test' }, { value: 9, label: 'Theo Brandt' }];
const people: OptionSource<number> = (search) => Promise.resolve({ meta: { current_page: 1, last_page: 1 },
  data: PEOPLE.filter((one) => one.label.toLowerCase().includes(search.toLowerCase())) });
let stored = '';

function Held() {
  const [text, setText] = useState('');
  return <MentionField label="Memo" value={text} people={people}
    onChange={(typed, kept) => { setText(typed); stored = kept; }} />;
}
const field = () => page.getByRole('textbox', { name: 'Memo' });
const options = () => page.getByRole('option').elements().map((one) => one.textContent);

test('@ offers people, the keyboard takes one; names are shown and ids kept', async () => {
  await staged(<Held />);
  await field().click();
  await userEvent.keyboard('Ask @');
  await expect.poll(options).toHaveLength(3);
  await still();
  const found = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(found.violations.map((one) => one.id)).toEqual([]);
  await userEvent.keyboard('the');
  await expect.poll(options).toEqual(['Theo Brandt']);
  await expect.element(field()).toHaveAttribute('aria-activedescendant', page.getByRole('option').element().id);
  await userEvent.keyboard('{Enter}');
  await expect.element(field()).toHaveValue('Ask @Theo Brandt ');
  expect(options()).toEqual([]);
  expect(stored).toBe('Ask @[9] ');
  await expect.poll(() => document.activeElement?.tagName).toBe('TEXTAREA');
  await userEvent.keyboard('and @ada');
  await expect.poll(options).toHaveLength(2);
  await userEvent.keyboard('{ArrowDown}{ArrowUp}{Tab}');
  await userEvent.keyboard('or @ada');
  await expect.poll(options).toHaveLength(2);
  await page.getByRole('option').nth(1).click();
  await expect.element(field()).toHaveValue('Ask @Theo Brandt and @Ada Marsh or @Ada Marsh (marsh@house.test) ');
  expect(stored).toBe('Ask @[9] and @[7] or @[8] ');
});

test('Escape closes the list and leaves what was typed; a line break goes on as ever', async () => {
  await staged(<Held />);
  await field().click();
  await userEvent.keyboard('@');
  await expect.poll(options).toHaveLength(3);
  await userEvent.keyboard('{Escape}');
  expect(options()).toEqual([]);
  await userEvent.keyboard('a{Enter}b');
  await expect.element(field()).toHaveValue('@a\nb');
  expect(options()).toEqual([]);
  expect(stored).toBe('@a\nb');
});
