/** BOM templates: the list, its trash, and the overview of all kinds of templates. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import styles from '../catalogue.module.css';
import { showCodeSource, useMaterialTabs } from '../material/material-words.web.ts';
import { bomColumns, bomFilters } from './bom-table.web.tsx';
import {
  bomTemplateBulk, bomTemplateEndpoints, bomTemplateTrashBulk, type BomTemplateRow,
} from './bom-template.contract.ts';

const LIST = '/admin/templates/bom';
type Row = Omit<BomTemplateRow, 'lines'>;

export function BomTemplateList() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const list = useList(bomTemplateEndpoints.list, {},
    { filters: ['show_code', 'category', 'approved'], bulk: bomTemplateBulk });
  return (
    <>
      <PageHeader title="BOM templates" subtitle="Rules for the materials of a production" tabs={useMaterialTabs()}>
        <ButtonLink href="/admin/templates/templates" variant="quiet">All templates</ButtonLink>
        {may('bom_template.delete') && <ButtonLink href={`${LIST}/trash`} variant="quiet">Trash</ButtonLink>}
        {may('bom_template.create') && <ButtonLink href={`${LIST}/create`} variant="primary">New template</ButtonLink>}
      </PageHeader>
      <DataTable label="BOM templates" {...list} columns={bomColumns} filters={bomFilters} rowKey={(row) => row.id}
        rowHref={may('bom_template.show') ? hrefOf : undefined}
        tools={(
          <AsyncSelect label="Show" hideLabel placeholder="Every show" clearable source={showCodeSource}
            value={values.get('show_code')} onChange={(code) => set({ show_code: code, page: null })} />
        )}
        empty={{ title: 'No templates yet', text: 'A template says once what every production of a show needs.' }} />
    </>
  );
}

const hrefOf = (row: Row): string => `${LIST}/${row.id}`;

export function BomTemplateTrash() {
  const list = useList(bomTemplateEndpoints.trash, {}, { bulk: bomTemplateTrashBulk });
  const [purging, setPurging] = useState<Row | null>(null);
  const restore = useAction(bomTemplateEndpoints.restore, { done: ({ data }) => `${data.name} is back` });
  const purge = useAction(bomTemplateEndpoints.purge, { done: 'Template deleted for good' });
  const trashed: readonly Column<Row>[] = [...bomColumns.slice(0, 4),
    { id: 'deleted_at', header: 'Moved here', kind: 'date', cell: (row) => row.deleted_at, width: 130 },
    { id: 'restore', header: 'Restore or delete', kind: 'actions', cell: (row) => (
      <>
        <Button size="small" onClick={() => void restore.run({ params: { id: row.id } })}>Restore</Button>
        <Button size="small" variant="quiet" onClick={() => setPurging(row)}
          reason={row.copy_count > 0 ? spell`Licenses copied it and are compared with it` : undefined}>
          Delete for good
        </Button>
      </>
    ) }];
  return (
    <>
      <PageHeader title="BOM templates in the trash" back={LIST} subtitle="Restored templates come back as they were" />
      <DataTable label="BOM templates in the trash" {...list} columns={trashed} rowKey={(row) => row.id}
        empty={{ title: 'The trash is empty', text: 'Templates moved to the trash can be restored here.' }} />
      <ConfirmDialog open={purging !== null} danger title={`Delete ${purging?.name ?? ''} for good?`}
        confirm="Delete for good" typed={purging?.name}
        text="It cannot be brought back, nor can its approved versions." onCancel={() => setPurging(null)}
        onConfirm={() => {
          if (purging) void purge.run({ params: { id: purging.id } });
          setPurging(null);
        }} />
    </>
  );
}

const KINDS = [
  { href: LIST, title: 'BOM templates', gate: 'bom_template.list',
    text: 'Materials for a production of a show, with quantities.' },
  { href: '/admin/templates/contracts', title: 'Contract texts', gate: 'license_document.list',
    text: 'The clauses of contracts, by division and category, and their approval by counsel.' },
  { href: '/admin/imports/templates', title: 'Import templates', gate: 'import_template.list',
    text: 'Column mappings, saved for the next file of the same kind.' },
] as const;

/** RT215: the kinds of templates, each where the person may go. */
export function TemplateKinds() {
  const may = useMay();
  const kinds = KINDS.filter((kind) => may(kind.gate));
  return (
    <>
      <PageHeader title="Templates" subtitle="Set up once, used again and again" />
      <PageContent>
        {kinds.map((kind) => (
          <Section key={kind.href} title={kind.title} description={kind.text}>
            <p><AppLink href={kind.href} className="gr-link">{`Open ${kind.title}`}</AppLink></p>
          </Section>
        ))}
        {kinds.length === 0 && <p className={styles.entryText}>None of the templates is open to you.</p>}
      </PageContent>
    </>
  );
}
