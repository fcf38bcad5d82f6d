/** Email groups: addresses that reach several people, chosen as recipients wherever staff send mail (gaps G61). */
import type { Permission } from '#kit/permission.ts';
import { field } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

/** Permissions to read the list: those to send something, since it is offered beside the recipients. */
const READERS = ['user.show', 'license_document.update', 'license.update', 'invoice.list',
  'customer.show'] as const satisfies readonly Permission[];

/** Names and types of the fields are the specification's; changing groups needs what changing teams does. */
export const emailGroup = resource({
  name: 'email_group', path: '/api/admin/staff/email_groups', label: ['email group', 'email groups'],
  fields: {
    name: field.text('Name', { max: 120 }),
    emailRoute: field.email('Address', { caption: 'Mail to the group is sent to this address.' }),
    description: field.longText('Purpose', { max: 2000 }),
    members: field.integer('Members', { min: 1, max: 10_000, initial: 1,
      caption: 'Number of people who read this address.' }),
  },
  extra: {}, filters: {}, sort: ['name', 'members', 'updated_at'],
  permissions: { list: READERS, show: READERS, create: 'super', update: 'super', remove: 'super' },
});
const { list, show, create, update, remove } = emailGroup.endpoints;

export const emailGroupEndpoints = {
  list, show, create, update, remove: { ...remove, summary: 'Remove an email group' },
};
