/** Page access by role: SPEC.md 2 and 6 over every row of the page table. Rules R33-R78, gaps G75. */
import { describe, expect, it } from 'vitest';
import { ROLES, STAFF_ROLES, type Role } from '#kit/auth.ts';
import { decide, homeOf, type Visitor } from '#kit/page.ts';
import { PERMISSIONS, type Permission } from '#kit/permission.ts';
import { pageTable } from './page-table.ts';

const visitor = (role: Role, permissions: readonly string[] = []): Visitor =>
  ({ role, permissions: new Set(permissions), customer_ids: role === 'customer' ? [7] : [] });

function pageAt(path: string) {
  const row = pageTable.find((one) => one.path === path);
  if (!row) throw new Error(`There is no page ${path}`);
  return row;
}
const below = (start: string) => pageTable.filter((row) => row.path === start || row.path.startsWith(`${start}/`));

/** The roles that a page admits when permissions do not matter. */
const admitted = (path: string): Role[] => ROLES.filter(
  (role) => decide(pageAt(path), visitor(role, ['super']), { customerId: '7' }).kind === 'allow');

/** Opens with exactly these permissions; stays shut when any one of them is missing, whatever else is held. */
function expectGate(path: string, ...needed: Permission[]): void {
  const open = (permissions: readonly string[]) =>
    decide(pageAt(path), visitor('staff_user', permissions)).kind === 'allow';
  expect(open(needed), `${path} with ${needed.join(', ')}`).toBe(true);
  for (const missing of needed) {
    const rest = PERMISSIONS.filter((one) => one !== missing && one !== 'super');
    expect(open(rest), `${path} without ${missing}`).toBe(false);
  }
}

/** Records that staff manage, in the order of SPEC.md 1, each with the list that opens it. */
const MANAGED: Readonly<Record<string, string>> = {
  'quotes': '/admin/quotes', 'license applications': '/admin/applications', 'plays': '/admin/plays',
  'musicals': '/admin/musicals', 'materials': '/admin/materials',
  'material sub-categories': '/admin/materials/subcategories', 'BOM templates': '/admin/templates/bom',
  'add-ons': '/admin/add-ons', 'sales items': '/admin/sales-items', 'customers': '/admin/customers',
  'customer classifications': '/admin/customers/customer-classifications', 'vendors': '/admin/vendors',
  'venues': '/admin/venues', 'warehouses': '/admin/warehouses', 'royaltors': '/admin/royaltors',
  'invoices': '/admin/accounts-receivable/invoices', 'bills': '/admin/accounting/bills',
  'payments': '/admin/accounting/payments', 'banks': '/admin/banking/banks',
  'bank accounts': '/admin/banking/bank-accounts', 'bank transactions': '/admin/banking/transactions',
  'bank statements': '/admin/banking/statements', 'reconciliation': '/admin/banking/reconciliation',
  'ledger accounts': '/admin/accounting/chart-of-accounts', 'ledger headers': '/admin/accounting/headers',
  'journal entries': '/admin/accounting/transactions/:transactionId/journal-entries',
  'transactions': '/admin/accounting/transactions', 'checks': '/admin/checking', 'finance reports': '/admin/finance',
  'data imports': '/admin/imports', 'import templates': '/admin/imports/templates', 'CSV exports': '/admin/exports',
  'staff users': '/admin/staff', 'groups': '/admin/staff/groups', 'teams': '/admin/staff/teams',
  'invitations': '/admin/staff/invites',
};

