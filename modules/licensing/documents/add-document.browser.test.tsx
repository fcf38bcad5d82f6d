/** Adding a document: the default, the other way, and the cases in which only one is possible. */
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { AddDocument, UPLOAD_MODE_DEFAULT } from './add-document.web.tsx';

function opened(rights: { mayUpload: boolean; mayGenerate: boolean }) {
  const done = { onUpload: vi.fn(), onGenerate: vi.fn() };
  return staged(<AddDocument {...rights} {...done} pending={false} />).then(() => done);
}

test('[S73] [C25] the screen opens with uploading; generating is the other choice', async () => {
  const { onUpload, onGenerate } = await opened({ mayUpload: true, mayGenerate: true });
  expect(UPLOAD_MODE_DEFAULT).toBe('upload');
  await expect.element(page.getByRole('radio', { name: 'Upload' })).toBeChecked();
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByText('Generate').click();
  await expect.element(page.getByRole('button', { name: 'Upload' })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Make the offer' }).click();
  expect([onUpload.mock.calls.length, onGenerate.mock.calls.length]).toEqual([1, 1]);
});

test('where only one way is possible nothing is to be chosen', async () => {
  await opened({ mayUpload: false, mayGenerate: true });
  await expect.element(page.getByRole('button', { name: 'Make the offer' })).toBeVisible();
  expect(page.getByRole('radio').elements()).toHaveLength(0);
});
