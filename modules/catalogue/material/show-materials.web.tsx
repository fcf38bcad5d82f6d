/** Materials of one show. */
import { Button } from '#web/controls/button/button.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import type { ShowRow } from '../show/show.contract.ts';
import { useFamily } from '../show/show-family.web.ts';
import { ShowFrame } from '../show/show-frame.web.tsx';
import { materialEndpoints } from './material.contract.ts';
import { MaterialForm } from './material-form.web.tsx';
import { materialColumns, stateFilter, typeFilter } from './material-table.web.tsx';

const columns = materialColumns.filter((column) => column.id !== 'show');

export default function ShowMaterials() {
  return <ShowFrame>{(show) => <MaterialsOf show={show} />}</ShowFrame>;
}

function MaterialsOf({ show }: { show: ShowRow }) {
  const may = useMay();
  const family = useFamily();
  const { go } = useNavigation();
  const { values, set } = useQueryValues();
  const list = useList(materialEndpoints.list, { query: { show_code: show.show_code } },
    { filters: ['type', 'active'] });
  return (
    <PageContent record fullWidth title="Materials" description="Materials that its productions rent, buy or read."
      right={(
        <>
          {may('license_material.list') && (
            <ButtonLink href={`/admin/perusals?show_id=${show.id}`}>Perusals</ButtonLink>
          )}
          {may('material.create') && (
            <Button variant="primary" onClick={() => set({ create: '1' })}>New material</Button>
          )}
        </>
      )}>
      <Section flush>
        <DataTable label={`Materials of ${show.title}`} {...list} columns={columns} rowKey={(row) => row.id}
          variant="record" filters={[typeFilter, stateFilter]} searchPlaceholder="Name, number or instrument"
          rowHref={(row) => `${family.path}/${show.id}/materials/${row.id}`}
          empty={{ title: 'No materials', text: 'Scripts, scores, parts and tracks of this title stand here.' }} />
      </Section>
      <Modal open={values.get('create') === '1'} onClose={() => set({ create: null })} width={760}
        title="New material">
        <MaterialForm row={null} mayWrite start={{ show_code: show.show_code, show_title: show.title }}
          onSaved={(row) => {
            toast(`${row.name} was added`);
            go(`${family.path}/${show.id}/materials/${row.id}`);
          }} />
      </Modal>
    </PageContent>
  );
}
