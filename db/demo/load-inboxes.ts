/**
 * The people of the season have read what was told them long ago: only the latest are new. Some lists were taken away
 * as files.
 */
import type { FastifyInstance } from 'fastify';
import type { Db } from '#server/db.ts';
import { clientFor, type DemoClient } from './client.ts';
import type { House } from './load-people.ts';
import { DEMO_PEOPLE } from './people.ts';

/** So many stay unread for each person. */
const UNREAD = 4;

export async function readOldNotifications(
  app: FastifyInstance, db: Db, houses: ReadonlyMap<string, House>,
): Promise<void> {
  for (const { email, role, customer } of DEMO_PEOPLE) {
    if (role === 'vendor') continue;
    const client = await clientFor(app, db, email);
    const house = customer && houses.get(customer.name);
    const path = house ? `/api/customers/${house.id}/notifications` : '/api/admin/staff/notifications';
    const { data } = await client.get(`${path}?per_page=${UNREAD + 1}`);
    const old = (data as { id: number }[])[UNREAD];
    if (old) await client.put(`${path}/mark_all_read`, { up_to_id: old.id });
  }
}

/** Made by the background work as soon as the server runs. */
export async function exportLists(staff: DemoClient): Promise<void> {
  const lists = [
    { title: 'Venues', model_name: 'staff/venues', columns: ['name', 'number', 'kind', 'locality', 'capacity'] },
    { title: 'Customers', model_name: 'staff/customers', columns: ['name', 'number', 'status'] },
    { title: 'Invoices', model_name: 'staff/invoices',
      columns: ['number', 'customer_name', 'total_minor', 'currency'] },
  ];
  for (const [at, list] of lists.entries()) {
    await staff.post('/api/admin/staff/export_jobs', { ...list, format: at === 1 ? 'csv' : 'xlsx' });
  }
}
