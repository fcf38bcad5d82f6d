/** Scanned lines are not lost to a key press: closing asks, and continuing keeps every line. */
import { useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useLeaveScan } from './leave-scan.web.tsx';

function Scanning({ scanned }: { scanned: number }) {
  const [open, setOpen] = useState(true);
  const { leave, question } = useLeaveScan(scanned, () => setOpen(false));
  return open ? <Modal open title="Count" onClose={leave}>Lines{question}</Modal> : <p>Closed</p>;
}

test('with lines scanned Escape asks, and only Leave closes', async () => {
  const screen = await staged(<Scanning scanned={3} />);
  await expect.element(screen.getByRole('dialog', { name: 'Count' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByText('3 lines would have to be scanned again.')).toBeVisible();
  await screen.getByRole('button', { name: 'Go on scanning' }).click();
  await expect.element(screen.getByRole('dialog', { name: 'Count' })).toBeVisible();
  await screen.getByRole('button', { name: 'Close' }).click();
  await screen.getByRole('button', { name: 'Leave' }).click();
  await expect.element(screen.getByText('Closed')).toBeVisible();
});

test('with nothing scanned it closes at once', async () => {
  const screen = await staged(<Scanning scanned={0} />);
  await expect.element(screen.getByRole('dialog', { name: 'Count' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByText('Closed')).toBeVisible();
});
