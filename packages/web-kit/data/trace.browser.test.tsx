import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { Trace } from './trace.tsx';

const steps = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `House ${n + 1}`, minor: 100 }));

test('few steps are all there; of many the first, the others when asked for', async () => {
  await staged(<><Trace heading={false} steps={steps(24)} /><Trace heading={false} steps={steps(80)} /></>);
  await expect.element(page.getByText('House 24')).toBeVisible();
  expect(page.getByRole('listitem').elements()).toHaveLength(24 + 12);
  await page.getByRole('button', { name: 'Show the other 68 steps' }).click();
  await expect.element(page.getByText('House 80')).toBeVisible();
  expect(page.getByRole('button').elements()).toHaveLength(0);
});

test('paper has them all', async () => {
  await staged(<Trace heading={false} steps={steps(80)} />);
  window.dispatchEvent(new Event('beforeprint'));
  await expect.element(page.getByText('House 80')).toBeVisible();
});
