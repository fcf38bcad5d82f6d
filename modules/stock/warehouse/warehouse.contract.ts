/** Warehouses: where books, scores and parts lie, and which division ships from where (A232-A236; domain.md 7). */
import { bulk, restoring, switching, trashing } from '#kit/bulk.ts';
import * as z from 'zod';
import { divisionCode, field, localTime } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

export const warehouse = resource({
  name: 'warehouse', path: '/api/admin/staff/warehouses', label: ['warehouse', 'warehouses'],
  fields: {
    code: field.text('Code', { max: 16, pattern: /^[A-Z0-9][A-Z0-9-]*$/, immutable: true,
      message: 'Capital letters, digits and hyphens', caption: 'Printed on labels and lists; fixed once saved.' }),
    name: field.text('Name', { max: 160 }),
    division: field.division(),
    address: field.optionalAddress(),
    returns_address: field.optionalAddress('Returns go to'),
    time_zone: field.text('Time zone', { max: 60, initial: 'America/New_York',
      pattern: /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)*$/, message: 'Name a time zone such as America/New_York' }),
    contact_name: field.optionalText('Contact', { max: 160 }),
    email: field.optionalEmail('Email'),
    phone: field.optionalText('Phone', { max: 40 }),
    ship_cutoff: { ...field.optionalText('Shipping cutoff', { caption: 'Local time, such as 15:30.' }),
      schema: localTime.nullable() },
    carriers: field.json('Carriers', z.array(z.string().trim().min(1).max(80)).max(20), { initial: [] }),
    return_lead_days: field.integer('Days to shelve a return', { min: 0, max: 60, initial: 5,
      caption: 'A return counts as available this many days after it is due.' }),
    default_for_division: field.bool('Ships for its division',
      { caption: 'Orders of the division are reserved here unless someone says otherwise.' }),
    active: field.bool('Active', { initial: true }),
  },
  /** `item_count`: how many items have or had stock in it, the rows of its stock. */
  extra: { item_count: z.int() },
  filters: { division: divisionCode.optional(), active: z.stringbool().optional() },
  sort: ['name', 'updated_at', 'code'],
  permissions: { list: 'warehouse.list', show: 'warehouse.show', create: 'warehouse.create',
    update: 'warehouse.update', remove: 'warehouse.delete' },
});

export const warehouseEndpoints = warehouse.endpoints;
export type WarehouseRow = z.infer<typeof warehouse.row>;

const WAREHOUSE_WORDS = { noun: ['warehouse', 'warehouses'], href: '/admin/warehouses/{id}' } as const;
export const warehouseBulk = bulk(warehouseEndpoints.list, WAREHOUSE_WORDS, [
  ...switching(warehouseEndpoints.update, 'active', ['Activate', 'Deactivate']), trashing(warehouseEndpoints),
]);
export const warehouseTrashBulk = bulk(warehouseEndpoints.trash, { ...WAREHOUSE_WORDS, href: null },
  [restoring(warehouseEndpoints)]);
