/** Tabs of the lists around materials: one place, since add-ons and sales items are catalogue and warehouses stock. */
import type { Permission } from '#kit/permission.ts';

export function materialsTabs(may: (permission: Permission) => boolean) {
  const tab = (permission: Permission, id: string, text: string, href = `/admin/${id}`) => (may(permission)
    ? [{ id, text, href }] : []);
  return [
    ...tab('material.list', 'materials', 'Materials'),
    ...tab('material_sub_category.list', 'subcategories', 'Sub-categories', '/admin/materials/subcategories'),
    ...tab('bom_template.list', 'boms', 'BOM templates', '/admin/templates/bom'),
    ...tab('material.list', 'add-ons', 'Add-ons'), ...tab('material.list', 'sales-items', 'Sales items'),
    ...tab('warehouse.list', 'warehouses', 'Warehouses'), ...tab('warehouse.show', 'stock-movements', 'Movements'),
  ];
}
