/** BOM templates of one show. */
import { Button } from '#web/controls/button/button.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import type { ShowRow } from '../show/show.contract.ts';
import { useFamily } from '../show/show-family.web.ts';
import { ShowFrame } from '../show/show-frame.web.tsx';
import { bomColumns, bomFilters } from './bom-table.web.tsx';
import { bomTemplateEndpoints } from './bom-template.contract.ts';
import { BomTemplateForm } from './bom-template-page.web.tsx';

const columns = bomColumns.filter((column) => column.id !== 'show');

export default function ShowBoms() {
  return <ShowFrame>{(show) => <BomsOf show={show} />}</ShowFrame>;
}

function BomsOf({ show }: { show: ShowRow }) {
  const may = useMay();
  const family = useFamily();
  const { go } = useNavigation();
  const { values, set } = useQueryValues();
  const list = useList(bomTemplateEndpoints.list, { query: { show_code: show.show_code } },
    { filters: ['category', 'approved'] });
  const href = (id: number): string => `${family.path}/${show.id}/boms/${id}`;
  return (
    <PageContent record fullWidth title="BOM templates" description="Materials its productions get."
      right={may('bom_template.create') && (
        <Button variant="primary" onClick={() => set({ create: '1' })}>New template</Button>
      )}>
      <Section flush>
        <DataTable label={`BOM templates of ${show.title}`} {...list} columns={columns} filters={bomFilters}
          rowKey={(row) => row.id} variant="record"
          rowHref={may('bom_template.show') ? (row) => href(row.id) : undefined}
          empty={{ title: 'No templates', text: 'A template says once what every production of it needs.' }} />
      </Section>
      <Modal open={values.get('create') === '1'} onClose={() => set({ create: null })} width={920}
        title="New BOM template">
        <BomTemplateForm row={null} mayWrite start={{ show_code: show.show_code, show_title: show.title }}
          onSaved={(row) => {
            toast(`${row.name} was added: approve it when it is right`);
            go(href(row.id));
          }} />
      </Modal>
    </PageContent>
  );
}
