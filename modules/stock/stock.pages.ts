/** Pages of stock: warehouses, movements, sales orders, perusals. */
import type { ComponentType } from 'react';
import { pages } from '#kit/page.ts';

const screens = () => import('./warehouse/warehouse-screens.web.tsx');

export const stockPages = pages<ComponentType>([
  { path: '/admin/warehouses', area: 'staff', permission: 'warehouse.list', title: 'Warehouses', load: screens },
  { path: '/admin/warehouses/create', area: 'staff', permission: 'warehouse.create', title: 'New warehouse',
    load: () => screens().then((file) => ({ default: file.WarehouseCreate })) },
  { path: '/admin/warehouses/:warehouseId', area: 'staff', permission: 'warehouse.show', title: 'Warehouse',
    load: () => import('./warehouse/warehouse-page.web.tsx') },
  { path: '/admin/stock-movements', area: 'staff', permission: 'warehouse.show', title: 'Stock movements',
    load: () => import('./movement/movements.web.tsx') },
  { path: '/admin/sales-and-royalties/sales-orders', area: 'staff', permission: 'license_material.list',
    title: 'Sales orders', load: () => import('./sales-order/sales-orders.web.tsx') },
  { path: '/admin/sales-and-royalties/sales-orders/:salesOrderId', area: 'staff', permission: 'license_material.show',
    title: 'Sales order', load: () => import('./sales-order/order-page.web.tsx') },
  { path: '/admin/perusals', area: 'staff', permission: 'license_material.list', title: 'Perusals',
    load: () => import('./perusal/perusals.web.tsx') },
  { path: '/admin/perusals/:perusalId', area: 'staff', permission: 'license_material.show', title: 'Perusal',
    load: () => import('./perusal/perusal-page.web.tsx') },
]);
