/** Banks where the company has accounts (A42-A46, A69, A70). */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk, restoring, trashing } from '#kit/bulk.ts';
import { endpoint } from '#kit/endpoint.ts';
import { field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

export const bank = resource({
  name: 'bank', path: '/api/admin/staff/accounting/banks', label: ['bank', 'banks'],
  fields: {
    name: field.text('Name', { max: 160 }),
    country: field.optionalText('Country', { max: 2, pattern: /^[A-Z]{2}$/,
      message: 'Enter the two letters of the country, such as US or GB' }),
    bic: field.optionalText('BIC', { max: 20 }),
    contact_name: field.optionalText('Contact', { max: 160 }),
    email: field.optionalEmail('Email'),
    phone: field.optionalText('Phone', { max: 40 }),
    website: field.optionalUrl('Website'),
    notes: field.longText('Notes', { max: 5000 }),
  },
  extra: { account_count: z.int() },
  filters: {},
  sort: ['name', 'updated_at'],
  permissions: { list: 'bank.list', show: 'bank.show', create: 'bank.create', update: 'bank.update',
    remove: 'bank.delete' },
});

export const bankEndpoints = {
  ...bank.endpoints,
  trash: endpoint({ ...bank.endpoints.trash, auth: staff('bank.list_trash') }),
  restore: endpoint({ ...bank.endpoints.restore, auth: staff('bank.restore') }),
};
export type BankRow = z.infer<typeof bank.row>;

const BANK_WORDS = { noun: ['bank', 'banks'], href: '/admin/banking/banks/{id}' } as const;
export const bankBulk = bulk(bankEndpoints.list, BANK_WORDS, [trashing(bankEndpoints)]);
export const bankTrashBulk = bulk(bankEndpoints.trash, { ...BANK_WORDS, href: null }, [restoring(bankEndpoints)]);
