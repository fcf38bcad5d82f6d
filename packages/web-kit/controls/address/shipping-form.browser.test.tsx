/** Addresses of a customer: added, changed, removed and had back. */
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { Toasts } from '#web/data/toast.tsx';
import { ShippingDialog, type ShippingPlace } from './shipping-form.tsx';
import { staged } from '../stage.tsx';

const DOOR = { label: 'Stage door', attention: 'Jo', is_default: false, id: 7, version: 3,
  address: { country_code: 'US', thoroughfare: '2 Back Lane', locality: 'Keene', administrative_area: 'NH',
    postal_code: '03431' } };
const calls = { create: vi.fn((body: ShippingPlace) => Promise.resolve(body)),
  update: vi.fn((_row: ShippingPlace, body: ShippingPlace) => Promise.resolve(body)),
  remove: vi.fn(() => Promise.resolve()) };

function Dialog() {
  const [open, setOpen] = useState<typeof DOOR | 'new' | null>(DOOR);
  return (
    <>
      <ShippingDialog open={open} title="Add an address" count={2} countries={[{ code: 'US', name: 'United States' }]}
        territoriesOf={() => [{ code: 'NH', name: 'New Hampshire' }]} {...calls} onClose={() => setOpen(null)}
        onChanged={() => undefined} />
      <Toasts />
    </>
  );
}

test('a removed address can be had back as it was', async () => {
  await staged(<Dialog />);
  await page.getByRole('button', { name: 'Remove this address' }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(calls.remove).toHaveBeenCalledWith(DOOR);
  await page.getByRole('button', { name: 'Undo' }).click();
  const { id: _id, version: _version, ...place } = DOOR;
  await expect.poll(() => calls.create.mock.lastCall).toEqual([place]);
});

test('a change is sent with the row that it started from', async () => {
  await staged(<Dialog />);
  await page.getByLabelText('Recipient').fill('Kit');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect.poll(() => calls.update.mock.lastCall).toMatchObject([DOOR, { label: 'Stage door', attention: 'Kit' }]);
});
