/** One bank transaction: what the bank wrote, its match, its files and notes; the page that enters one by hand. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useIdParam, useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { BANK_ACCOUNTS, BANK_TRANSACTIONS, MATCHING, STATEMENTS } from '../banking-tabs.ts';
import { lineText } from '../statement/statement-words.web.tsx';
import { bankTransactionEndpoints, type BankTransactionDetail } from './bank-transaction.contract.ts';
import { LineFiles } from './line-files.web.tsx';
import { ManualForm, NoteForm } from './transaction-form.web.tsx';
import { SOURCE_WORDS, transactionBadge } from './transaction-words.web.tsx';

export function BankTransactionCreate() {
  const { go } = useNavigation();
  const { values } = useQueryValues();
  return (
    <>
      <PageHeader title="New bank transaction" back={BANK_TRANSACTIONS}
        subtitle="For a bank that sends no file. A statement that brings the same line later asks about it" />
      <PageContent record>
        <ManualForm row={null} mayWrite account={Number(values.get('bank_account_id')) || null} onSaved={(row) => {
          toast(`${formatAmount(row.amount_minor, row.currency)} on ${formatDay(row.booked_on)} was entered`);
          go(`${BANK_TRANSACTIONS}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function BankTransactionPage() {
  const may = useMay();
  const id = useIdParam('bankTransactionId');
  const read = useEndpoint(bankTransactionEndpoints.show, { params: { id } });
  const row = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !row) {
    return <RecordProblem noun="bank transaction" list={BANK_TRANSACTIONS} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row ? lineText(row) : 'Bank transaction'} back={BANK_TRANSACTIONS} waiting={!row}
        activity={row && { entity: 'bank_transaction', id: row.id }} badges={row && transactionBadge(row)}
        subtitle={row && factsOf(row, may)}>
        {row?.source === 'manual' && may('bank_transaction.delete') && <TrashLine row={row} />}
        {row?.state === 'booked' && row.deleted_at === null && (
          <ButtonLink href={`${MATCHING}?bank_account_id=${row.bank_account_id}&line=${row.id}`}>
            {row.match === null ? 'Match' : 'Show match'}
          </ButtonLink>
        )}
      </PageHeader>
      <PageContent record fullWidth>
        {row ? <Body row={row} /> : [240, 420, 360].map((width) => (
          <p key={width}><Skeleton width={width} height={16} /></p>))}
      </PageContent>
    </>
  );
}

function factsOf(row: BankTransactionDetail, may: ReturnType<typeof useMay>) {
  const statement = row.statement_number === null ? 'Statement' : `Statement ${row.statement_number}`;
  return [
    may('bank_account.show') ? <AppLink key="account" className="gr-link"
      href={`${BANK_ACCOUNTS}/${row.bank_account_id}`}>{row.bank_account_name}</AppLink> : row.bank_account_name,
    <DateText key="day" value={row.booked_on} />,
    row.bank_statement_id === null ? `Entered by ${row.created_by_name ?? 'a person'}`
      : <AppLink key="statement" className="gr-link" href={`${STATEMENTS}/${row.bank_statement_id}`}>
        {row.statement_to_on === null ? statement : `${statement} to ${formatDay(row.statement_to_on)}`}</AppLink>,
  ];
}

function TrashLine({ row }: { row: BankTransactionDetail }) {
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useAction(bankTransactionEndpoints.remove, { done: 'Moved to the trash',
    onDone: () => go(BANK_TRANSACTIONS) });
  return (
    <>
      <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}
        reason={row.is_matched ? 'Undo its match first' : undefined}>Move to trash</Button>
      <ConfirmDialog open={asking} danger title="Move this bank transaction to the trash?" confirm="Move to trash"
        text="The bank balance no longer counts it. It can be restored from the trash."
        onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: row.id } }); }} />
    </>
  );
}

function Body({ row }: { row: BankTransactionDetail }) {
  const may = useMay();
  const mayWrite = may('bank_transaction.update');
  return (
    <>
      <StatStrip label="Amount" stats={[
        { label: row.amount_minor < 0 ? `Money out, ${row.currency}` : `Money in, ${row.currency}`, strong: true,
          value: <Money minor={row.amount_minor} /> },
        ...(row.balance_minor === null ? []
          : [{ label: 'Balance after this line', value: <Money minor={row.balance_minor} /> }]),
        { label: 'Source', value: SOURCE_WORDS[row.source] },
      ]} />
      <Match row={row} />
      {row.source === 'manual'
        ? <ManualForm key={row.id} row={row} mayWrite={mayWrite} account={null}
          onSaved={() => toast('Bank transaction saved')} />
        : <BankWords row={row} />}
      {row.source === 'statement' && (row.note !== '' || mayWrite) && (
        <NoteForm key={`note ${row.id}`} row={row} mayWrite={mayWrite} />)}
      <LineFiles row={row} mayWrite={mayWrite} />
    </>
  );
}

type Entry = NonNullable<BankTransactionDetail['match']>['entries'][number];
const MADE_BY = { person: 'Matched by', rule: 'Matched by a rule', auto: 'Matched automatically' } as const;

function Match({ row }: { row: BankTransactionDetail }) {
  const may = useMay();
  if (row.state !== 'booked') {
    return <Callout tone="info">{row.state === 'advance' ? 'The bank announced this line. It waits for the statement '
      + 'of the day and does not count until then.' : 'The statement of the day has this line. It does not count '
      + 'again here.'}</Callout>;
  }
  if (row.match === null) {
    return <Callout tone="warn" title="Unmatched">No ledger entry is matched with this line.</Callout>;
  }
  const { match } = row;
  const columns: readonly Column<Entry>[] = [
    { id: 'day', header: 'Date', kind: 'date', cell: (entry) => entry.transaction_at, width: 120 },
    { id: 'description', header: 'Description', kind: 'title', cell: (entry) => entry.description, width: 320 },
    { id: 'number', header: 'Number', kind: 'code', cell: (entry) => entry.transaction_number, width: 160 },
    { id: 'amount', header: 'Amount', kind: 'money', cell: (entry) => BigInt(entry.amount_minor), width: 140 },
  ];
  return (
    <Section title="In the ledger" description={<>
      {MADE_BY[match.made_by]}{match.made_by === 'person' && ` ${match.made_by_name ?? 'a person'}`}
      {', '}<DateText value={match.created_at} />
    </>}>
      <DataTable label="Matched lines of the ledger" variant="record" columns={columns} rows={match.entries}
        rowKey={(entry) => entry.id} searchable={false} {...(may('transaction.view') ? {
          rowHref: (entry: Entry) => `/admin/accounting/transactions/${entry.transaction_id}` } : {})} />
    </Section>
  );
}

type Part = BankTransactionDetail['details'][number] & { key: number };
const partColumns: readonly Column<Part>[] = [
  { id: 'text', header: 'Text', kind: 'title', cell: lineText, width: 360 },
  { id: 'reference', header: 'Reference', kind: 'code', cell: (part) => part.reference, width: 160 },
  { id: 'amount', header: 'Amount', kind: 'money', width: 140,
    cell: (part) => (part.amount_minor === null ? '' : BigInt(part.amount_minor)) },
];

function BankWords({ row }: { row: BankTransactionDetail }) {
  const fact = (label: string, value: string | null) => value !== null && value !== '' && { label, value };
  const code = (label: string, value: string | null) => value !== null && value !== ''
    && { label, value: <CodeText>{value}</CodeText> };
  return (
    <Section title="From the bank" description="The bank wrote this, and it never changes.">
      <KeyValue facts={[fact('Name', row.name), row.memo !== '' && { label: 'Text', value: row.memo, wide: true },
        code('Reference', row.reference), code('End-to-end reference', row.end_to_end_id),
        code(spell`Check number`, row.check_number), code('Other account', row.counterparty_account),
        code('Reference of the bank', row.bank_reference), fact('Kind at the bank', row.type),
        row.value_on !== null && { label: 'Value date', value: <DateText value={row.value_on} /> },
        row.original !== null && { label: 'Instructed as',
          value: <Badge tone="outline" small>{`${row.original.currency} ${row.original.amount}`}</Badge> }]} />
      {row.details.length > 0 && (
        <DataTable label="Parts of this sum" variant="record" columns={partColumns} searchable={false}
          rows={row.details.map((part, key) => ({ ...part, key }))} rowKey={(part) => part.key} />
      )}
    </Section>
  );
}
