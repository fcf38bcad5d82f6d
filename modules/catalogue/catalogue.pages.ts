/** Pages of the catalogue: plays and musicals share their screens, which read the family from the address. */
import type { ComponentType } from 'react';
import { pages, type PageRow } from '#kit/page.ts';

type Row = PageRow<ComponentType>;
const royaltors = () => import('./royaltor/royaltor-page.web.tsx');
const material = () => import('./material/material-page.web.tsx');
const bomList = () => import('./bom-template/bom-template-list.web.tsx');
const bomTemplate = () => import('./bom-template/bom-template-page.web.tsx');
const subCategories = () => import('./material-category/material-categories.web.tsx');
const addOns = () => import('./add-on/add-ons.web.tsx');

/** The pages of one family; `one` and `many` as people say them. */
function familyPages(base: string, one: string, many: string): Row[] {
  const show = `${base}/:id`;
  const tab = (name: string, title: string, permission: Row['permission'], load: NonNullable<Row['load']>): Row =>
    ({ path: `${show}/${name}`, area: 'staff', permission, title, load });
  return [
    { path: base, area: 'staff', permission: 'show.list', title: many, load: () => import('./show/show-list.web.tsx') },
    { path: show, area: 'staff', permission: 'show.show', title: one, redirectTo: `${show}/information` },
    tab('information', 'Information', 'show.show', () => import('./show/show-information.web.tsx')),
    tab('rate-cards', 'Rate cards', 'show.show', () => import('./rate-card/rate-cards.web.tsx')),
    { path: `${show}/royaltors`, area: 'staff', permission: 'show_royaltor.list', also: ['show.show'],
      title: 'Royaltors', load: () => import('./agreement/agreements.web.tsx') },
    tab('restrictions', 'Restrictions', 'show.show', () => import('./restriction/restrictions.web.tsx')),
    tab('add-ons', 'Add-ons', 'show.show', addOns),
    { path: `${show}/materials`, area: 'staff', permission: 'material.list', also: ['show.show'], title: 'Materials',
      load: () => import('./material/show-materials.web.tsx') },
    { path: `${show}/materials/:materialId`, area: 'staff', permission: 'material.show', title: 'Material',
      load: () => material().then((file) => ({ default: file.ShowMaterialPage })) },
    { path: `${show}/boms`, area: 'staff', permission: 'bom_template.list', also: ['show.show'], title: 'BOMs',
      load: () => import('./bom-template/show-boms.web.tsx') },
    { path: `${show}/boms/:bomId`, area: 'staff', permission: 'bom_template.show', title: 'BOM template',
      load: () => bomTemplate().then((file) => ({ default: file.ShowBomPage })) },
    { path: `${show}/royaltors/:royaltorId`, area: 'staff', permission: 'show_royaltor.show', title: 'Agreement',
      load: () => import('./agreement/agreement-page.web.tsx') },
    { path: `${show}/add-ons/:addOnId`, area: 'staff', permission: null, title: 'Add-on',
      load: () => addOns().then((file) => ({ default: file.ShowAddOnPage })) },
  ];
}

const salesItems = () => import('./sales-item/sales-items.web.tsx');

export const cataloguePages = pages<ComponentType>([
  ...familyPages('/admin/plays', 'Play', 'Plays'),
  ...familyPages('/admin/musicals', 'Musical', 'Musicals'),
  { path: '/admin/templates', area: 'staff', permission: null, title: 'Templates',
    redirectTo: '/admin/templates/templates' },
  { path: '/admin/templates/templates', area: 'staff', permission: null, title: 'Templates',
    load: () => bomList().then((file) => ({ default: file.TemplateKinds })) },
  { path: '/admin/templates/bom', area: 'staff', permission: 'bom_template.list', title: 'BOM templates',
    load: () => bomList().then((file) => ({ default: file.BomTemplateList })) },
  { path: '/admin/templates/bom/trash', area: 'staff', permission: 'bom_template.delete', title: 'BOM template trash',
    load: () => bomList().then((file) => ({ default: file.BomTemplateTrash })) },
  { path: '/admin/templates/bom/create', area: 'staff', permission: 'bom_template.create', title: 'New BOM template',
    load: () => bomTemplate().then((file) => ({ default: file.BomTemplateCreate })) },
  { path: '/admin/templates/bom/:bomTemplateId', area: 'staff', permission: 'bom_template.show',
    title: 'BOM template', load: () => bomTemplate().then((file) => ({ default: file.BomTemplatePage })) },
  { path: '/admin/materials', area: 'staff', permission: 'material.list', title: 'Materials',
    load: () => import('./material/material-list.web.tsx') },
  { path: '/admin/materials/create', area: 'staff', permission: 'material.create', title: 'New material',
    load: () => material().then((file) => ({ default: file.MaterialCreate })) },
  { path: '/admin/materials/subcategories', area: 'staff', permission: 'material_sub_category.list',
    title: 'Material sub-categories', load: () => subCategories().then((file) => ({ default: file.SubCategoryList })) },
  { path: '/admin/materials/subcategories/create', area: 'staff', permission: 'material_sub_category.create',
    title: 'New sub-category', load: () => subCategories().then((file) => ({ default: file.SubCategoryCreate })) },
  { path: '/admin/materials/subcategories/:key', area: 'staff', permission: 'material_sub_category.update',
    title: 'Material sub-category', load: () => subCategories().then((file) => ({ default: file.SubCategoryPage })) },
  { path: '/admin/materials/:materialId', area: 'staff', permission: 'material.show', title: 'Material',
    load: () => material().then((file) => ({ default: file.MaterialPage })) },
  { path: '/admin/royaltors', area: 'staff', permission: 'royaltor.list', title: 'Royaltors',
    load: () => import('./royaltor/royaltor-list.web.tsx') },
  { path: '/admin/royaltors/create', area: 'staff', permission: 'royaltor.create', title: 'New royaltor',
    load: () => royaltors().then((file) => ({ default: file.RoyaltorCreate })) },
  { path: '/admin/royaltors/:royaltorId', area: 'staff', permission: 'royaltor.show', title: 'Royaltor',
    load: () => royaltors().then((file) => ({ default: file.RoyaltorPage })) },
  { path: '/admin/add-ons', area: 'staff', permission: 'material.list', title: 'Add-ons',
    load: () => addOns().then((file) => ({ default: file.AddOnList })) },
  { path: '/admin/add-ons/create', area: 'staff', permission: 'material.create', title: 'New add-on',
    load: () => addOns().then((file) => ({ default: file.AddOnCreate })) },
  { path: '/admin/add-ons/:addOnId', area: 'staff', permission: 'material.show', title: 'Add-on',
    load: () => addOns().then((file) => ({ default: file.AddOnPage })) },
  { path: '/admin/sales-items', area: 'staff', permission: 'material.list', title: 'Sales items', load: salesItems },
  { path: '/admin/sales-items/create', area: 'staff', permission: 'material.create', title: 'New sales item',
    load: () => salesItems().then((file) => ({ default: file.SalesItemCreate })) },
  { path: '/admin/sales-items/:salesItemId', area: 'staff', permission: 'material.show', title: 'Sales item',
    load: () => salesItems().then((file) => ({ default: file.SalesItemPage })) },
]);
