/** Tabs of sales and royalties, in the order in which the work is done; licensing and stock have lists among them. */
import type { Permission } from '#kit/permission.ts';
import { spell } from '#kernel/text/english.ts';

export function salesTabs(may: (permission: Permission) => boolean) {
  const tab = (permission: Permission, name: string, text: string) => (may(permission)
    ? [{ id: name, text, href: `/admin/sales-and-royalties/${name}` }] : []);
  return [
    ...tab('royaltor.list', 'royalties', 'Royalties'), ...tab('license.list', 'license-activity',
      spell`License activity`),
    ...tab('license_material.list', 'sales-orders', 'Sales orders'), ...tab('license.list', 'box-office', 'Box office'),
    ...tab('show_royaltor.list', 'accruals', 'Accruals'), ...tab('show_royaltor.list', 'statement-runs', 'Runs'),
    ...tab('show_royaltor.list', 'statements', 'Statements'), ...tab('show_royaltor.list', 'advances', 'Advances'),
    ...tab('show_royaltor.list', 'corrections', 'Corrections'),
  ];
}
