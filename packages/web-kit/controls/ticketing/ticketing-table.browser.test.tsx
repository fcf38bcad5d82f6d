/** Ticketing table: states S21-S26, rules R9-R14, R82-R87, messages M21, M22. */
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '../stage.tsx';
import { TicketingTable } from './ticketing-table.tsx';

const rows = [
  { number_of_seats: 150, price: 25, weight: 50 },
  { number_of_seats: 200, price: 18, weight: 30 },
  { number_of_seats: 50, price: 10, weight: 20 },
];
const cell = (name: string) => page.getByRole('textbox', { name });

async function table(canEdit = true) {
  const onChange = vi.fn();
  await staged(<TicketingTable rows={rows} onChange={onChange} canEdit={canEdit} currency="USD" />);
  return onChange;
}

test('[S21] [S26] starts as the passed rows, with the totals of the licence picture', async () => {
  const onChange = await table();
  await expect.element(cell('Seats, ticket 1')).toHaveValue('150');
  await expect.element(cell('Price, ticket 2')).toHaveValue('18.00');
  await expect.element(cell('Weight, ticket 3')).toHaveValue('20');
  const foot = document.querySelector('tfoot')!;
  expect([...foot.querySelectorAll('th, td')].map((part) => part.textContent)).toEqual(
    ['3 prices', '400', 'avg 19.90', '100', '7,850.00', ''],
  );
  expect(onChange).not.toHaveBeenCalled();
});

test('[S21] the list is the table\'s own: rows passed later change nothing, changes add up', async () => {
  const onChange = vi.fn();
  const screen = await staged(<TicketingTable rows={rows} onChange={onChange} canEdit />);
  await screen.rerender(<TicketingTable rows={[]} onChange={onChange} canEdit />);
  await expect.element(cell('Seats, ticket 1')).toHaveValue('150');
  for (const total of [4, 5]) {
    await page.getByRole('button', { name: 'Add Ticket' }).click();
    expect(onChange.mock.lastCall?.[0]).toHaveLength(total);
  }
  await userEvent.fill(cell('Seats, ticket 5'), '12');
  expect(onChange.mock.lastCall?.[0]).toEqual([...rows, { number_of_seats: 0, price: 0, weight: 0 },
    { number_of_seats: 12, price: 0, weight: 0 }]);
});

test('[S22] [S25] [M21] [R87] Add Ticket appends zeros, notifies once with the whole list', async () => {
  const onChange = await table(false);
  await page.getByRole('button', { name: 'Add Ticket' }).click();
  expect(onChange.mock.calls).toEqual([[[...rows, { number_of_seats: 0, price: 0, weight: 0 }]]]);
  await expect.element(cell('Price, ticket 4')).toHaveValue('0.00');
});

test('[S23] [S25] [M22] [R87] Remove deletes exactly the row at its index, also without the right', async () => {
  const onChange = await table(false);
  await page.getByRole('button', { name: 'Remove ticket 2' }).click();
  expect(onChange.mock.calls).toEqual([[[rows[0], rows[2]]]]);
  await expect.element(cell('Price, ticket 2')).toHaveValue('10.00');
  expect(page.getByText('Remove', { exact: true }).elements()).toHaveLength(2);
});

test('[S24] [S25] [R13] editing a cell changes that field of that row only', async () => {
  const onChange = await table();
  await userEvent.fill(cell('Weight, ticket 2'), '32.5');
  expect(onChange.mock.calls).toEqual([[[rows[0], { ...rows[1], weight: 32.5 }, rows[2]]]]);
});

test('[R9] a price takes digits with at most two decimals, any other keystroke leaves the former text', async () => {
  await table();
  const price = cell('Price, ticket 1');
  await price.click();
  await userEvent.keyboard('7.509x-.');
  await expect.element(price).toHaveValue('7.50');
});

test('[R10] on leaving the price has two decimals', async () => {
  const onChange = await table();
  await userEvent.fill(cell('Price, ticket 1'), '5');
  await expect.element(cell('Price, ticket 1')).toHaveValue('5');
  await userEvent.keyboard('{Tab}');
  await expect.element(cell('Price, ticket 1')).toHaveValue('5.00');
  expect(onChange).toHaveBeenCalledTimes(1);
});

test.each([['[R11] seats', 'Seats, ticket 1', '150'], ['[R12] weight', 'Weight, ticket 1', '50']])(
  '%s ignore a negative value, without a message [R14]',
  async (_name, label, kept) => {
    const onChange = await table();
    await userEvent.fill(cell(label), '-3');
    await expect.element(cell(label)).toHaveValue(kept);
    expect(onChange).not.toHaveBeenCalled();
    expect(page.getByRole('alert').elements()).toHaveLength(0);
    expect(document.querySelectorAll('[data-field-error]')).toHaveLength(0);
  },
);

test('[R85] [R86] without the right the cells are disabled inputs', async () => {
  await table(false);
  for (const input of page.getByRole('textbox').elements()) expect(input).toHaveProperty('disabled', true);
});

test('on a phone every price is a card: sums and Remove stand in view, cells fit a finger', async () => {
  await page.viewport(390, 844);
  await table();
  const scroll = document.querySelector('[data-scrolls]')!;
  expect(scroll.scrollWidth).toBe(scroll.clientWidth);
  await expect.element(page.getByRole('button', { name: 'Remove ticket 3' })).toBeInViewport({ ratio: 1 });
  await expect.element(page.getByText('7,850.00')).toBeInViewport({ ratio: 1 });
  expect(cell('Seats, ticket 1').element().getBoundingClientRect().height).toBe(44);
});
