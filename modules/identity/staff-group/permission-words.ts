/**
 * Every permission in plain words, "May …": what it opens here, also what gaps G72 puts under it. Shared by the server
 * and the screens; families in the order of SPEC.md section 6.
 */
import { PERMISSION_FAMILIES, type Permission, type PermissionFamily } from '#kit/permission.ts';
import { spell } from '#kernel/text/english.ts';

/** Singular and plural of what the family is about, and the heading it stands under. */
const FAMILIES: Record<PermissionFamily, readonly [heading: string, one: string, many: string]> = {
  bank: ['Banks', 'a bank', 'banks'],
  bank_account: ['Bank accounts', 'a bank account', 'bank accounts'],
  bank_transaction: ['Bank transactions', 'a bank transaction', 'bank transactions'],
  bom_template: ['BOM templates', 'a BOM template', 'BOM templates'],
  customer_classification: ['Customer classifications', 'a customer classification', 'customer classifications'],
  customer: ['Customers', 'a customer', 'customers'],
  export: ['Exports', 'an export', 'exports'],
  invoice_item: ['Invoice lines', 'a line of an invoice', 'lines of invoices'],
  invoice: ['Invoices', 'an invoice', 'invoices'],
  journal_entry: ['Journal entries', 'a journal entry', 'journal entries'],
  ledger_account: ['Ledger accounts', 'a ledger account', 'ledger accounts'],
  ledger_header: ['Ledger headers', 'a header of the chart', 'headers of the chart'],
  transaction: ['Transactions', 'a transaction', 'transactions'],
  license_application: [spell`License applications`, spell`a license application`, spell`license applications`],
  license_document: [spell`License documents`, spell`a license document`, spell`license documents`],
  license_material: [spell`License materials`, spell`materials of a license`, spell`materials of licenses`],
  license: [spell`Licenses and quotes`, spell`a license`, spell`licenses and quotes`],
  material_category: ['Material categories', 'a category of materials', 'categories of materials'],
  material_sub_category: ['Material sub-categories', 'a sub-category of materials', 'sub-categories of materials'],
  material: ['Materials', 'a material', 'materials'],
  musical: ['Musicals', 'a musical', 'musicals'],
  play: ['Plays', 'a play', 'plays'],
  royaltor: ['Royaltors', 'a royaltor', 'royaltors'],
  vendor: ['Vendors', 'a vendor', 'vendors'],
  venue: ['Venues', 'a venue', 'venues'],
  warehouse: ['Warehouses', 'a warehouse', 'warehouses'],
  show_royaltor: ['Royaltors of shows', 'an agreement with a royaltor', 'royaltors and agreements of shows'],
  search_index: ['Search', 'a found record', 'found records'],
  show: ['Shows', 'a show', 'shows'],
  staff_invite: ['Staff invitations', 'an invitation to the staff', 'invitations to the staff'],
  user: ['People', 'a person', 'people'],
  bill: ['Bills', 'a bill', 'bills'],
  payment: ['Payments', 'a payment', 'payments'],
  import: ['Imports', 'an import', 'imports'],
  import_template: ['Import templates', 'an import template', 'import templates'],
};

const ACTIONS: Readonly<Record<string, (one: string, many: string) => string>> = {
  list: (_, many) => `May see the list of ${many}`,
  show: (one) => `May open ${one}`,
  view: (one) => `May open ${one}`,
  create: (_, many) => `May add ${many}`,
  update: (_, many) => `May change ${many}`,
  delete: (one) => `May move ${one} to the trash`,
  list_trash: (_, many) => `May see ${many} in the trash`,
  restore: (one) => `May bring ${one} back from the trash`,
  restore_trash: (one) => `May bring ${one} back from the trash`,
  forceDelete: (one) => `May remove ${one} from the trash for good`,
};

