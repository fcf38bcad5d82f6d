/** One transaction: its lines, where it comes from, and its reversal. */
import { useState } from 'react';
import { bookPeriodInWords } from '#kernel/calendar/calendar.ts';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay, formatInstant } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { undoable } from '#web/data/toast.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam, useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import type { ReactNode } from 'react';
import { debitCredit } from '../debit-credit.web.ts';
import { awaitsSecond, ClosingEntryDecision, ClosingEntryWaits } from './closing-entry.web.tsx';
import { DOCUMENTS, nameOf, pageOf } from './transaction-document.contract.ts';
import { numberOf, STATUS } from './transaction-list.web.tsx';
import { transactionEndpoints } from './transaction.contract.ts';

type Transaction = ResponseOf<typeof transactionEndpoints.show>['data'];
type Entry = Transaction['journal_entries'][number];

const BASE = '/admin/accounting/transactions';
const LEDGER = '/admin/accounting/general-ledger';
const hrefOf = (id: number) => `${BASE}/${id}/journal-entries`;

/** The account and days of the ledger that led here: the way back and further lines keep them. */
function useLedgerSpan(): { query: string; dates: Record<string, string>; account: string | null } {
  const { values } = useQueryValues();
  const of = (names: readonly string[]) => Object.fromEntries(names.flatMap((name) => {
    const value = values.get(name);
    return value ? [[name, value]] : [];
  }));
  const query = new URLSearchParams(of(['division', 'account', 'from', 'as_of'])).toString();
  return { query: query && `?${query}`, dates: of(['from', 'as_of']), account: values.get('account') };
}

function Frame({ children }: { children: (row: Transaction) => ReactNode }) {
  const id = useIdParam('transactionId');
  const read = useEndpoint(transactionEndpoints.show, { params: { id } });
  const row = read.data?.data;
  const { query, account } = useLedgerSpan();
  if (read.isError && !row) {
    return <RecordProblem noun="transaction" list={BASE} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const document = row?.document;
  const title = row ? row.description || row.kind_name : 'Transaction';
  return (
    <>
      <PageHeader
        title={title}
        back={account ? `${LEDGER}${query}` : row ? `${BASE}?division=${row.division}` : BASE}
        activity={row && { entity: 'transaction', id: row.id }}
        tabs={[
          { id: 'entries', text: 'Journal entries', href: `${hrefOf(id)}${query}` },
          { id: 'information', text: 'Information', href: `${BASE}/${id}/information${query}` },
        ]}
        badges={row && <Badge tone={STATUS[row.status].tone}>{STATUS[row.status].label}</Badge>}
        subtitle={
          row && [
            <CodeText key="n">{numberOf(row)}</CodeText>,
            row.division,
            formatDay(row.transaction_at),
            row.kind_name,
            document && <AppLink key="document" className="gr-link" href={pageOf(document)}>
              {`Open ${DOCUMENTS[document.kind].name.toLowerCase()}`}
            </AppLink>,
          ]
        }
      >
        {row && <Actions row={row} />}
      </PageHeader>
      {!row && (
        <PageContent record>
          <Skeleton width={420} height={18} />
        </PageContent>
      )}
      {row && awaitsSecond(row) && <ClosingEntryWaits row={row} />}
      {row && children(row)}
    </>
  );
}

function Actions({ row }: { row: Transaction }) {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const post = useAction(transactionEndpoints.post, { done: 'Posted' });
  const discard = useAction(transactionEndpoints.void, { done: 'Voided' });
  if (!may('transaction.update')) return null;
  if (row.status === 'draft') {
    const run = { params: { id: row.id }, body: { version: row.version } };
    return (
      <>
        <Button pending={discard.pending} onClick={() => setAsking(true)}>Void draft</Button>
        <ConfirmDialog open={asking} danger title="Void this draft?" confirm="Void draft" typed="VOID"
          text="It stays on record and is never posted. To have it back later, move it to the trash instead."
          onCancel={() => setAsking(false)} onConfirm={() => { setAsking(false); void discard.run(run); }} />
        <TrashButton row={row} />
        {row.kind === 'journal' && <ButtonLink href={`${BASE}/${row.id}/edit`}>Change</ButtonLink>}
        {awaitsSecond(row) ? <ClosingEntryDecision row={row} /> : (
          <Button variant="primary" pending={post.pending} onClick={() => void post.run(run)}
            reason={row.has_posting_discrepencies ? 'Debits and credits differ, or a line lacks something' : undefined}>
            Post journal
          </Button>
        )}
      </>
    );
  }
  if (!row.is_reversible) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>Reverse</Button>
      <ReverseForm row={row} open={asking} onClose={() => setAsking(false)} />
    </>
  );
}

/** Only what was never posted goes to the trash, from where it comes back as it was. */
function TrashButton({ row }: { row: Transaction }) {
  const may = useMay();
  const { go } = useNavigation();
  const refresh = useRefresh([transactionEndpoints.list]);
  const remove = useAction(transactionEndpoints.remove, { onDone: () => {
    undoable('Moved to the trash', async () => {
      await call(transactionEndpoints.restore, { params: { id: row.id } });
      void refresh();
    });
    go(`${BASE}?division=${row.division}`);
  } });
  if (!may('transaction.delete')) return null;
  return (
    <Button pending={remove.pending} onClick={() => void remove.run({ params: { id: row.id } })}>Move to trash</Button>
  );
}

