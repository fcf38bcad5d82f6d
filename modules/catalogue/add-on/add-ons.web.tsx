/** Add-ons of a show, and the page of one. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button.tsx';
import { ConfirmDialog } from '#web/controls/confirm-dialog.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/resource-fields.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CATEGORY_LABELS, ITEM_CLASS_LABELS } from '../catalogue-labels.web.ts';
import { INCOME_LABELS } from '../agreement/agreement.contract.ts';
import type { ShowRow } from '../show/show.contract.ts';
import { useFamily } from '../show/show-family.web.ts';
import { ShowFrame } from '../show/show-frame.web.tsx';
import { ADD_ON_KINDS, addOn, addOnEndpoints, type AddOnRow } from './add-on.contract.ts';

const { show_id: _show, ...fields } = addOn.fields;
const KIND_LABELS = Object.fromEntries(ADD_ON_KINDS.map((kind) =>
  [kind, kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')]));
const MODEL_LABELS = { flat: 'Once', per_performance: 'Per performance', per_week: 'Per week',
  percent_stream_gross: 'Share of the stream gross', per_user: 'Per user' };
const WORDS = { choices: { kind: KIND_LABELS, pricing_model: MODEL_LABELS, item_class: ITEM_CLASS_LABELS,
  income_type: INCOME_LABELS, categories: CATEGORY_LABELS } };

const columns: readonly Column<AddOnRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 240 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => KIND_LABELS[row.kind], width: 170 },
  { id: 'priced', header: 'Priced', kind: 'muted', cell: (row) => MODEL_LABELS[row.pricing_model], width: 150 },
  { id: 'usd', header: 'USD', kind: 'money', cell: (row) => moneyOf(row.price_usd_minor), width: 100 },
  { id: 'eur', header: 'EUR', kind: 'money', cell: (row) => moneyOf(row.price_eur_minor), width: 100 },
  { id: 'gbp', header: 'GBP', kind: 'money', cell: (row) => moneyOf(row.price_gbp_minor), width: 100 },
  { id: 'state', header: 'State', kind: 'badge', width: 100,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Offered' : 'Inactive'}</Badge> },
];

const moneyOf = (minor: number | null) => minor === null ? null : BigInt(minor);

export default function AddOns() {
  return <ShowFrame>{(show) => <AddOnsOf show={show} />}</ShowFrame>;
}

function AddOnsOf({ show }: { show: ShowRow }) {
  const may = useMay();
  const family = useFamily();
  const refresh = useRefresh([addOnEndpoints.list]);
  const [adding, setAdding] = useState(false);
  const list = useList(addOnEndpoints.list, { query: { show_id: show.id } });
  return (
    <PageContent record fullWidth title="Add-ons" description="Options a customer may buy with the licence."
      right={may('material.create') && <Button variant="primary" onClick={() => setAdding(true)}>New add-on</Button>}>
      <Section flush>
        <DataTable label="Add-ons" {...list} columns={columns} rowKey={(row) => row.id} variant="record"
          rowHref={(row) => `${family.path}/${show.id}/add-ons/${row.id}`}
          empty={{ title: 'No add-ons', text: 'Tracks, logo packs, streaming and video are sold here.' }} />
      </Section>
      <Modal open={adding} onClose={() => setAdding(false)} width={680} title="New add-on">
        {adding && (
          <AddOnForm showId={show.id} row={null}
            onSaved={() => { setAdding(false); void refresh(); toast('Add-on saved'); }} />
        )}
      </Modal>
    </PageContent>
  );
}

export function AddOnPage() {
  const family = useFamily();
  const showId = useIdParam('id');
  const id = useIdParam('addOnId');
  const back = `${family.path}/${showId}/add-ons`;
  const refresh = useRefresh([addOnEndpoints.list]);
  const read = useEndpoint(addOnEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if ((read.isError && !row) || (row && row.show_id !== showId)) {
    return <RecordProblem noun="add-on" list={back} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Add-on'} back={back}
        badges={row && <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? 'Offered' : 'Inactive'}</Badge>}
        subtitle={row && [<CodeText key="key">{row.key}</CodeText>, row.show_title]}>
        {row && <RemoveButton row={row} back={back} />}
      </PageHeader>
      <PageContent record>
        {row ? (
          <AddOnForm key={row.version} showId={showId} row={row}
            onSaved={() => { void refresh(); toast('Add-on saved'); }} />
        ) : <Skeleton width={320} height={16} />}
      </PageContent>
    </>
  );
}

function RemoveButton({ row, back }: { row: AddOnRow; back: string }) {
  const may = useMay();
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useAction(addOnEndpoints.remove, { done: 'Add-on removed', onDone: () => go(back) });
  if (!may('material.delete')) return null;
  return (
    <>
      <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}>Remove</Button>
      <ConfirmDialog open={asking} danger title={`Remove ${row.name}?`} confirm="Remove add-on"
        text="It is no longer offered. Licences that have it keep it." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: row.id } }); }} />
    </>
  );
}

function AddOnForm({ showId, row, onSaved }: { showId: number; row: AddOnRow | null; onSaved: () => void }) {
  const may = useMay();
  const mayWrite = may(row ? 'material.update' : 'material.create');
  const form = useResourceForm<Record<string, unknown>, unknown>({
    initial: formValues(fields, row),
    submit: (values) => {
      const body = bodyValues(fields, values);
      return row
        ? call(addOnEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } as never })
        : call(addOnEndpoints.create, { body: { ...body, show_id: showId } as never });
    },
    onSaved,
  });
  const disabled = mayWrite ? [] : Object.keys(fields);
  const show = fieldsOf(form, fields, { ...WORDS, disabled });
  const priced = (currency: string) => fieldsOf(form, fields, { ...WORDS, disabled, currency });
  return (
    <FormFrame form={form} labels={labelsOf(fields)} guard={row !== null}>
      <FormGrid>
        {show('name')}{show('key')}{show('kind')}{show('pricing_model')}
        {form.values.pricing_model === 'percent_stream_gross' ? show('rate_ppm') : (
          <>
            {priced('USD')('price_usd_minor')}{priced('EUR')('price_eur_minor')}{priced('GBP')('price_gbp_minor')}
          </>
        )}
        {show('item_class')}{show('income_type')}{show('divisions')}{show('categories')}
        {show('available_from')}{show('available_to')}
      </FormGrid>
      {show('description')}{show('terms_text')}{show('mandatory_program_text')}
      {show('royalty_bearing')}{show('requires_clearance')}{show('active')}
      {mayWrite && (
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Save add-on</Button></FormActions>
      )}
    </FormFrame>
  );
}
