/** One statement: its balances, what was wrong with its file, and its lines. */
import { useState } from 'react';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Money } from '#web/data/money.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { BANK_ACCOUNTS, BANK_TRANSACTIONS, MATCHING, STATEMENTS } from '../banking-tabs.ts';
import { bankStatementEndpoints, type BankStatementRow, type StatementLine } from './bank-statement.contract.ts';
import { TakeBackDialog } from './take-back-dialog.web.tsx';
import { FlagList, FORMAT_WORDS, kindBadge, lineBadge, lineText } from './statement-words.web.tsx';

const lineColumns: readonly Column<StatementLine>[] = [
  { id: 'position', header: 'Line', kind: 'number', cell: (row) => row.position, sort: true, width: 80 },
  { id: 'booked_on', header: 'Booked', kind: 'date', cell: (row) => row.booked_on, width: 120 },
  { id: 'text', header: 'Text', kind: 'title', cell: lineText, fixed: true, width: 360 },
  { id: 'reference', header: 'Reference', kind: 'code', cell: (row) => row.reference, width: 160 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 140 },
  { id: 'balance', header: 'Balance', kind: 'money', hidden: true, width: 140,
    cell: (row) => (row.balance_minor === null ? '' : BigInt(row.balance_minor)) },
  { id: 'details', header: 'Parts', kind: 'number', hidden: true, cell: (row) => row.details.length || '', width: 80 },
  { id: 'counterparty', header: 'Other account', kind: 'code', hidden: true, cell: (row) => row.counterparty_account
    ?? '' },
  { id: 'value_on', header: 'Value date', kind: 'date', hidden: true, cell: (row) => row.value_on ?? '', width: 120 },
  { id: 'state', header: 'Status', kind: 'badge', cell: lineBadge, width: 130 },
];

export default function StatementPage() {
  const may = useMay();
  const id = useIdParam('statementId');
  const [taking, setTaking] = useState(false);
  const read = useEndpoint(bankStatementEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="bank statement" list={STATEMENTS} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  const title = row?.number ? `Statement ${row.number}` : 'Bank statement';
  return (
    <>
      <PageHeader title={title} back={STATEMENTS} waiting={!row} badges={row && kindBadge(row)}
        activity={row && may('bank_account.show') ? { entity: 'bank_account', id: row.bank_account_id } : undefined}
        subtitle={row && [
          may('bank_account.show') ? <AppLink key="account" href={`${BANK_ACCOUNTS}/${row.bank_account_id}`}
            className="gr-link">{row.bank_account_name}</AppLink> : row.bank_account_name,
          row.currency, `${FORMAT_WORDS[row.format] ?? row.format}: ${row.file_name}`]}>
        {row?.taken_back_at === null && (
          <ButtonLink href={`${MATCHING}?bank_statement_id=${id}`}>Match lines</ButtonLink>)}
        {row?.taken_back_at === null && may('bank_transaction.delete') && (
          <ActionMenu label="Actions of the statement" actions={[
            { label: 'Take back import', danger: true, onSelect: () => setTaking(true) }]} />)}
      </PageHeader>
      <PageContent record fullWidth>
        {row?.take_back_reason != null && row.taken_back_at !== null && (
          <Callout tone="warn" title={`This import was taken back on ${formatDay(row.taken_back_at.slice(0, 10))}${
            row.taken_back_by_name ? ` by ${row.taken_back_by_name}` : ''}`}>
            {`${row.take_back_reason}. Its lines count nowhere. The file can be imported again.`}</Callout>)}
        {row ? <Facts row={row} />
          : [240, 420].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
        <Lines id={id} />
      </PageContent>
      {taking && row && <TakeBackDialog row={row} onClose={() => setTaking(false)} />}
    </>
  );
}

function Facts({ row }: { row: BankStatementRow }) {
  const balance = (minor: number | null) => (minor === null ? 'Not stated' : <Money minor={minor} />);
  return (
    <>
      <StatStrip label="Balances" stats={[
        { label: 'Opening balance', value: balance(row.opening_minor) },
        { label: 'Sum of lines', value: <Money minor={row.net_minor} /> },
        { label: `Closing balance, ${row.currency}`, value: balance(row.closing_minor), strong: true },
        { label: 'Period', value: row.from_on && row.to_on
          ? <><DateText value={row.from_on} /> to <DateText value={row.to_on} /></>
          : 'Not stated' },
      ]} />
      {row.flags.length > 0 && (
        <Callout tone={row.flags.some(({ flag }) => flag === 'balance_mismatch' || flag === 'gap') ? 'warn' : 'info'}
          title="About this file"><FlagList flags={row.flags} /></Callout>
      )}
      {row.new_count < row.line_count && (
        <Callout tone="info">
          {`${row.line_count - row.new_count} of ${row.line_count} lines came with earlier files and stand there.`}
        </Callout>
      )}
    </>
  );
}

function Lines({ id }: { id: number }) {
  const list = useList(bankStatementEndpoints.lines, { params: { id } }, { prefix: 'l_', perPage: 50 });
  return (
    <Section title="Lines">
      <DataTable label="Lines of the statement" {...list} columns={lineColumns} rowKey={(line) => line.id}
        variant="record" searchPlaceholder="Name, text or reference"
        rowHref={(line) => `${BANK_TRANSACTIONS}/${line.id}`}
        empty={{ title: 'No lines', text: 'Every line in this file had been imported before.' }} />
    </Section>
  );
}
