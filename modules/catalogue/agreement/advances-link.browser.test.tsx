/** Readers of an agreement or a royaltor find its advances in the list of advances. */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { NavigationProvider, windowNavigation } from '#web/navigation/navigation.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { RoyaltorPage } from '../royaltor/royaltor-page.web.tsx';
import AgreementPage from './agreement-page.web.tsx';

const agreement = { id: 5, show_id: 9, royaltor_id: 2, royaltor_name: 'Ada Author', royaltor_number: 'RY-1002',
  show_title: 'The Winter Debt', role: 'author', status: 'active', payer_division: 'US', currency: 'USD', version: 1,
  cross_collateral_group_id: null, group_name: null, reserve_schedule_ppm: [], opening_transaction_id: null };
const royaltor = { id: 2, name: 'Ada Author', number: 'RY-1002', kind: 'person', active: true, version: 1,
  divisions: ['US'], address: null };

test.each([
  ['an agreement', agreement, <AgreementPage key="a" />, 'show_royaltor_id=5', { id: '9', royaltorId: '5' }],
  ['a royaltor', royaltor, <RoyaltorPage key="r" />, 'royaltor_id=2', { royaltorId: '2' }],
] as const)('%s leads to its advances', async (_what, record, screen, narrowed, params) => {
  vi.stubGlobal('fetch', (url: string) => Promise.resolve(Response.json(
    url.endsWith(`/${record.id}`) ? { data: record } : { data: [], meta: { current_page: 1, from: null, to: null,
      last_page: 1, per_page: 10, total: 0 } })));
  const client = createQueryClient();
  client.setQueryData(ME_KEY, { id: 1, email: 'ada@house.example', role: 'staff_admin', permission_values: [] });
  await staged(
    <QueryClientProvider client={client}>
      <NavigationProvider port={{ ...windowNavigation, params }}>{screen}</NavigationProvider>
    </QueryClientProvider>,
  );
  await expect.element(page.getByRole('link', { name: 'Advances' }))
    .toHaveAttribute('href', `/admin/sales-and-royalties/advances?${narrowed}`);
});
