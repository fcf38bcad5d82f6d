/** The page of one BOM template, also as a show's, and the page that adds one. */
import { spell } from '#kernel/text/english.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { asFilled } from '#web/controls/form/as-filled.ts';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast, undoable } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { classificationEndpoints } from '#modules/customers/classification/classification.contract.ts';
import { CATEGORY_LABELS, ORCHESTRATION_LABELS } from '../catalogue-labels.web.ts';
import styles from '../catalogue.module.css';
import { showCodeSource } from '../material/material-words.web.ts';
import { useFamily } from '../show/show-family.web.ts';
import { BomLines, type DraftLine } from './bom-lines.web.tsx';
import { BomPreview } from './bom-preview.web.tsx';
import { bomTemplate, bomTemplateEndpoints, type BomTemplateRow } from './bom-template.contract.ts';
import { approvalOf, matchWords } from './bom-words.web.ts';

const LIST = '/admin/templates/bom';
const { lines: _lines, ...head } = bomTemplate.fields;
type Values = Record<string, unknown>;

const classificationSource = optionsFrom(classificationEndpoints.list, (row) => ({ value: row.id, label: row.name }));

export function BomTemplateCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New BOM template" back={LIST} />
      <PageContent record fullWidth>
        <BomTemplateForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was added: approve it when it is right`);
          go(`${LIST}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function BomTemplatePage() {
  return <TemplateRecord id={useIdParam('bomTemplateId')} back={LIST} />;
}

/** RT43, RT54: a template opened from its show. */
export function ShowBomPage() {
  const family = useFamily();
  const showId = useIdParam('id');
  return <TemplateRecord id={useIdParam('bomId')} back={`${family.path}/${showId}/boms`} showId={showId} />;
}

function TemplateRecord({ id, back, showId }: { id: number; back: string; showId?: number }) {
  const may = useMay();
  const refresh = useRefresh([bomTemplateEndpoints.list]);
  const read = useEndpoint(bomTemplateEndpoints.show, { params: { id } });
  const row = read.data?.data as BomTemplateRow | undefined;
  if ((read.isError && !row) || (row && showId !== undefined && row.show_id !== showId)) {
    return <RecordProblem noun="BOM template" list={back} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const state = row && approvalOf(row);
  return (
    <>
      <PageHeader title={row?.name ?? 'BOM template'} back={back}
        crumbs={row && showId !== undefined ? [{ label: row.show_title, href: back }, { label: row.name }] : undefined}
        activity={row && { entity: 'bom_template', id: row.id }}
        badges={state ? (
          <>
            <Badge tone={state.tone}>{state.text}</Badge>
            <Badge tone="outline">{`Version ${row.template_version}`}</Badge>
          </>
        ) : <Skeleton width={160} height={22} />}
        waiting={!row}
        subtitle={row && [row.show_title, matchWords(row),
          row.approved_by_name && `approved by ${row.approved_by_name}`]}>
        {row && <Actions row={row} back={back} />}
      </PageHeader>
      <PageContent record fullWidth>
        {row ? (
          <>
            {!row.approved && row.line_count > 0 && (
              <AwaitingApproval endpoint={approvalEndpoints.approvers} kind="bom_template" askedBy={null}
                askedById={null} declined={row.declined} />)}
            <BomTemplateForm key={row.id} row={row} mayWrite={may('bom_template.update')}
              onSaved={() => { toast('Template saved: it waits for approval'); void refresh(); }} />
            <BomPreview key={`preview-${row.version}`} row={row} />
            <Versions id={row.id} />
          </>
        ) : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

function Actions({ row, back }: { row: BomTemplateRow; back: string }) {
  const may = useMay();
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const approve = useAction(bomTemplateEndpoints.approve, { refresh: [approvalEndpoints.list],
    done: spell`Approved: licenses may use it` });
  const remove = useAction(bomTemplateEndpoints.remove, { onDone: () => {
    go(back);
    undoable(`${row.name} moved to the trash`, () => call(bomTemplateEndpoints.restore, { params: { id: row.id } }));
  } });
  return (
    <>
      {may('bom_template.delete') && (
        <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}>Move to trash</Button>
      )}
      {!row.approved && row.declined === null && row.line_count > 0 && may('bom_template.approve') && (
        <DeclineButton endpoint={bomTemplateEndpoints.decline} params={{ id: row.id }} body={{ version: row.version }}
          title={row.name} size="regular" refresh={[approvalEndpoints.list]}
          text="It stays a draft; changing it asks for approval again. The person who wrote it sees the reason." />
      )}
      {!row.approved && may('bom_template.approve') && (
        <Button variant="primary" pending={approve.pending}
          reason={row.line_count === 0 ? 'Add a line first' : undefined}
          onClick={() => void approve.run({ params: { id: row.id }, body: { version: row.version } })}>
          {`Approve version ${row.template_version}`}
        </Button>
      )}
      <ConfirmDialog open={asking} danger title={`Move ${row.name} to the trash?`} confirm="Move to trash"
        text={spell`New licenses no longer get it. Licenses that copied it keep their materials.`}
        onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: row.id } }); }} />
    </>
  );
}

