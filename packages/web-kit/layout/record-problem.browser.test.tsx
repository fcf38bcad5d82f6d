/** A record that cannot be shown: not there, not open to you, not loaded; each with a heading and a way on. */
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ApiError } from '#kit/transport.ts';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { RecordProblem } from './record-problem.tsx';

const staged = (error: ApiError | null, onRetry = vi.fn()) => render(
  <ThemeProvider><RecordProblem noun="box-office report" list="/admin/reports" error={error} onRetry={onRetry} />
  </ThemeProvider>);

test.each([
  ['not found', new ApiError(404, 'Not found')], ['named by no address', null],
])('a record that is %s leads back to its list', async (_, error) => {
  await staged(error);
  await expect.element(page.getByRole('heading', { level: 1, name: 'Box-office report' })).toBeVisible();
  await expect.element(page.getByRole('alert').getByText('There is no such box-office report')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Back to the list' })).toHaveAttribute('href', '/admin/reports');
});

test('a record that may not be read says so in the words of the refusal', async () => {
  await staged(new ApiError(403, 'Ask somebody of finance.'));
  await expect.element(page.getByRole('alert').getByText('You may not read this box-office report')).toBeVisible();
  await expect.element(page.getByText('Ask somebody of finance.')).toBeVisible();
});

test('a record that did not load is tried again', async () => {
  const retry = vi.fn();
  await staged(new ApiError(503, 'The server rests for a moment.'), retry);
  await expect.element(page.getByRole('alert').getByText('This box-office report did not load')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(retry).toHaveBeenCalledOnce();
});
