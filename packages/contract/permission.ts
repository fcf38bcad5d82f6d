/**
 * Every permission value a staff group may hold, by family, exactly as SPEC.md section 6 spells them.
 *
 * `super` passes every check. `REPLACE` is a placeholder of the specification: it is known, refused on saving
 * and grants nothing, so 210 values can be chosen. No other value exists; an unknown one is refused.
 */
export const PERMISSION_FAMILIES = {
  bank: ['list', 'show', 'create', 'update', 'delete', 'restore', 'list_trash'],
  bank_account: ['list', 'show', 'create', 'update', 'delete', 'restore', 'list_trash'],
  bank_transaction: ['list', 'show', 'create', 'update', 'delete', 'restore', 'list_trash'],
  bom_template: ['list', 'create', 'show', 'update', 'delete', 'approve'],
  customer_classification: ['list', 'list_trash', 'create', 'view', 'update', 'delete', 'restore', 'forceDelete'],
  customer: ['list', 'create', 'show', 'update', 'delete', 'manage_users'],
  export: ['download'],
  invoice_item: ['list', 'view', 'create', 'update', 'delete'],
  invoice: ['list', 'list_trash', 'view', 'create', 'update', 'delete', 'restore', 'forceDelete', 'manage_payments'],
  journal_entry: ['list', 'list_trash', 'view', 'create', 'update', 'delete', 'restore', 'forceDelete'],
  ledger_account: ['list', 'list_trash', 'view', 'create', 'update', 'delete', 'restore', 'forceDelete'],
  ledger_header: ['list', 'list_trash', 'view', 'create', 'update', 'delete', 'restore', 'forceDelete'],
  transaction: ['list', 'list_trash', 'view', 'create', 'update', 'delete', 'restore', 'forceDelete'],
  license_application: ['list', 'show'],
  license_document: ['list', 'list_trash', 'create', 'show', 'update', 'delete'],
  license_material: ['list', 'create', 'show', 'update', 'delete'],
  license: ['list', 'create', 'show', 'update', 'upload_documents', 'delete', 'apply'],
  material_category: ['list', 'create', 'show', 'update', 'delete', 'list_trash', 'restore_trash'],
  material_sub_category: ['list', 'create', 'show', 'update', 'delete', 'list_trash', 'restore_trash'],
  material: ['list', 'create', 'show', 'update', 'delete'],
  musical: ['list', 'create', 'show', 'update', 'delete'],
  play: ['list', 'create', 'show', 'update', 'delete'],
  royaltor: ['list', 'create', 'show', 'update', 'delete'],
  vendor: ['list', 'create', 'show', 'update', 'delete'],
  venue: ['list', 'create', 'show', 'update', 'delete'],
  warehouse: ['list', 'create', 'show', 'update', 'delete'],
  show_royaltor: ['list', 'create', 'show', 'update', 'delete'],
  search_index: ['list', 'list_trash', 'view'],
  show: ['list', 'create', 'show', 'update', 'manage_images', 'delete'],
  staff_invite: ['create', 'list', 'show'],
  user: ['create', 'show', 'update', 'manage_avatar', 'manage_name', 'manage_email', 'manage_role'],
  bill: ['list', 'show', 'create', 'update', 'delete', 'restore', 'forceDelete'],
  payment: [
    'list', 'show', 'create', 'update', 'delete', 'restore', 'forceDelete', 'updateStatus', 'list_trash',
    'manage_transactions',
  ],
  import: ['list', 'show', 'create', 'process', 'listRecords', 'downloadRecords'],
  import_template: ['list', 'create', 'download', 'mapColumns', 'listMaps'],
} as const;

type Families = typeof PERMISSION_FAMILIES;
export type PermissionFamily = keyof Families;
export type Permission = { [F in PermissionFamily]: `${F}.${Families[F][number]}` }[PermissionFamily] | 'super';

/** Known to the specification, never grantable. */
export const PLACEHOLDER_PERMISSION = 'REPLACE';

/** The 210 values that a staff group may hold. */
export const PERMISSIONS: readonly Permission[] = [
  'super',
  ...Object.entries(PERMISSION_FAMILIES).flatMap(([family, actions]) =>
    actions.map((action) => `${family}.${action}` as Permission),
  ),
];

const KNOWN: ReadonlySet<string> = new Set(PERMISSIONS);

export function isPermission(value: string): value is Permission {
  return KNOWN.has(value);
}

/** Checks a principal's rights against one requirement; a list means any of them. */
export function grants(held: ReadonlySet<string>, needed: Permission | readonly Permission[] | null): boolean {
  if (needed === null) return true;
  if (held.has('super')) return true;
  const list = typeof needed === 'string' ? [needed] : needed;
  return list.some((value) => held.has(value));
}
