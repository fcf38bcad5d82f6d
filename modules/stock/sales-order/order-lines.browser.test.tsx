/** The lines of an order: counts come as it goes on, what is sold adds up, copies are named once there are any. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { columnsOf } from './order-page.web.tsx';
import type { SalesOrderLine } from './sales-order.contract.ts';

const line = (more: Partial<SalesOrderLine>): SalesOrderLine => ({ id: 1, material_id: 1, sales_item_id: null,
  item_number: 'MIKADO-LIB', description: 'The Mikado of Marlow, libretto and vocal book', serial_tracked: false,
  physical: true, return_required: true, quantity: 20, qty_reserved: 0, qty_picked: 0, qty_shipped: 0, qty_cancelled: 0,
  qty_returned_good: 0, qty_returned_damaged: 0, qty_lost: 0, unit_price_minor: 0, shipping_minor: 0,
  license_price_minor: null, replacement_minor: 0, copies: [], waiting: null, ...more });
const heads = () => page.getByRole('columnheader').elements().map((head) => head.textContent?.trim());

function Lines({ lines }: { lines: SalesOrderLine[] }) {
  return <DataTable label="Lines" rows={lines} columns={columnsOf({ currency: 'USD', lines })} variant="record"
    rowKey={(row) => row.id} />;
}

test('an order that only waits shows no column of noughts', async () => {
  await staged(<Lines lines={[line({ qty_reserved: 20 })]} />);
  expect(heads()).toEqual(['Item number', 'What', 'Ordered', 'Reserved', 'Price, USD']);
});

test('what came back, and what the goods cost without what was cancelled', async () => {
  await staged(<Lines lines={[
    line({ qty_shipped: 20, qty_returned_good: 18, qty_returned_damaged: 2,
      copies: [{ id: 7, barcode: 'MIKADO-LIB-0007', location: 'on_hand', condition: 'good' }] }),
    line({ id: 2, item_number: 'PIN', description: 'Pin', quantity: 3, qty_cancelled: 1, unit_price_minor: 900 })]} />);
  expect(heads()).toEqual(['Item number', 'What', 'Ordered', 'Shipped', 'Back', 'Damaged', 'Price, USD', 'Amount',
    'Copies']);
  await expect.element(page.getByText('18.00').first()).toBeVisible();
  await expect.element(page.getByText('MIKADO-LIB-0007')).toBeVisible();
});

test('each line says what is charged: by the order, with its license, or nothing', async () => {
  await staged(<Lines lines={[line({ license_price_minor: 0 }), line({ id: 2, license_price_minor: 2500 }),
    line({ id: 3, unit_price_minor: 900 }), line({ id: 4 })]} />);
  const prices = page.getByRole('row').elements().slice(1, 5).map((row) => row.children[3]!.textContent);
  expect(prices).toEqual(['Included in the license', '25.00 with the license', '9.00', '0.00']);
});
