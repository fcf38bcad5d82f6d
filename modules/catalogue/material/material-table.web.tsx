/** The table of materials: the same columns in the list, in its trash and on the page of a show. */
import { minorOf } from '#kernel/money/money.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { ACTIVE_FILTER } from '../catalogue-labels.web.ts';
import type { MaterialRow } from './material.contract.ts';
import { TYPE_LABELS } from './material-words.web.ts';

const minor = (price: number | null): bigint | null => price === null ? null : BigInt(minorOf(price));

export const materialColumns: readonly Column<MaterialRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260 },
  { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, sort: true, width: 170 },
  { id: 'show', header: 'Show', kind: 'muted', cell: (row) => row.show_title, width: 200 },
  { id: 'type', header: 'Type', kind: 'muted', cell: (row) => TYPE_LABELS[row.type], width: 90 },
  { id: 'category', header: 'Category', kind: 'muted', width: 200,
    cell: (row) => row.sub_category_name ?? row.category_name },
  { id: 'usd', header: 'USD', kind: 'money', cell: (row) => minor(row.prices.usd), width: 90 },
  { id: 'eur', header: 'EUR', kind: 'money', cell: (row) => minor(row.prices.eur), width: 90 },
  { id: 'gbp', header: 'GBP', kind: 'money', cell: (row) => minor(row.prices.gbp), width: 90 },
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Active' : 'Inactive'}</Badge> },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120,
    hidden: true },
];

export const typeFilter = { name: 'type', label: 'Type', options: optionsOf(TYPE_LABELS) };
export const stateFilter = ACTIVE_FILTER;
