/**
 * The people of the demo season: one sign-in per role, staff with many and with few permissions, customers of several
 * houses. The password is the same for all and works only where the demo season was loaded.
 */
import type { CustomerRole, Role } from '#kit/auth.ts';
import type { Permission } from '#kit/permission.ts';

export const DEMO_PASSWORD = 'the ghost light stays on';

export interface DemoPerson {
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  group?: string;
  customer?: { name: string; role: CustomerRole };
}

export const DEMO_GROUPS: { name: string; permission_values: Permission[] }[] = [
  {
    name: 'Licensing',
    permission_values: ['license.list', 'license.create', 'license.show', 'license.update', 'license.apply',
      'license.upload_documents', 'license_application.list', 'license_application.show', 'license_document.list',
      'license_document.create', 'license_document.show', 'license_document.update', 'customer.list', 'customer.show',
      'customer.create', 'customer.update', 'show.list', 'show.show', 'show_royaltor.list', 'show_royaltor.show',
      'venue.list', 'venue.show', 'venue.create', 'venue.update', 'invoice.list', 'invoice.view',
      'customer_classification.list', 'customer_classification.view', 'search_index.list'],
  },
  {
    name: 'Finance',
    permission_values: ['invoice.list', 'invoice.view', 'invoice.create', 'invoice.update', 'invoice.manage_payments',
      'payment.list', 'payment.show', 'payment.create', 'payment.update', 'payment.updateStatus',
      'bank.list', 'bank.show', 'bank.create', 'bank.update', 'bank_account.list', 'bank_account.show',
      'bank_account.create', 'bank_account.update', 'bank_transaction.list', 'bank_transaction.show',
      'bank_transaction.create', 'bank_transaction.update', 'bank_transaction.delete', 'bank_transaction.restore',
      'bank_transaction.list_trash',
      'payment.manage_transactions', 'transaction.list', 'transaction.view', 'transaction.create',
      'transaction.update', 'journal_entry.list', 'journal_entry.view', 'ledger_account.list', 'ledger_account.view',
      'ledger_header.list', 'ledger_header.view', 'license.list', 'license.show', 'license.update', 'customer.list',
      'customer.show', 'royaltor.list', 'royaltor.show', 'show_royaltor.list', 'show_royaltor.show',
      'show_royaltor.update', 'show.list', 'show.show', 'export.download', 'import.list', 'import.show',
      'import.create', 'import.process', 'import.listRecords', 'import.downloadRecords', 'import_template.list',
      'import_template.create', 'import_template.download', 'import_template.mapColumns', 'import_template.listMaps',
      'search_index.list'],
  },
  // Reception explains to an author's agent what a statement pays, and sees no bank details or tax numbers.
  { name: 'Reception', permission_values: ['customer.list', 'customer.show', 'venue.list', 'venue.show',
    'royaltor.list', 'show_royaltor.list', 'show_royaltor.show', 'search_index.list'] },
];

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  { email: 'system@grandrights.example', first_name: 'Sam', last_name: 'Okafor', role: 'system_admin' },
  { email: 'eleanor@grandrights.example', first_name: 'Eleanor', last_name: 'Marsh', role: 'staff_admin' },
  { email: 'theo@grandrights.example', first_name: 'Theo', last_name: 'Lindqvist', role: 'staff_admin' },
  { email: 'licensing@grandrights.example', first_name: 'Imogen', last_name: 'Vale', role: 'staff_user',
    group: 'Licensing' },
  { email: 'finance@grandrights.example', first_name: 'Marcus', last_name: 'Bell', role: 'staff_user',
    group: 'Finance' },
  { email: 'reception@grandrights.example', first_name: 'Priya', last_name: 'Nair', role: 'staff_user',
    group: 'Reception' },
  { email: 'vendor@printshop.example', first_name: 'Otto', last_name: 'Krantz', role: 'vendor' },
  { email: 'ruth@astoriaplayers.example', first_name: 'Ruth', last_name: 'Alderman', role: 'customer',
    customer: { name: 'Astoria Community Players', role: 'admin' } },
  { email: 'signer@astoriaplayers.example', first_name: 'Dev', last_name: 'Patel', role: 'customer',
    customer: { name: 'Astoria Community Players', role: 'signer' } },
  { email: 'member@astoriaplayers.example', first_name: 'June', last_name: 'Castle', role: 'customer',
    customer: { name: 'Astoria Community Players', role: 'member' } },
  { email: 'head@stbedes.example', first_name: 'Harriet', last_name: 'Quill', role: 'customer',
    customer: { name: 'St Bede’s School Drama', role: 'admin' } },
  { email: 'producer@calder.example', first_name: 'Niall', last_name: 'Calder', role: 'customer',
    customer: { name: 'Calder Touring Company', role: 'admin' } },
];

const SIGNERS = ['Ada Kirkland', 'Bruno Hale', 'Clara Menzies', 'Declan Moody', 'Edith Sorrell', 'Fergus Ainley',
  'Greta Lund', 'Hugh Tansey', 'Iris Penhale', 'Jonas Wick', 'Kezia Brandt', 'Luca Ferri', 'Maud Inskip', 'Ned Orr'];

/** One person of every house who may sign and pay: the named one above, else someone of the house's own mail domain. */
export function signerOf(customer: { name: string; statement_email: string }, index: number): DemoPerson {
  const named = DEMO_PEOPLE.find((person) => person.customer?.name === customer.name
    && person.customer.role === 'admin');
  if (named) return named;
  const [first_name = '', last_name = ''] = SIGNERS[index % SIGNERS.length]!.split(' ');
  return { email: `${first_name.toLowerCase()}@${customer.statement_email.split('@')[1]!}`, first_name, last_name,
    role: 'customer', customer: { name: customer.name, role: 'admin' } };
}
