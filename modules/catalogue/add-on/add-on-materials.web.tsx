/** Materials of an add-on: those whose files a license with the add-on downloads. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions } from '#web/controls/form/form-frame.tsx';
import { MultiSelect } from '#web/controls/select/multi-select.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { materialEndpoints } from '../material/material.contract.ts';
import { addOnEndpoints, type AddOnMaterial, type AddOnRow } from './add-on.contract.ts';

const columns: readonly Column<AddOnMaterial>[] = [
  { id: 'name', header: 'Material', kind: 'title', cell: (row) => row.name, width: 260 },
  { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, width: 180 },
  { id: 'files', header: 'Files', kind: 'number', cell: (row) => row.files, width: 80 },
];

export function AddOnMaterials({ addOn }: { addOn: AddOnRow }) {
  const mayWrite = useMay()('material.update');
  const read = useEndpoint(addOnEndpoints.materials, { params: { id: addOn.id } });
  const rows = read.data?.data;
  return (
    <Section title="Materials included" count={rows?.length || undefined}
      description={spell`A license with this add-on downloads the files of these materials, until its use ends.`}>
      <DataTable label="Materials of the add-on" rows={rows} error={read.error} onRetry={() => void read.refetch()}
        columns={columns} variant="record" rowKey={(row) => row.id}
        rowHref={(row) => `/admin/materials/${row.id}`}
        empty={{ title: 'No files', text: 'The add-on is a right alone, or sent another way.' }} />
      {mayWrite && rows && <Choice key={rows.map((row) => row.id).join()} addOn={addOn} rows={rows} />}
    </Section>
  );
}

function Choice({ addOn, rows }: { addOn: AddOnRow; rows: readonly AddOnMaterial[] }) {
  const kept = rows.map((row) => row.id);
  const [chosen, setChosen] = useState<number[]>(kept);
  const save = useAction(addOnEndpoints.setMaterials, { done: 'Materials saved', onFailure: () => {},
    refresh: [addOnEndpoints.list, addOnEndpoints.show, addOnEndpoints.materials] });
  const source = optionsFrom(materialEndpoints.list, (row) => ({ value: row.id, label: row.name,
    children: row.item_number }), { query: { type: 'digital', show_code: addOn.show_code } });
  const same = chosen.length === kept.length && chosen.every((id) => kept.includes(id));
  return (
    <>
      <MultiSelect<number> label="Materials" value={chosen} onChange={setChosen} source={source}
        placeholder={`Digital materials of ${addOn.show_title}`}
        selectedOptions={rows.map((row) => ({ value: row.id, label: row.name }))}
        error={save.failure?.fields.material_ids?.[0] ?? (save.failure ? save.failure.message : undefined)} />
      <FormActions>
        <Button variant="primary" pending={save.pending} {...(same && { reason: 'Choose other materials first' })}
          onClick={() => void save.run({ params: { id: addOn.id },
            body: { version: addOn.version, material_ids: chosen } })}>
          Save what it brings
        </Button>
      </FormActions>
    </>
  );
}
