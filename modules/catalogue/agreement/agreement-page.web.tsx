/** The page of one agreement: its terms in the order in which they are tried, and its conditions. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ADVANCES, AGREEMENT_STATUS, royaltorSource } from '../catalogue-labels.web.ts';
import styles from '../catalogue.module.css';
import { RowsEditor } from '../rows-editor.web.tsx';
import { useFamily } from '../show/show-family.web.ts';
import { ROLE_LABELS, agreement, agreementEndpoints, type AgreementRow } from './agreement.contract.ts';
import { BroughtForward } from './brought-forward.web.tsx';
import { CrossGroup } from './cross-group.web.tsx';
import { Terms } from './terms.web.tsx';

const WORDS = { choices: {
  role: ROLE_LABELS, currency: { USD: 'USD', EUR: 'EUR', GBP: 'GBP' },
  status: { draft: 'Draft', active: 'In force', ended: 'Ended' },
  accrual_basis: { on_receipt: 'When the customer has paid', on_invoice: 'When it is invoiced',
    on_close: 'When the booking closes' },
  date_basis: { performance: 'Day of the performance', receipt: 'Day of the payment' },
  royalty_presentation: { gross: 'Gross: the whole fee is income', net: 'Net: our commission is income' },
  agent_pays: { split_payment: 'His part, beside the royaltor', all_to_agent: 'The whole, as payee' },
} };

export default function AgreementPage() {
  const family = useFamily();
  const may = useMay();
  const showId = useIdParam('id');
  const id = useIdParam('royaltorId');
  const back = `${family.path}/${showId}/royaltors`;
  const read = useEndpoint(agreementEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if ((read.isError && !row) || (row && row.show_id !== showId)) {
    return <RecordProblem noun="agreement" list={back} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.royaltor_name ?? 'Agreement'} back={back}
        crumbs={row && [{ label: row.show_title, href: back }, { label: `Agreement of ${row.royaltor_name}` }]}
        activity={row && { entity: 'show_royaltor', id: row.id }}
        badges={row && <Badge tone={AGREEMENT_STATUS[row.status]!.tone}>{AGREEMENT_STATUS[row.status]!.label}</Badge>}
        waiting={!row}
        subtitle={row && [ROLE_LABELS[row.role],
          <AppLink key="show" href={`${family.path}/${showId}/information`}>{row.show_title}</AppLink>,
          <AppLink key="royaltor" href={`/admin/royaltors/${row.royaltor_id}`}>
            <CodeText>{row.royaltor_number}</CodeText>
          </AppLink>,
          row.contract_no && `Contract ${row.contract_no}`,
          may('show_royaltor.list') && (
            <AppLink key="advances" href={`${ADVANCES}?show_royaltor_id=${row.id}`}>Advances</AppLink>
          )]}>
        {row && <Force row={row} back={back} />}
      </PageHeader>
      <PageContent record>
        {row ? (
          <>
            {row.status === 'draft' && (
              <Callout tone="info" title="A draft: nothing accrues under it yet">
                Add its terms, then put it in force. Together with the other agreements it never promises more than
                100%.
              </Callout>
            )}
            <Terms row={row} />
            <CrossGroup row={row} />
            <AgreementForm key={row.id} row={row} />
          </>
        ) : <Skeleton width={420} height={16} />}
      </PageContent>
    </>
  );
}

/** Puts a draft in force, ends what is in force, removes a draft. */
function Force({ row, back }: { row: AgreementRow; back: string }) {
  const may = useMay();
  const { go } = useNavigation();
  const [asking, setAsking] = useState<'end' | 'remove' | null>(null);
  const update = useAction(agreementEndpoints.update, {
    refresh: [agreementEndpoints.matrix],
    done: ({ data }) => data.status === 'active' ? 'In force' : 'Ended',
    onFailure: (failure) => toast(failure.fields.status?.[0] ?? failure.message, { tone: 'error' }),
  });
  const remove = useAction(agreementEndpoints.remove, { done: 'Agreement removed', onDone: () => go(back) });
  const to = (status: 'active' | 'ended') =>
    void update.run({ params: { id: row.id }, body: { status, version: row.version } });
  return (
    <>
      {row.status !== 'active' && may('show_royaltor.delete') && (
        <Button variant="quiet" pending={remove.pending} onClick={() => setAsking('remove')}>Remove</Button>
      )}
      {row.status === 'active' && may('show_royaltor.update') && (
        <Button pending={update.pending} onClick={() => setAsking('end')}>End agreement</Button>
      )}
      {row.status !== 'active' && may('show_royaltor.update') && (
        <Button variant="primary" pending={update.pending} onClick={() => to('active')}
          reason={row.term_count === 0 ? 'Add a term first' : undefined}>Put in force</Button>
      )}
      <ConfirmDialog open={asking === 'end'} danger title="End this agreement?" confirm="End agreement"
        text="New income is no longer shared under it. What accrued stays owed." onCancel={() => setAsking(null)}
        onConfirm={() => { setAsking(null); to('ended'); }} />
      <ConfirmDialog open={asking === 'remove'} danger title="Remove this agreement?" confirm="Remove agreement"
        text="Its terms go with it." onCancel={() => setAsking(null)}
        onConfirm={() => { setAsking(null); void remove.run({ params: { id: row.id } }); }} />
    </>
  );
}

