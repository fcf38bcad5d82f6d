/** Labels of the choices of materials, and the sources of their selects. */
import { spell } from '#kernel/text/english.ts';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { materialsTabs } from '../materials-tabs.ts';
import { categoryUtilityEndpoints } from '../material-category/material-category.contract.ts';
import { showEndpoints } from '../show/show.contract.ts';
import type { MaterialRow } from './material.contract.ts';

export const TYPE_LABELS = { rental: 'Rental', sale: 'Sale', digital: 'Digital', service: 'Service',
  perusal: 'Perusal' };
export const FULFILMENT_LABELS = { physical: 'Shipped', download: 'Downloaded', stream_app: 'In the app',
  email: 'By email' };
export const FORMAT_LABELS = { book: 'Book', score: 'Score', part: 'Part', cd: 'CD', usb: 'USB stick', pdf: 'PDF',
  epub: 'EPUB', audio: 'Audio', app: 'App', license: spell`License`, other: 'Other' };

/** True unless the material ships by mail: a perusal shows its files, a license or an add-on downloads them. */
export const hasFiles = ({ fulfilment }: Pick<MaterialRow, 'fulfilment'>): boolean => fulfilment !== 'physical';

/** Shows by their code, which is what a material names. */
export const showCodeSource = optionsFrom(showEndpoints.list, (row) => ({ value: row.show_code, label: row.title,
  children: row.show_code }));

export const categorySource = optionsFrom(categoryUtilityEndpoints.categories,
  (row) => ({ value: row.key, label: row.name }));

/** Sub-categories of one category; of all where none is chosen yet. */
export const subCategorySource = (category: string | null) => optionsFrom(categoryUtilityEndpoints.subCategories,
  (row) => ({ value: row.key, label: row.name }), category ? { query: { category_key: category } } : {});

/** The lists beside the materials; tabs lead only where the person may go (U38). */
export function useMaterialTabs() {
  return materialsTabs(useMay());
}