describe('areas', () => {
  it.each(Object.entries(MANAGED))('[S120] staff manage %s on a page of their own', (_, path) => {
    expect(pageAt(path).area).toBe('staff');
    expect(pageAt(path).load ?? pageAt(path).redirectTo).toBeDefined();
  });
  it('[R33] /select opens only for system_admin', () => {
    expect(admitted('/select')).toEqual(['system_admin']);
  });
  it('[R34] [C82] /system opens only for system_admin, /admin for all staff', () => {
    const rows = below('/system');
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) expect(admitted(row.path), row.path).toEqual(['system_admin']);
    expect(admitted('/admin').sort()).toEqual([...STAFF_ROLES].sort());
  });
  it.each([['R35', 'system_admin'], ['R36', 'staff_admin']] as const)(
    '[R35] [R36] %s: /admin and every page under it opens for %s, who holds nothing', (_, role) => {
      const rows = below('/admin');
      expect(rows.map((row) => row.path)).toEqual(expect.arrayContaining(['/admin', '/admin/plays',
        '/admin/accounting/transactions/:transactionId', '/admin/staff/groups/:groupId/permissions']));
      expect(rows.length).toBeGreaterThan(150);
      for (const row of rows) expect(decide(row, visitor(role)).kind, row.path).toBe('allow');
      // The permissions of pages still hold for a member of staff without any.
      const shut = rows.filter((row) => decide(row, visitor('staff_user')).kind === 'unauthorized');
      expect(shut.map((row) => row.path)).toEqual(rows.filter((row) => row.permission !== null).map((row) => row.path));
      expect(shut.length).toBeGreaterThan(100);
    });
  it('[R40] /select-portal opens only for system_admin and customer', () => {
    expect(admitted('/select-portal').sort()).toEqual(['customer', 'system_admin']);
  });
  it('a vendor begins at the own account, which opens for nobody else', () => {
    expect(homeOf(visitor('vendor'))).toBe('/account');
    expect(admitted('/account')).toEqual(['vendor']);
    expect(decide(pageAt('/login'), visitor('vendor'))).toEqual({ kind: 'redirect', to: '/account' });
    expect(decide(pageAt('/admin'), visitor('vendor')).kind).toBe('unauthorized');
  });
  it('[R41] every page of the customer area opens only for system_admin and customer', () => {
    const rows = below('/customer/:customerId');
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(admitted(row.path).sort(), row.path).toEqual(['customer', 'system_admin']);
  });
  it('[R42] vendors and customers are blocked from every staff page, whatever they hold', () => {
    for (const row of below('/admin')) {
      for (const role of ['vendor', 'customer'] as const) {
        expect(decide(row, visitor(role, PERMISSIONS)).kind, `${role} ${row.path}`).toBe('unauthorized');
      }
    }
  });
});

