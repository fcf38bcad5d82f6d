/** Licensees: schools, companies, producers; their people and places. Fields of domain.md 7, calls of SPEC.md 7. */
import * as z from 'zod';
import { CUSTOMER_ROLES, staff } from '#kit/auth.ts';
import { bulk, restoring, trashing } from '#kit/bulk.ts';
import { all, endpoint, LATEST_SIZE, listQuery, pagedQuery, many, one } from '#kit/endpoint.ts';
import { DIVISIONS, field, id, version } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { PERUSAL_TERMS } from '#kernel/licensing/perusal-machine.ts';
import { resource } from '#kit/resource.ts';
import { customerUser } from '../people/people.contract.ts';

export const CUSTOMER_KINDS =
  ['school_k12', 'university', 'community', 'youth', 'professional', 'church', 'camp', 'other'] as const;
export const CUSTOMER_KIND_NAMES: Record<(typeof CUSTOMER_KINDS)[number], string> = {
  school_k12: 'School', university: 'University', community: spell`Community theater`, youth: spell`Youth theater`,
  professional: 'Professional', church: 'Church', camp: 'Camp', other: 'Other',
};
export const CUSTOMER_STATUSES = ['pending', 'active', 'inactive'] as const;
export const EXECUTION_POLICIES =
  ['paid_in_full', 'deposit_paid', 'advance_paid', 'purchase_order', 'signature_only'] as const;
const path = '/api/admin/staff/customers';

export const customer = resource({
  name: 'customer', path, label: ['customer', 'customers'],
  fields: {
    name: field.text('Name', { max: 160 }),
    legal_name: field.optionalText('Legal name', { max: 200 }),
    kind: field.choice('Kind', CUSTOMER_KINDS, { initial: 'other' }),
    divisions: field.choices('Divisions', DIVISIONS as unknown as readonly ['US', 'EU', 'UK', 'PROD'],
      { initial: ['US'] }),
    default_division: field.division('Default division'),
    default_currency: field.currency('Default currency'),
    billing_address: field.optionalAddress('Billing address'),
    phone: field.optionalText('Phone', { max: 40 }),
    website: field.optionalUrl('Website'),
    statement_email: field.optionalEmail('Statement email'),
    tax_country: field.optionalText('Tax country', { max: 2, pattern: /^[A-Z]{2}$/, message: 'Two capital letters' }),
    is_business: field.bool('Business'),
    business_evidence: field.optionalText('Evidence of business'),
    vat_number: field.optionalText('VAT number', { max: 20 }),
    payment_terms_days: field.integer('Payment terms (days)', { max: 180, initial: 0 }),
    purchase_orders_accepted: field.bool('Purchase orders accepted'),
    execution_policy_default: field.optionalChoice('Default execution policy', EXECUTION_POLICIES),
    marketing_opt_in: field.bool('Marketing mail'),
    perusal_max_open: field.integer('Perusals at a time', { max: 50, initial: PERUSAL_TERMS.most_open,
      caption: 'Enter 0 to turn off perusals.' }),
    perusal_days_digital: field.integer('Days to read on the screen', { min: 1, max: 365,
      initial: PERUSAL_TERMS.days_digital }),
    perusal_days_physical: field.integer('Days with perusal books', { min: 1, max: 365,
      initial: PERUSAL_TERMS.days_physical }),
    perusal_fee_minor: field.optionalMinor('Fee for perusal books',
      { caption: 'In the default currency, for all books of a perusal. Empty: the price of each book.' }),
  },
  extra: {
    number: z.string(), status: z.enum(CUSTOMER_STATUSES), active: z.boolean(), credit_hold: z.boolean(),
    classification_names: z.array(z.string()), license_count: z.int(),
  },
  filters: {
    status: z.enum(CUSTOMER_STATUSES).optional(), kind: z.enum(CUSTOMER_KINDS).optional(),
    division: z.enum(DIVISIONS as unknown as readonly ['US', 'EU', 'UK', 'PROD']).optional(),
    classification_id: z.coerce.number().int().optional(),
  },
  sort: ['name', 'updated_at', 'number', 'created_at'],
  permissions: {
    list: 'customer.list', show: 'customer.show', create: 'customer.create', update: 'customer.update',
    remove: 'customer.delete',
  },
});

const classificationOption = z.object({ id: z.int(), key: z.string(), name: z.string() });
const venueOption = z.object({ id: z.int(), number: z.string(), name: z.string(), locality: z.string().nullable() });
const activityRow = z.object({
  id: z.int(),
  created_at: z.string(),
  actor: z.string().nullable(),
  action: z.string(),
  entity: z.string(),
  entity_id: z.int().nullable(),
  changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
});
const person = z.object({ id: z.int(), email: z.string(), first_name: z.string(), last_name: z.string(),
  role: z.string() });
const message = z.object({ id: z.int(), subject: z.string(), body: z.string(), author: z.string(),
  from_staff: z.boolean(), recipients: z.array(z.string()), created_at: z.string() });

const roleBody = z.strictObject({ role: z.enum(CUSTOMER_ROLES) });

