/** Preview of a production's materials: counts in, quantities out, by the same rules that licenses use. */
import { useState } from 'react';
import { FormGrid } from '#web/controls/form/form-frame.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { usePreview } from '#web/query/use-preview.ts';
import { bomTemplateEndpoints, SHIP_GROUP_LABELS, type BomPreviewLine, type BomTemplateRow }
  from './bom-template.contract.ts';

export const previewColumns: readonly Column<BomPreviewLine>[] = [
  { id: 'name', header: 'Material', kind: 'title', cell: (row) => row.name, width: 260 },
  { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, width: 170 },
  { id: 'quantity', header: 'Copies', kind: 'number', cell: (row) => row.quantity.toLocaleString('en-US'), width: 90 },
  { id: 'group', header: 'Sent', kind: 'muted', cell: (row) => SHIP_GROUP_LABELS[row.ship_group], width: 110 },
  { id: 'state', header: 'Note', kind: 'badge', width: 140, cell: (row) => row.missing
    ? <Badge tone="warn" small>Not to be had</Badge> : row.substituted_for !== null
      ? <Badge tone="info" small>Substitute</Badge> : row.optional ? <Badge tone="outline" small>Optional</Badge>
        : null },
];

export function BomPreview({ row }: { row: BomTemplateRow }) {
  const [facts, setFacts] = useState({ cast: row.cast_min ?? 20, venues: 1, weeks: 1, performances: 4 });
  const preview = usePreview(bomTemplateEndpoints.preview, { params: { id: row.id }, body: facts });
  const number = (name: keyof typeof facts, label: string) => (
    <NumberField label={label} value={facts[name]}
      onChange={(value) => setFacts((before) => ({ ...before, [name]: value ?? 0 }))} />
  );
  return (
    <Section title="Preview for a production" description="From the lines as they are saved.">
      <FormGrid>
        {number('cast', 'Cast')}{number('venues', 'Venues')}{number('weeks', 'Weeks')}
        {number('performances', 'Performances')}
      </FormGrid>
      {preview.error !== '' && <Callout tone="error" live title={preview.error} />}
      <DataTable label="Preview for a production" variant="record" columns={previewColumns}
        rows={preview.error === '' ? preview.data?.data : []} rowKey={(line) => line.material_id}
        empty={{ title: 'Nothing', text: 'Add lines, or a larger cast.' }} />
    </Section>
  );
}