describe('permissions of pages', () => {
  it.each(PERMISSIONS)('[R48] a page that asks for %s opens for administrators, for staff only with it', (value) => {
    const row = { path: '/admin/page', area: 'staff', permission: value, title: 'Page' } as const;
    const others = PERMISSIONS.filter((one) => one !== value && one !== 'super');
    for (const role of ['staff_admin', 'system_admin'] as const) {
      expect(decide(row, visitor(role)).kind, role).toBe('allow');
    }
    expect(decide(row, visitor('staff_user', [value])).kind).toBe('allow');
    expect(decide(row, visitor('staff_user', others)).kind).toBe('unauthorized');
  });
  it('[R48] staff_admin and system_admin pass every page permission, a staff_user without any passes none', () => {
    const gated = below('/admin').filter((row) => row.permission !== null);
    expect(gated.length).toBeGreaterThan(50);
    for (const row of gated) {
      expect(decide(row, visitor('staff_user')).kind, row.path).toBe('unauthorized');
      expect(decide(row, visitor('staff_admin')).kind, row.path).toBe('allow');
      expect(decide(row, visitor('system_admin')).kind, row.path).toBe('allow');
    }
  });
  it('[R49] a page without a permission opens for every staff role', () => {
    const free = below('/admin').filter((row) => row.permission === null);
    expect(free.map((row) => row.path)).toContain('/admin');
    for (const row of free) {
      for (const role of STAFF_ROLES) expect(decide(row, visitor(role)).kind, `${role} ${row.path}`).toBe('allow');
    }
  });

  it('[R50] [R51] licence create needs license.create, the lists license.list', () => {
    expectGate('/admin/quotes/create', 'license.create');
    expectGate('/admin/quotes', 'license.list');
    expectGate('/admin/customers/:customerId/quotes', 'license.list');
    expectGate('/admin/customers/:customerId/productions', 'license.list');
  });
  it('[R52] every page of one licence needs license.show', () => {
    const ONE = /^\/admin\/(quotes\/:quoteId|customers\/:customerId\/productions\/:productionId)(\/|$)/;
    const rows = pageTable.filter((row) => ONE.test(row.path));
    expect(rows.length).toBeGreaterThan(12);
    for (const row of rows) {
      const rest = PERMISSIONS.filter((one) => one !== 'license.show' && one !== 'super');
      expect(decide(row, visitor('staff_user', rest)).kind, row.path).toBe('unauthorized');
    }
    expectGate('/admin/quotes/:quoteId/terms', 'license.show');
  });
  it('[R53] royaltors list, show, create', () => {
    expectGate('/admin/royaltors', 'royaltor.list');
    expectGate('/admin/royaltors/:royaltorId', 'royaltor.show');
    expectGate('/admin/royaltors/create', 'royaltor.create');
  });
  it('[R54] account views need ledger_account.view, their layout ledger_account.list', () => {
    const accounts = '/admin/accounting/chart-of-accounts';
    expectGate(accounts, 'ledger_account.list');
    expectGate(`${accounts}/create`, 'ledger_account.list');
    for (const tab of ['', '/information', '/journals']) {
      expectGate(`${accounts}/:ledgerAccountId${tab}`, 'ledger_account.view', 'ledger_account.list');
    }
    expectGate('/admin/accounting/general-ledger', 'ledger_account.view');
    expectGate('/admin/accounting/trial-balance', 'ledger_account.view');
  });
  it('[R55] licence applications', () => {
    expectGate('/admin/applications', 'license_application.list');
    expectGate('/admin/customers/:customerId/applications', 'license_application.list');
  });
  it('[R56] transactions: the list, one of them, those of a licence', () => {
    const one = '/admin/accounting/transactions/:transactionId';
    expectGate('/admin/accounting/transactions', 'transaction.list');
    for (const tab of ['', '/journal-entries', '/information']) expectGate(`${one}${tab}`, 'transaction.view');
    expectGate('/admin/customers/:customerId/productions/:productionId/transactions', 'transaction.list',
      'license.show');
  });
  it('[R61] plays and musicals: the list and one show', () => {
    for (const family of ['/admin/plays', '/admin/musicals']) {
      expectGate(family, 'show.list');
      expectGate(`${family}/:id`, 'show.show');
      expectGate(`${family}/:id/information`, 'show.show');
    }
  });
  it('[R62] the royaltors of a show, inside the page of the show', () => {
    for (const family of ['/admin/plays', '/admin/musicals']) {
      expectGate(`${family}/:id/royaltors`, 'show_royaltor.list', 'show.show');
      expectGate(`${family}/:id/royaltors/:royaltorId`, 'show_royaltor.show');
    }
  });
  it('[R69] venues list, show, create', () => {
    expectGate('/admin/venues', 'venue.list');
    expectGate('/admin/venues/:venueId', 'venue.show');
    expectGate('/admin/venues/create', 'venue.create');
  });
  it('[R70] [R71] customers need customer.list, their classifications nothing', () => {
    expectGate('/admin/customers', 'customer.list');
    const rows = below('/admin/customers/customer-classifications');
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(decide(row, visitor('staff_user')).kind, row.path).toBe('allow');
  });
  it('[R77] [R78] the staff and its invitations; groups and who holds what are for administrators and super', () => {
    expectGate('/admin/staff', 'user.show');
    expectGate('/admin/staff/invites', 'staff_invite.list');
    for (const tab of ['', '/profile', '/settings']) expectGate(`/admin/staff/:staffId${tab}`, 'user.show');
    for (const path of ['groups', 'permissions', 'groups/:groupId/permissions', 'groups/:groupId/users']) {
      const row = pageAt(`/admin/staff/${path}`);
      const rest = PERMISSIONS.filter((one) => one !== 'super');
      expect(decide(row, visitor('staff_user', rest)).kind, path).toBe('unauthorized');
      expect(decide(row, visitor('staff_user', ['super'])).kind, path).toBe('allow');
    }
  });
  it('one\'s own pages open without the right to see the staff, somebody else\'s do not', () => {
    const own = { ...visitor('staff_user'), id: 12 };
    const row = pageAt('/admin/staff/:staffId/profile');
    expect(decide(row, own, { staffId: '12' }).kind).toBe('allow');
    expect(decide(row, own, { staffId: '13' }).kind).toBe('unauthorized');
    expect(decide(row, { ...own, role: 'vendor' }, { staffId: '12' }).kind).toBe('unauthorized');
  });
  it('whose address is not verified sees its notice alone, and signs in and out', () => {
    for (const role of ROLES) {
      const waiting = { ...visitor(role, ['super']), unverified: true };
      for (const row of pageTable.filter((one) => one.area !== 'public')) {
        expect(decide(row, waiting, { customerId: '7' }), row.path)
          .toEqual({ kind: 'redirect', to: '/verify-email', remember: true });
      }
      expect(decide(pageAt('/verify-email'), waiting).kind).toBe('allow');
    }
  });
  it('[C82] the areas admit the roles that the specification lists', () => {
    expect(admitted('/select')).toEqual(['system_admin']);
    expect(admitted('/admin').sort()).toEqual([...STAFF_ROLES].sort());
    expect(admitted('/select-portal').sort()).toEqual(['customer', 'system_admin']);
  });

  it('[R72] [R74] [R75] [R76] invoices, imports, one import and import templates', () => {
    expectGate('/admin/accounts-receivable/invoices', 'invoice.list');
    expectGate('/admin/imports/history', 'import.list');
    expectGate('/admin/imports/history/:importId', 'import.show');
    expectGate('/admin/imports/templates', 'import_template.list');
  });
  it('[R57] the layout of banks needs bank.list, the pages inside it their own right beside it', () => {
    expectGate('/admin/banking/banks', 'bank.list');
    expectGate('/admin/banking/banks/create', 'bank.create', 'bank.list');
    expectGate('/admin/banking/banks/:bankId', 'bank.show', 'bank.list');
  });
  it('[R58] [R65] vendors and warehouses: list, show, create', () => {
    for (const [path, one, family] of [['vendors', 'vendorId', 'vendor'], ['warehouses', 'warehouseId', 'warehouse']]) {
      expectGate(`/admin/${path}`, `${family}.list` as Permission);
      expectGate(`/admin/${path}/:${one}`, `${family}.show` as Permission);
      expectGate(`/admin/${path}/create`, `${family}.create` as Permission);
    }
  });
  it('[R58] of a vendor: open bills, transactions, statement', () => {
    expectGate('/admin/vendors/:vendorId/bills', 'bill.list', 'vendor.show');
    expectGate('/admin/vendors/:vendorId/transactions', 'transaction.list', 'vendor.show');
    expectGate('/admin/vendors/:vendorId/statement', 'bill.list', 'vendor.show');
  });
  it('[R59] materials of a licence: the list and one of them, inside the page of the licence', () => {
    for (const licence of ['quotes/:quoteId', 'customers/:customerId/productions/:productionId']) {
      expectGate(`/admin/${licence}/materials`, 'license_material.list', 'license.show');
    }
  });
  it('[R60] BOM templates: list, show, trash', () => {
    expectGate('/admin/templates/bom', 'bom_template.list');
    expectGate('/admin/templates/bom/:bomTemplateId', 'bom_template.show');
    expectGate('/admin/templates/bom/trash', 'bom_template.delete');
    for (const family of ['/admin/plays', '/admin/musicals']) {
      expectGate(`${family}/:id/boms`, 'bom_template.list', 'show.show');
      expectGate(`${family}/:id/boms/:bomId`, 'bom_template.show');
    }
  });
  it('[R63] [R73] materials: list, show, create', () => {
    expectGate('/admin/materials', 'material.list');
    expectGate('/admin/materials/:materialId', 'material.show');
    expectGate('/admin/materials/create', 'material.create');
    for (const family of ['/admin/plays', '/admin/musicals']) {
      expectGate(`${family}/:id/materials`, 'material.list', 'show.show');
      expectGate(`${family}/:id/materials/:materialId`, 'material.show');
    }
  });
  it('[R64] sub-categories of materials: list, create, update', () => {
    const path = '/admin/materials/subcategories';
    expectGate(path, 'material_sub_category.list');
    expectGate(`${path}/create`, 'material_sub_category.create');
    expectGate(`${path}/:key`, 'material_sub_category.update');
  });
  it('[R66] ledger headers: list and create', () => {
    const path = '/admin/accounting/headers';
    expectGate(path, 'ledger_header.list');
    expectGate(`${path}/create`, 'ledger_header.create');
  });
  it('[R77] [R78] staff: one of them, and the invitations', () => {
    expectGate('/admin/staff/:staffId/profile', 'user.show');
    expectGate('/admin/staff/invites', 'staff_invite.list');
  });
  it('[R56] [R77] of a customer: the transactions, one of the people', () => {
    expectGate('/admin/customers/:customerId/transactions', 'transaction.list', 'customer.show');
    expectGate('/admin/customers/:customerId/users/:userId', 'user.show', 'customer.show');
  });
});
