/** A revaluation before it is asked for, and one that was. */
import { Check } from 'lucide-react';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { Callout } from '#web/data/callout.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam, useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { itemColumns, lineColumns, lineKey, REVALUATIONS, RevaluationBadge } from './revaluation-words.web.tsx';
import { revaluationEndpoints, type RevaluationLine, type RevaluationPreview } from './revaluation.contract.ts';

type Detail = ResponseOf<typeof revaluationEndpoints.show>['data'];
const STALE = [approvalEndpoints.list, revaluationEndpoints.list, revaluationEndpoints.preview];
const journal = (id: number): string => `/admin/accounting/transactions/${id}/journal-entries`;

/** Why it cannot be asked for now. */
function blockOf(preview: RevaluationPreview): string | undefined {
  if (preview.missing.length > 0) return 'A rate of this day is missing';
  if (preview.existing?.status === 'waiting') return 'A revaluation of this day waits for approval';
  if (preview.lines.every((line) => line.gain_minor === 0)) return 'Nothing differs from the rate of this day';
  return undefined;
}

function Notes({ preview }: { preview: RevaluationPreview }) {
  const { missing, existing, unreversed, currency, on } = preview;
  return (
    <>
      {missing.map((one) => (
        <Callout key={one.currency} tone="error" title={`No rate of ${one.currency} for ${formatDay(on)}`}>
          {one.last_on === null ? `No rate of ${one.currency} in ${currency} is known. `
            : `The last one is of ${formatDay(one.last_on)}. `}
          <AppLink className="gr-link" href="/admin/accounting/exchange-rates">Enter the rate</AppLink>
        </Callout>
      ))}
      {existing && (
        <Callout tone="info" title={existing.status === 'waiting' ? 'This day waits for approval'
          : 'This day is revalued'}>
          <AppLink className="gr-link" href={`${REVALUATIONS}/${existing.id}`}>Open the revaluation</AppLink>
          {existing.status === 'posted' && '. What changed since can be posted as a correction.'}
        </Callout>
      )}
      {unreversed.map((one) => (
        <Callout key={one.transaction_id} tone="error" title="An earlier revaluation was never taken back">
          <AppLink className="gr-link" href={journal(one.transaction_id)}>{formatDay(one.transaction_at)}</AppLink>
        </Callout>
      ))}
    </>
  );
}

function Lines({ lines, currency, missing }: { lines: readonly RevaluationLine[]; currency: string;
  missing: readonly { currency: string }[] }) {
  const readPage = useLoadedRows(lines);
  return (
    <DataTable label="Foreign balances" variant="record" columns={lineColumns(lines, currency)} rows={lines}
      readPage={readPage} rowKey={lineKey} totalLabel="Total" searchable={false}
      empty={missing.length > 0
        ? { title: `Balances in ${missing.map((one) => one.currency).join(', ')} wait for their rate`,
          text: 'They appear here once the rate of the day is entered.' }
        : { title: 'No foreign balances', text: 'Nothing was open in another currency on this day.' }} />
  );
}

function Items({ preview }: { preview: RevaluationPreview }) {
  const readPage = useLoadedRows(preview.items);
  if (preview.items.length === 0) return null;
  return (
    <Section title="Open documents" count={preview.items.length + preview.more_items}
      description="Each with its part of the gain or loss of its line.">
      <DataTable label="Open documents" variant="record" columns={itemColumns(preview.currency)} rows={preview.items}
        readPage={readPage} rowKey={(row) => row.open_item_id} searchable={false}
        rowHref={(row) => journal(row.transaction_id)} empty={{ title: 'No open documents' }} />
      {preview.more_items > 0 && <p>{`${preview.more_items} more are not listed.`}</p>}
    </Section>
  );
}