export interface BomTemplateFormProps {
  row: BomTemplateRow | null;
  mayWrite: boolean;
  onSaved: (row: BomTemplateRow) => void;
  /** The show a new template belongs to. */
  start?: { show_code: string; show_title: string } | undefined;
}

const draftOf = (row: BomTemplateRow | null): DraftLine[] => (row?.lines ?? [])
  .map(({ item_number: _number, type: _type, available: _available, ...line }) => line);

export function BomTemplateForm({ row, mayWrite, onSaved, start }: BomTemplateFormProps) {
  const form = useResourceForm<Values, { data: unknown }>({
    initial: { ...formValues(head, row), ...(row ? {} : { show_code: start?.show_code ?? '' }), lines: draftOf(row) },
    record: row && { entity: 'bom_template', id: row.id, version: row.version, read: bomTemplateEndpoints.show },
    submit: (values, sending) => {
      const lines = (values.lines as DraftLine[]).map(({ name: _name, material_id: materialId, ...line }) =>
        ({ ...line, ...asFilled({ material_id: materialId }) }));
      const body = { ...bodyValues(head, values), lines };
      return row
        ? call(bomTemplateEndpoints.update, { params: { id: row.id }, body: { ...body,
          version: row.version } })
        : call(bomTemplateEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data as BomTemplateRow),
    draftKey: row ? `bom-template/${row.id}` : 'bom-template/new',
  });
  const show = fieldsOf(form, head, {
    choices: { category: CATEGORY_LABELS, orchestration: ORCHESTRATION_LABELS, division: DIVISION_LABELS },
    sources: { customer_classification_id: classificationSource },
    selected: { customer_classification_id: row?.classification_name ?? undefined },
    disabled: mayWrite ? [] : Object.keys(head),
  });
  return (
    <FormFrame form={form} labels={{ ...labelsOf(head), lines: 'Lines' }}>
      <Section title="Conditions"
        description={spell`The most specific one that fits a license is used.`}>
        <FormGrid>
          {show('name')}
          <AsyncSelect label="Show" required name="show_code" source={showCodeSource}
            disabled={!mayWrite || (row?.copy_count ?? 0) > 0} value={(form.values.show_code as string) || null}
            selectedLabel={row?.show_title ?? start?.show_title} error={form.errors.show_code}
            onChange={(value) => form.set('show_code', value ?? '')} />
          {show('category')}{show('division')}{show('cast_min')}{show('cast_max')}{show('orchestration')}
          {show('customer_classification_id')}
        </FormGrid>
        <div className={styles.after}>{show('notes')}{show.others('show_code')}</div>
      </Section>
      <Section title="Materials"><BomLines form={form} disabled={!mayWrite} /></Section>
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant={row && !row.approved ? 'secondary' : 'primary'} pending={form.pending}>
            {row ? 'Save template' : 'Add template'}
          </Button>
        </FormActions>
      )}
    </FormFrame>
  );
}

type VersionRow = ResponseOf<typeof bomTemplateEndpoints.versions>['data'][number];
const versionColumns: readonly Column<VersionRow>[] = [
  { id: 'version', header: 'Version', kind: 'title', cell: (row) => `Version ${row.template_version}`, width: 120 },
  { id: 'lines', header: 'Lines', kind: 'number', cell: (row) => row.line_count, width: 90 },
  { id: 'by', header: 'Approved by', kind: 'muted', cell: (row) => row.approved_by_name, width: 200 },
  { id: 'at', header: 'Approved', kind: 'date', cell: (row) => row.approved_at, width: 130 },
];

function Versions({ id }: { id: number }) {
  const list = useList(bomTemplateEndpoints.versions, { params: { id } }, { prefix: 'v_' });
  return (
    <Section title="Approved versions">
      <DataTable label="Approved versions" variant="record" rows={list.rows} page={list.page} error={list.error}
        onRetry={list.onRetry} columns={versionColumns} rowKey={(row) => row.id}
        empty={{ title: 'Not approved yet', text: spell`Licenses get approved versions only.` }} />
    </Section>
  );
}
