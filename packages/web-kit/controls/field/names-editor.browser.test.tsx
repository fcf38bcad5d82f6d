/** Names in returns: what is typed outlives a reading of the record, and nobody's names are written over. */
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { NamesEditor } from './names-editor.tsx';
import { staged } from '../stage.tsx';

const onSave = vi.fn<(names: string[]) => Promise<boolean>>(() => Promise.resolve(true));

function Venue() {
  const [names, setNames] = useState<readonly string[]>(['Old Mill', 'The Barn']);
  const save = async (next: string[]): Promise<boolean> => {
    const ok = await onSave(next);
    if (ok) setNames(next);
    return ok;
  };
  return (
    <>
      <button type="button" onClick={() => setNames(['Old Mill', 'Mill Theatre'])}>Somebody else saves</button>
      <NamesEditor title="Names in returns" description="" names={names} mayWrite pending={false} onSave={save} />
    </>
  );
}

const box = () => page.getByRole('textbox', { name: 'Names, one per line' });

test('names that somebody else saved meanwhile come in beside what is typed', async () => {
  await staged(<Venue />);
  await box().fill('Old Mill\nThe Barn\n Mill Barn \n');
  await page.getByRole('button', { name: 'Somebody else saves' }).click();
  await expect.element(box()).toHaveValue('Old Mill\nMill Theatre\nMill Barn');
  await page.getByRole('button', { name: 'Save names' }).click();
  expect(onSave).toHaveBeenLastCalledWith(['Old Mill', 'Mill Theatre', 'Mill Barn']);
  await expect.element(page.getByRole('button', { name: 'Save names' })).toHaveAttribute('aria-disabled', 'true');
});

test('what was refused stays to be mended', async () => {
  onSave.mockResolvedValueOnce(false);
  await staged(<Venue />);
  await box().fill('Old Mill\nTaken');
  await page.getByRole('button', { name: 'Save names' }).click();
  await expect.element(box()).toHaveValue('Old Mill\nTaken');
});