function AgreementForm({ row }: { row: AgreementRow }) {
  const may = useMay()('show_royaltor.update');
  const refresh = useRefresh([agreementEndpoints.list, agreementEndpoints.matrix]);
  const { fields } = agreement;
  const form = useResourceForm<Record<string, unknown>, unknown>({
    initial: formValues(fields, row),
    record: { entity: 'show_royaltor', id: row.id, version: row.version, read: agreementEndpoints.show },
    submit: (values) => {
      const { show_id: _s, royaltor_id: _r, status: _t, ...body } = bodyValues(fields, values);
      const schedule = (values.reserve_schedule_ppm as (number | null)[]).map((part) => part ?? 0);
      return call(agreementEndpoints.update, { params: { id: row.id },
        body: { ...body, reserve_schedule_ppm: schedule, version: row.version } });
    },
    onSaved: () => { toast('Agreement saved'); void refresh(); },
    draftKey: `agreement/${row.id}`,
  });
  const show = fieldsOf(form, fields, { ...WORDS, disabled: !may ? Object.keys(fields)
    : row.opening_transaction_id === null ? []
      : ['opening_unrecouped_minor', 'opening_on', 'payer_division', 'currency'],
    sources: { agent_royaltor_id: royaltorSource }, selected: { agent_royaltor_id: row.agent_name },
    currency: String(form.values.currency) });
  const parts = form.values.reserve_schedule_ppm as (number | null)[];
  return (
    <FormFrame form={form} labels={labelsOf(fields)}>
      <Section title="The agreement">
        <FormGrid>
          {show('role')}{show('share_label')}{show('contract_no')}{show('signed_on')}
          {show('term_from')}{show('term_to')}{show('territory')}{show('payer_division')}{show('currency')}
        </FormGrid>
      </Section>
      <Section title="Accrual and payment">
        <FormGrid>
          {show('accrual_basis')}{show('date_basis')}{show('royalty_presentation')}{show('min_payout_minor')}
          {show('annual_minimum_minor')}
          {show.others('status', 'agent_ppm', 'agent_pays', 'opening_unrecouped_minor', 'opening_on')}
        </FormGrid>
        <div className={styles.after}>
        <RowsEditor label="Release of reserves" add="Add period" rows={parts} disabled={!may}
          error={form.errors.reserve_schedule_ppm}
          caption="Reserves are released over the following periods; the total must be 100%."
          onChange={(rows) => form.set('reserve_schedule_ppm', rows)} blank={() => 0}>
          {(i) => (
            <PercentField label={`Period ${i + 1}`} disabled={!may} {...form.field(`reserve_schedule_ppm.${i}`) as {
              value: number | null; onChange: (value: number | null) => void }} />
          )}
        </RowsEditor>
        </div>
      </Section>
      <Section title="Agent">
        <FormGrid>{show('agent_royaltor_id')}{show('agent_ppm')}{show('agent_pays')}</FormGrid>
      </Section>
      <BroughtForward row={row} form={form} show={show} mayWrite={may} />
      {may && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Save agreement</Button>
        </FormActions>
      )}
    </FormFrame>
  );
}