function ReverseForm({ row, open, onClose }: { row: Transaction; open: boolean; onClose: () => void }) {
  const { go } = useNavigation();
  const [reason, setReason] = useState('');
  const [day, setDay] = useState<string | null>(null);
  const reverse = useAction(transactionEndpoints.reverse, {
    done: 'Reversed', onFailure: () => {}, onDone: ({ data }) => { onClose(); go(hrefOf(data.id)); } });
  const errors = reverse.failure?.fields ?? {};
  return (
    <Modal open={open} onClose={onClose} title={`Reverse ${numberOf(row)}?`} footer={(
      <>
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" pending={reverse.pending} onClick={() => void reverse.run({ params: { id: row.id },
          body: { reason, ...(day ? { transaction_at: day } : {}) } })}>Post the reversal</Button>
      </>
    )}>
      <p>The mirror of every line is posted; both transactions stay in the books.</p>
      {reverse.failure && Object.keys(errors).length === 0 && <p role="alert">{reverse.failure.message}</p>}
      <TextField label="Reason" required value={reason} onChange={setReason} error={errors.reason?.[0]} />
      <DateField label="Dated" caption="Today unless you say otherwise" value={day} onChange={setDay}
        error={errors.transaction_at?.[0]} />
    </Modal>
  );
}

const columns: readonly Column<Entry>[] = [
  {
    id: 'account',
    header: 'Account',
    kind: 'title',
    width: 280,
    cell: (row) => `${row.account_code} ${row.account_name}`,
  },
  {
    id: 'party',
    header: 'Party',
    kind: 'muted',
    width: 200,
    cell: (row) =>
      row.party_type === null ? null : (row.party_name ?? `${row.party_type.replace('_', ' ')} ${row.party_id}`),
  },
  { id: 'memo', header: 'Memo', kind: 'muted', cell: (row) => row.memo, width: 180 },
  {
    id: 'foreign',
    header: 'Currency amount',
    kind: 'muted',
    hidden: true,
    cell: (row) => (row.fx_rate === null ? null : `${row.currency} at ${row.fx_rate}`),
  },
  ...debitCredit<Entry>(),
];

const sumOf = (rows: readonly Entry[], side: 'debit_minor' | 'credit_minor') =>
  rows.reduce((sum, row) => sum + BigInt(row[side]), 0n);

export function TransactionEntries() {
  const { dates } = useLedgerSpan();
  return (
    <Frame>
      {(row) => (
        <DataTable label="Journal entries" variant="ledger" rowKey={(entry) => entry.id} rows={row.journal_entries}
          totalLabel="Total" rowHref={(entry) => `${LEDGER}?${new URLSearchParams({
            division: row.division, account: entry.account_code, ...dates })}`}
          columns={columns.map((column) => column.id === 'debit' || column.id === 'credit' ? { ...column,
            total: sumOf(row.journal_entries, column.id === 'debit' ? 'debit_minor' : 'credit_minor') } : column)} />
      )}
    </Frame>
  );
}

/** A name of the wire as the start of a line. */
const wordOf = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

/** A value that is not there has no label either. */
function fact(label: string, value: ReactNode) {
  return value ? { label, value } : false;
}

/** Source of a posting that has no known page. */
const sourceWords = (row: Transaction): string => (row.source_type === null ? 'Written by hand'
  : `${wordOf(row.source_type)} ${row.source_id}`);

export function TransactionInformation() {
  return (
    <Frame>
      {(row) => (
        <PageContent record>
          <KeyValue facts={[
            { label: 'Kind', value: row.kind_name },
            { label: 'Posted from', value: row.document
              ? <AppLink className="gr-link" href={pageOf(row.document)}>{nameOf(row.document)}</AppLink>
              : sourceWords(row) },
            fact('Reversal', row.status === 'posted' && row.document && DOCUMENTS[row.document.kind].way),
            fact('Event', row.source_event && wordOf(row.source_event)),
            { label: 'Period', value: bookPeriodInWords(row.period) },
            { label: 'Direction', value: wordOf(row.direction) },
            fact('Posted', row.posted_at && formatInstant(row.posted_at)),
            fact('Posted by', row.posted_by_name ?? (row.posted_at ? 'System' : '')),
            fact('Reverses', row.reverses_id
              && <AppLink className="gr-link" href={hrefOf(row.reverses_id)}>
                {row.reverses_number ?? row.reverses_id}</AppLink>),
            fact('Reversed by', row.reversed_by_id
              && <AppLink className="gr-link" href={hrefOf(row.reversed_by_id)}>
                {row.reversed_by_number ?? row.reversed_by_id}</AppLink>),
            fact('Reason', row.reversal_reason), fact('Memo', row.memo),
          ]} />
        </PageContent>
      )}
    </Frame>
  );
}
