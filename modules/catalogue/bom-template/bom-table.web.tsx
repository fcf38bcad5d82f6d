/** The table of BOM templates: the same columns in the list, in the trash and on the page of a show. */
import { spell } from '#kernel/text/english.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { CATEGORY_LABELS } from '../catalogue-labels.web.ts';
import type { BomTemplateRow } from './bom-template.contract.ts';
import { approvalOf, matchWords } from './bom-words.web.ts';

type Row = Omit<BomTemplateRow, 'lines'>;

export const bomColumns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260 },
  { id: 'show', header: 'Show', kind: 'muted', cell: (row) => row.show_title, width: 220 },
  { id: 'fits', header: 'Fits', kind: 'muted', cell: matchWords, width: 300 },
  { id: 'lines', header: 'Lines', kind: 'number', cell: (row) => row.line_count, width: 80 },
  { id: 'template_version', header: 'Version', kind: 'number', cell: (row) => row.template_version, sort: true,
    width: 90 },
  { id: 'copies', header: spell`Licenses`, kind: 'number', cell: (row) => row.copy_count, width: 90 },
  { id: 'state', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge tone={approvalOf(row).tone} small>{approvalOf(row).text}</Badge> },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
];

export const bomFilters = [
  { name: 'category', label: 'Category', options: optionsOf(CATEGORY_LABELS) },
  { name: 'approved', label: 'Status',
    options: [{ value: 'true', label: 'Approved' }, { value: 'false', label: 'Draft' }] },
];