/** Wording for permissions whose general words say too little, or something other than what the product does. */
const OWN: Partial<Record<Permission, string>> = {
  'bom_template.approve': spell`May approve a BOM template, so that licenses can use it`,
  'bom_template.delete': 'May move a BOM template to the trash, bring it back and remove it for good',
  'customer.update': 'May change customers, activate and deactivate them, and write to them',
  'customer.manage_users': 'May decide who belongs to a customer, and in which role',
  'export.download': 'May take lists and reports away as files',
  'invoice.create': 'May draft and issue invoices and credit notes',
  'invoice.update': 'May change drafts, void an invoice and write off what will not be paid',
  'invoice.manage_payments': 'May record receipts, apply them to invoices and give money back',
  'transaction.list': 'May see the list of transactions, and tax rates',
  'transaction.create': 'May post journals by hand',
  'transaction.update': 'May reverse transactions, close periods, and keep exchange rates, taxes and lock dates',
  'ledger_account.view': 'May open ledger accounts, the general ledger, integrity reports and the journal export',
  'license.list': spell`May see licenses, quotes, bookings and the work list`,
  'license.create': 'May make quotes',
  'license.update': spell`May change, send, amend and cancel licenses, enter box office and edit ticketing`,
  'license.upload_documents': spell`May add documents to a license`,
  'license.apply': spell`May apply for a license on behalf of a customer`,
  'license.delete': 'May discard a quote that was never sent',
  'license_document.create': spell`May generate offers, addenda and other documents of a license`,
  'license_material.list': spell`May see materials of licenses, sales orders and perusals`,
  'license_material.create': spell`May add materials to a license, and make sales orders and perusals`,
  'license_material.update': spell`May change materials of licenses, sales orders and perusals`,
  'license_material.delete': spell`May take materials off a license`,
  'show.update': 'May change shows, their rate cards, packages, add-ons and restrictions',
  'show.manage_images': 'May add, order and remove pictures and audio samples of a show',
  'show_royaltor.create': 'May add agreements with royaltors',
  'show_royaltor.update': 'May change agreements, and calculate statements and royalties',
  'royaltor.update': 'May change royaltors, their bank details and tax ids',
  'warehouse.update': 'May change warehouses and move stock',
  'search_index.list': 'May search across everything that their other rights open',
  'search_index.list_trash': 'May search the trash',
  'search_index.view': 'May open what a search found',
  'staff_invite.create': 'May invite people to the staff, send invitations again and revoke them',
  'user.create': 'May add people to the staff',
  'user.show': 'May see the staff and their teams',
  'user.update': 'May change accounts, sign people out and deactivate them; names, addresses, roles and pictures '
    + 'need more',
  'user.manage_avatar': 'May set and remove the pictures of other people',
  'user.manage_name': 'May change the names of other people',
  'user.manage_email': 'May change the email addresses of other people',
  'user.manage_role': 'May change the roles of other people, up to their own',
  'payment.create': 'May enter payments and pay batches of royalties',
  'payment.updateStatus': 'May approve payments and statements that somebody else prepared',
  'payment.manage_transactions': 'May match payments with transactions of the ledger',
  'import.process': 'May run an import once its preview has been read',
  'import.listRecords': 'May see the rows of an import',
  'import.downloadRecords': 'May download rows that an import left out',
  'import_template.download': 'May download the template as an empty file',
  'import_template.mapColumns': 'May say which column of a file holds what',
  'import_template.listMaps': 'May see which column holds what',
};

/** Everything at once; staff with it count like a staff administrator, except that roles stay out of their reach. */
export const SUPER_WORDS = 'May do everything that any permission opens, and manage groups and teams';

export function permissionWords(value: Permission): string {
  if (value === 'super') return SUPER_WORDS;
  const own = OWN[value];
  if (own) return own;
  const [family = '', action = ''] = value.split('.');
  const [, one, many] = FAMILIES[family as PermissionFamily];
  return (ACTIONS[action] ?? (() => `May ${action} ${many}`))(one, many);
}

export interface FamilyWords {
  family: PermissionFamily;
  heading: string;
  values: { value: Permission; words: string }[];
}

/** All families with their values, in the order of the specification. */
export function permissionFamilies(): FamilyWords[] {
  return (Object.keys(PERMISSION_FAMILIES) as PermissionFamily[]).map((family) => ({
    family, heading: FAMILIES[family][0],
    values: PERMISSION_FAMILIES[family].map((action) => {
      const value = `${family}.${action}` as Permission;
      return { value, words: permissionWords(value) };
    }),
  }));
}
