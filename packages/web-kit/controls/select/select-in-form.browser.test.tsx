/** The list of a select comes once somebody begins to fill in its form, before anything is near the select itself. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { AsyncSelect } from './async-select.tsx';
import { settled, staged } from '../stage.tsx';
import { TextField } from '../field/text-field.tsx';

const isThere = (): boolean =>
  performance.getEntriesByType('resource').some(({ name }) => /select-list\.tsx/.test(name));

test('the first field of a form brings the lists of its selects', async () => {
  // The pointer rests where the test before left it: over the select it would be near, too.
  await staged(
    <form style={{ pointerEvents: 'none' }}>
      <TextField label="Name" value="" onChange={() => {}} />
      <AsyncSelect<string> label="Kind" value={null} onChange={() => {}} options={[{ value: 'hall', label: 'Hall' }]} />
    </form>,
  );
  await settled();
  expect(isThere()).toBe(false);
  (page.getByRole('textbox', { name: 'Name' }).element() as HTMLInputElement).focus();
  await expect.poll(isThere).toBe(true);
});
