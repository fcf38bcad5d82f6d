/** Kinds of customers that rates, terms and templates match on: school, youth group, professional producer. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk, trashing } from '#kit/bulk.ts';
import { endpoint } from '#kit/endpoint.ts';
import { field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

export const classification = resource({
  name: 'customer_classification', path: '/api/admin/staff/customer_classifications',
  label: ['customer classification', 'customer classifications'],
  fields: {
    name: field.text('Name', { max: 80 }),
    key: field.text('Key', { max: 40, pattern: /^[a-z0-9_]+$/, message: 'Use small letters, digits and _',
      immutable: true }),
    description: field.json('Description', z.string().trim().max(500), { initial: '' }),
  },
  extra: { customer_count: z.int() },
  filters: {},
  sort: ['name', 'updated_at'],
  perPage: 20,
  permissions: {
    list: 'customer_classification.list', show: 'customer_classification.view',
    create: 'customer_classification.create', update: 'customer_classification.update',
    remove: 'customer_classification.delete',
  },
});

const path = '/api/admin/staff/customer_classifications';
export const classificationEndpoints = {
  ...classification.endpoints,
  trash: endpoint({ ...classification.endpoints.trash, auth: staff('customer_classification.list_trash') }),
  restore: endpoint({ ...classification.endpoints.restore, auth: staff('customer_classification.restore') }),
  purge: endpoint({ method: 'DELETE', path: `${path}/{id}/force` as const,
    auth: staff('customer_classification.forceDelete'), summary: 'Delete a customer classification for good',
    response: null }),
};

export const classificationBulk = bulk(classificationEndpoints.list,
  { noun: ['classification', 'classifications'], href: '/admin/customers/customer-classifications/edit/{id}' },
  [trashing(classificationEndpoints)]);
