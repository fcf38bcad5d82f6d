/** Edit rights to the price bands of a license's venue: rules R82 to R87, as the form passes them to the table. */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { EMPTY_VENUE, VenueFields } from './venue-fields.web.tsx';

const band = { number_of_seats: 150, price: 25, weight: 50 };
const ticketing = [{ ...band, label: 'Stalls' }, { ...band, label: 'Circle' }];

async function opened(role: string, permission_values: string[] = []) {
  const client = createQueryClient();
  client.setQueryData(ME_KEY, { id: 1, email: 'ada@house.example', role, permission_values });
  const changed = vi.fn();
  await staged(
    <QueryClientProvider client={client}>
      <VenueFields value={{ ...EMPTY_VENUE, ticketing }} onChange={changed} currency="USD" errors={{}} path="" />
    </QueryClientProvider>,
  );
  return changed;
}
const cells = () => ['Seats', 'Price', 'Weight'].map((name) =>
  (page.getByRole('textbox', { name: `${name}, ticket 1` }).element() as HTMLInputElement).disabled);

test.each([
  ['[R82]', 'system_admin', [], false], ['[R83]', 'staff_admin', [], false],
  ['[R84]', 'staff_user', ['license.update'], false],
  ['[R85]', 'staff_user', ['license.show', 'license.create'], true],
])('%s a %s with %j has disabled cells: %s', async (_rule, role, permissions, disabled) => {
  await opened(role, permissions);
  expect(cells()).toEqual([disabled, disabled, disabled]);
});

test('[S23] of two bands with the same figures the one that stays keeps its name', async () => {
  const changed = await opened('staff_admin');
  await page.getByRole('button', { name: 'Remove ticket 1' }).click();
  expect(changed).toHaveBeenLastCalledWith({ ticketing: [ticketing[1]] });
});

test('[R87] who may not edit the cells adds and removes rows all the same', async () => {
  const changed = await opened('staff_user', []);
  const zeros = { number_of_seats: 0, price: 0, weight: 0 };
  await page.getByRole('button', { name: 'Add Ticket' }).click();
  expect(changed).toHaveBeenLastCalledWith({ ticketing: [...ticketing, zeros] });
  await page.getByRole('button', { name: 'Remove ticket 2' }).click();
  expect(changed).toHaveBeenLastCalledWith({ ticketing: [ticketing[0], zeros] });
});
