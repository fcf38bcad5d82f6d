/** A customer that is merged disappears: its button warns as the one that declines it does. */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { Button } from '#web/controls/button/button.tsx';
import { staged } from '#web/controls/stage.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import type { CustomerRow } from '../customer/customer-frame.web.tsx';
import { PendingActions } from './pending-customer.web.tsx';

const customer = { id: 4, name: 'Bay Area Operetta', version: 1 } as CustomerRow;
const look = (name: string) => page.getByRole('button', { name, exact: true, includeHidden: true }).element().className;

test.each([['Merge into a customer …', 'Merge'], ['Decline …', 'Decline customer']])(
  '%s ends the customer that asked, in the colour of danger', async (entry, name) => {
    const client = createQueryClient();
    client.setQueryData(ME_KEY, { id: 1, email: 'ada@house.example', role: 'staff_admin',
      permission_values: ['customer.update'] });
    await staged(
      <QueryClientProvider client={client}>
        <PendingActions customer={customer} /><Button variant="danger">Danger</Button>
      </QueryClientProvider>,
    );
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: entry }).click();
    await expect.element(page.getByRole('button', { name, exact: true })).toBeVisible();
    expect(look(name)).toBe(look('Danger'));
  });
