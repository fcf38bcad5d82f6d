/** Irreversible actions have a danger button; a parcel of a perusal names the warehouse it is taken from. */
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { Button } from '#web/controls/button/button.tsx';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { EntryDialog } from './movement/entry-dialog.web.tsx';
import { NewPerusalDialog } from './perusal/new-perusal.web.tsx';
import { PerusalDialog } from './perusal/perusal-dialog.web.tsx';
import type { PerusalDetail } from './perusal/perusal.contract.ts';
import { EventDialog } from './sales-order/event-dialog.web.tsx';
import type { SalesOrderDetail } from './sales-order/sales-order.contract.ts';

const order = { id: 1, number: 'SO-1001', version: 1, lines: [], outstanding: 3, carriers: [], carrier: '', rush: false,
  return_due_on: null } as unknown as SalesOrderDetail;
const perusal = { id: 2, number: 'PR-1002', version: 1, status: 'approved', format: 'physical', days: 21, materials: [],
  customer_name: 'Fairmount College', show_title: 'HMS Pinafore', warehouse_name: 'Secaucus warehouse',
  expires_at: null, due_back_on: null } as unknown as PerusalDetail;
const warehouse = { id: 3, name: 'Secaucus warehouse', division: 'US' as const };
const close = () => {};

const drawn = (dialog: ReactNode) => staged(
  <QueryClientProvider client={createQueryClient()}>
    {dialog}<Button variant="danger">Danger</Button>
  </QueryClientProvider>,
);
const look = (name: string) => page.getByRole('button', { name, exact: true, includeHidden: true }).element().className;

test.each([
  ['Cancel order', <EventDialog key="a" event="cancel" order={order} onClose={close} />],
  ['Charge what is missing', <EventDialog key="b" event="charge_missing" order={order} onClose={close} />],
  ['Call PR-1002 off', <PerusalDialog key="c" event="close" perusal={perusal} onClose={close} />],
  ['End reading of HMS Pinafore', <PerusalDialog key="d" event="close" onClose={close}
    perusal={{ ...perusal, status: 'active' }} />],
  ['Book write-off', <EntryDialog key="e" kind="write_off" warehouse={warehouse} onClose={close} />],
])('%s is pressed in the colour of danger', async (name, dialog) => {
  await drawn(dialog);
  await expect.element(page.getByRole('button', { name, exact: true })).toBeVisible();
  expect(look(name)).toBe(look('Danger'));
});

test('what came back is put away: no danger', async () => {
  await drawn(<PerusalDialog event="close" perusal={{ ...perusal, status: 'returned' }} onClose={close} />);
  await expect.element(page.getByRole('button', { name: 'Close: PR-1002' })).toBeVisible();
  expect(look('Close: PR-1002')).not.toBe(look('Danger'));
});

test('shipping a perusal names the warehouse that it is taken from', async () => {
  await drawn(<PerusalDialog event="ship" perusal={perusal} onClose={close} />);
  await expect.element(page.getByText('Taken from Secaucus warehouse.')).toBeVisible();
});

test('the fields of a new perusal stand apart from each other', async () => {
  await drawn(<NewPerusalDialog onClose={close} />);
  const note = page.getByRole('textbox', { name: 'Note' });
  await expect.element(note).toBeVisible();
  const show = page.getByRole('combobox', { name: /^Show/ }).element().closest('[data-field-frame]')!;
  const frame = note.element().closest('[data-field-frame]')!;
  expect(frame.getBoundingClientRect().top - show.getBoundingClientRect().bottom).toBe(16);
});
