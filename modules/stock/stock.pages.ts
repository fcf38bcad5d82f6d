/** Pages of stock: warehouses. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const screens = () => import('./warehouse/warehouse-screens.web.tsx');

export const stockPages = pages<ComponentType>([
  { path: '/admin/warehouses', area: 'staff', permission: 'warehouse.list', title: 'Warehouses', load: screens },
  { path: '/admin/warehouses/create', area: 'staff', permission: 'warehouse.create', title: 'New warehouse',
    load: () => screens().then((file) => ({ default: file.WarehouseCreate })) },
  { path: '/admin/warehouses/:warehouseId', area: 'staff', permission: 'warehouse.show', title: 'Warehouse',
    load: () => import('./warehouse/warehouse-page.web.tsx') },
]);