export function RevaluationCreate() {
  const [division] = useDivision();
  const may = useMay();
  const { go } = useNavigation();
  const { values, set } = useQueryValues();
  const on = values.get('on');
  const read = useEndpoint(revaluationEndpoints.preview, { query: { division, ...(on ? { on } : {}) } });
  const preview = read.data?.data;
  const ask = useAction(revaluationEndpoints.create, { refresh: STALE, done: 'Another person can post it now',
    onDone: ({ data }) => go(`${REVALUATIONS}/${data.id}`, { replace: true }) });
  return (
    <>
      <PageHeader title="Revalue a month" back={REVALUATIONS} division
        subtitle={preview ? [preview.currency, `Taken back on ${formatDay(preview.reversed_on)}`]
          : [<Skeleton key="waiting" width={180} />]}>
        {preview && may('transaction.update') && (
          <Button variant="primary" pending={ask.pending} reason={blockOf(preview)}
            onClick={() => void ask.run({ body: { division, on: preview.on } })}>
            {`Request ${formatAmount(preview.gain_minor, preview.currency)}`}
          </Button>
        )}
      </PageHeader>
      <PageContent record fullWidth>
        <DateField label="Month end" value={on ?? preview?.on ?? null} onChange={(day) => set({ on: day })} />
        {read.isError && <NotLoaded title="The balances could not be read" read={read} />}
        {preview && (
          <>
            <Notes preview={preview} />
            <Lines lines={preview.lines} currency={preview.currency} missing={preview.missing} />
            <Items preview={preview} />
          </>
        )}
      </PageContent>
    </>
  );
}

function Actions({ row }: { row: Detail }) {
  const may = useMay();
  const user = useCurrentUser();
  const approve = useAction(revaluationEndpoints.approve, { refresh: STALE, done: 'Revaluation posted' });
  const withdraw = useAction(revaluationEndpoints.withdraw, { refresh: STALE, done: 'Revaluation withdrawn' });
  if (row.status !== 'waiting' || !may('transaction.update')) return null;
  const call = { params: { id: row.id }, body: { version: row.version } };
  if (user?.id === row.requested_by_id) {
    return <Button pending={withdraw.pending} onClick={() => void withdraw.run(call)}>Withdraw</Button>;
  }
  return (
    <>
      <DeclineButton endpoint={revaluationEndpoints.decline} params={{ id: row.id }} body={{}} refresh={STALE}
        title={`Revaluation on ${formatDay(row.revalued_on)}`} size="regular"
        text="Nothing is posted. The person who asked sees the reason." />
      <Button variant="primary" icon={<Glyph icon={Check} size={16} />} pending={approve.pending}
        onClick={() => void approve.run(call)}>{`Post ${formatAmount(row.gain_minor, row.currency)}`}</Button>
    </>
  );
}

function Facts({ row }: { row: Detail }) {
  return (
    <Section title="About this revaluation">
      <KeyValue facts={[
        { label: 'Requested by', value: <>{row.requested_by_name}, <DateText value={row.requested_at} /></> },
        row.decided_at !== null && { label: 'Decided by',
          value: <>{row.decided_by_name}, <DateText value={row.decided_at} /></> },
        row.decline_reason !== '' && { label: 'Reason', value: row.decline_reason },
        row.corrects_id !== null && { label: 'Corrects',
          value: <AppLink className="gr-link" href={`${REVALUATIONS}/${row.corrects_id}`}>The former one</AppLink> },
        row.transaction_id !== null && { label: 'Posted as',
          value: <AppLink className="gr-link" href={journal(row.transaction_id)}>{row.transaction_id}</AppLink> },
        row.reversal_id !== null && { label: 'Taken back as',
          value: <AppLink className="gr-link" href={journal(row.reversal_id)}>{row.reversal_id}</AppLink> },
      ]} />
    </Section>
  );
}

export function RevaluationPage() {
  const id = useIdParam('revaluationId');
  const read = useEndpoint(revaluationEndpoints.show, { params: { id } });
  const row = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !row) {
    return <RecordProblem noun="revaluation" list={REVALUATIONS} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row ? `Revaluation on ${formatDay(row.revalued_on)}` : 'Revaluation'} back={REVALUATIONS}
        waiting={!row} activity={row && { entity: 'revaluation', id: row.id }}
        badges={row && <RevaluationBadge status={row.status} />}
        subtitle={row && [DIVISION_LABELS[row.division], formatAmount(row.gain_minor, row.currency)]}>
        {row && <Actions row={row} />}
      </PageHeader>
      <PageContent record fullWidth>
        {!row && [420, 520, 380].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        {row?.status === 'waiting' && (
          <AwaitingApproval endpoint={approvalEndpoints.approvers} kind="revaluation" askedBy={row.requested_by_name}
            askedById={row.requested_by_id} />)}
        {row && <Lines lines={row.lines} currency={row.currency} missing={[]} />}
        {row && <Facts row={row} />}
      </PageContent>
    </>
  );
}