export const customerEndpoints = {
  list: customer.endpoints.list,
  show: customer.endpoints.show,
  create: customer.endpoints.create,
  update: customer.endpoints.update,
  remove: customer.endpoints.remove,
  trash: customer.endpoints.trash,
  restore: customer.endpoints.restore,
  latest: endpoint({ method: 'GET', path: `${path}/latest` as const, auth: staff('customer.list'),
    summary: `The ${LATEST_SIZE} customers changed last`, response: all(customer.row) }),
  activate: endpoint({ method: 'PUT', path: `${path}/{id}/activate` as const, auth: staff('customer.update'),
    summary: 'Activate a customer', body: z.strictObject({ version: version.optional() }),
      response: one(customer.row) }),
  deactivate: endpoint({ method: 'PUT', path: `${path}/{id}/deactivate` as const, auth: staff('customer.update'),
    summary: 'Deactivate a customer', body: z.strictObject({ version: version.optional(),
      reason: z.string().trim().max(500).optional() }), response: one(customer.row) }),
  classifications: endpoint({ method: 'GET', path: `${path}/{id}/customer_classifications` as const,
    auth: staff('customer.show'), summary: 'Classifications of a customer', response: all(classificationOption) }),
  syncClassifications: endpoint({ method: 'POST', path: `${path}/{id}/customer_classifications/sync` as const,
    auth: staff('customer.update'), summary: 'Replace the classifications of a customer',
    body: z.strictObject({ customer_classifications: z.array(id).max(50) }), response: all(classificationOption) }),
  venues: endpoint({ method: 'GET', path: `${path}/{id}/venues` as const, auth: staff('customer.show'),
    summary: 'Venues of a customer', response: all(venueOption) }),
  syncVenues: endpoint({ method: 'POST', path: `${path}/{id}/venues/sync` as const, auth: staff('customer.update'),
    summary: 'Replace the venues of a customer', body: z.strictObject({ venue_ids: z.array(id).max(500) }),
    response: all(venueOption) }),
  users: endpoint({ method: 'GET', path: `${path}/{id}/users` as const, auth: staff('customer.manage_users'),
    summary: 'People of a customer', response: many(customerUser),
    query: listQuery({ filters: {}, sort: ['last_name', 'email'] }) }),
  attachUser: endpoint({ method: 'POST', path: `${path}/{id}/users` as const, auth: staff('customer.manage_users'),
    summary: 'Attach a person to a customer', confirm: true,
    body: z.strictObject({ user_id: id, role: z.enum(CUSTOMER_ROLES) }),
    response: one(customerUser), status: 201 }),
  removeUser: endpoint({ method: 'DELETE', path: `${path}/{id}/users/{userId}` as const,
    auth: staff('customer.manage_users'), summary: 'Remove a person from a customer', response: null }),
  userRole: endpoint({ method: 'PUT', path: `${path}/{id}/users/{userId}/role` as const,
    auth: staff('customer.manage_users'), summary: 'Change a person\'s role inside a customer', confirm: true,
    body: roleBody, response: one(customerUser) }),
  people: endpoint({ method: 'GET', path: '/api/admin/users', auth: staff('customer.manage_users'),
    summary: 'People by role, without those of one customer', response: many(person),
    query: listQuery({ sort: ['last_name', 'email'], filters: {
      excluded_from_customer: z.coerce.number().int().optional(), role: z.enum(['customer']).optional() } }) }),
  activity: endpoint({ method: 'GET', path: `${path}/{id}/activity` as const, auth: staff('customer.show'),
    summary: 'Activity of a customer', response: many(activityRow), query: pagedQuery({ filters: {}, sort: ['id'] }) }),
  messages: endpoint({ method: 'GET', path: `${path}/{id}/messages` as const, auth: staff('customer.show'),
    summary: 'Messages with a customer', response: many(message), query: pagedQuery({ filters: {}, sort: ['id'] }) }),
  sendMessage: endpoint({ method: 'POST', path: `${path}/{id}/messages` as const, auth: staff('customer.update'),
    summary: 'Send a message to people of a customer', response: one(message), status: 201,
    body: z.strictObject({ subject: z.string().trim().max(200).default(''),
      body: z.string().trim().min(1, 'Message is required').max(10_000),
      recipients: z.array(z.email('Recipients must be valid email addresses')).min(1, 'Add a recipient').max(50) }) }),
};
export { activityRow };

const switchedOn = { label: 'Activate', endpoint: customerEndpoints.activate };
const switchedOff = { label: 'Deactivate', endpoint: customerEndpoints.deactivate };
export const customerBulk = bulk(customerEndpoints.list,
  { noun: ['customer', 'customers'], href: '/admin/customers/{id}/information' },
  [{ ...switchedOn, undo: switchedOff }, { ...switchedOff, undo: switchedOn }, trashing(customerEndpoints)]);
export const customerTrashBulk = bulk(customerEndpoints.trash, { noun: ['customer', 'customers'], href: null },
  [restoring(customerEndpoints)]);
