/** One bank account: its balance, its number, its settings; the page that adds one. */
import { lazy, Suspense, useState } from 'react';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Callout } from '#web/data/callout.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip, type Stat } from '#web/layout/stat-strip.tsx';
import { TrashButton } from '#web/layout/trash-list.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { BANK_ACCOUNTS, BANK_TRANSACTIONS, BANKS, STATEMENTS } from '../banking-tabs.ts';
import { cashEndpoints } from '../cash/cash.contract.ts';
import { NumberForm, NUMBER_WORDS } from './account-number.web.tsx';
import { BankAccountForm } from './bank-account-form.web.tsx';
import { accountBadge } from './bank-account-list.web.tsx';
import { bankAccountEndpoints, type BankAccountRow } from './bank-account.contract.ts';
import { EntryForm } from './bank-entry.web.tsx';

const AccountCashSection = lazy(() => import('../cash/account-cash.web.tsx'));

export function BankAccountCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New bank account" back={BANK_ACCOUNTS} />
      <PageContent record>
        <BankAccountForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was added with ledger account ${row.ledger_code}`);
          go(`${BANK_ACCOUNTS}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function BankAccountPage() {
  const may = useMay();
  const id = useIdParam('bankAccountId');
  const refresh = useRefresh([bankAccountEndpoints.list]);
  const read = useEndpoint(bankAccountEndpoints.show, { params: { id } });
  const row = read.data?.data;
  // The chart stands above the form: come later, it would push the form down.
  const cash = useEndpoint(cashEndpoints.show, { params: { id } });
  if (read.isError && !row) {
    return <RecordProblem noun="bank account" list={BANK_ACCOUNTS} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Bank account'} back={BANK_ACCOUNTS} waiting={!row}
        activity={row && { entity: 'bank_account', id: row.id }} badges={row && accountBadge(row)}
        subtitle={row && [
          <AppLink key="bank" href={`${BANKS}/${row.bank_id}`} className="gr-link">{row.bank_name}</AppLink>,
          DIVISION_LABELS[row.division], row.currency]}>
        {row && <Actions row={row} />}
      </PageHeader>
      <PageContent record fullWidth>
        {row && !cash.isPending ? (
          <Suspense fallback={<Skeleton height={260} />}>
            <Balance row={row} />
            <AccountCashSection key={row.id} id={row.id} currency={row.currency} />
            <Numbers row={row} mayWrite={may('bank_account.update')} />
            <BankAccountForm key={row.id} row={row} mayWrite={may('bank_account.update')}
              onSaved={() => { toast('Bank account saved'); void refresh(); }} />
          </Suspense>
        ) : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

function Balance({ row }: { row: BankAccountRow }) {
  const may = useMay();
  const ledger = may('ledger_account.view')
    ? `/admin/accounting/chart-of-accounts/${row.ledger_account_id}/journals?division=${row.division}` : undefined;
  const foreign = row.currency !== row.functional_currency;
  return (
    <>
      {row.closed_on !== null && (
        <Callout tone="info" title="Closed">
          Closed on <DateText value={row.closed_on} />. It takes no more money; its postings stay.
        </Callout>
      )}
      <StatStrip label="Balance" stats={[
        { label: `Ledger balance, ${row.currency}`, strong: true, href: ledger,
          value: <Money minor={row.balance_minor} /> },
        ...(foreign ? [{ label: `At the rates posted, ${row.functional_currency}`,
          value: <Money minor={row.balance_base_minor} /> }] : []),
        ...bankStats(row, may),
        { label: 'Ledger account', value: <CodeText>{row.ledger_code}</CodeText>, href: ledger },
      ]} />
    </>
  );
}

/** Bank balance, and the bank lines still to be matched. */
function bankStats(row: BankAccountRow, may: ReturnType<typeof useMay>): Stat[] {
  if (row.bank_balance_minor === null) return [];
  const lists = may('bank_transaction.list');
  const statement = row.last_statement_id !== null && may('bank_transaction.show')
    ? `${STATEMENTS}/${row.last_statement_id}` : undefined;
  return [
    { label: 'Bank balance', value: <Money minor={row.bank_balance_minor} />, href: statement,
      note: row.last_statement_on === null ? 'No statement yet'
        : <>Statement to <DateText value={row.last_statement_on} /></> },
    { label: 'Unmatched lines', value: row.unmatched_count,
      href: lists ? `${BANK_TRANSACTIONS}?bank_account_id=${row.id}&matched=false` : undefined },
  ];
}

function Numbers({ row, mayWrite }: { row: BankAccountRow; mayWrite: boolean }) {
  const [writing, setWriting] = useState(false);
  const refresh = useRefresh([bankAccountEndpoints.list]);
  return (
    <Section title="Account number"
      description={row.bank_account_last4 === null
        ? 'Nothing is stored yet. The number is encrypted; only its last characters are shown.'
        : 'Stored encrypted and never shown again: only the last characters are.'}
      right={mayWrite && <Button size="small" onClick={() => setWriting(true)}>
        {row.bank_account_last4 === null ? 'Enter account number' : 'Change account number'}</Button>}>
      {row.bank_account_last4 !== null && row.number_kind !== null && (
        <KeyValue facts={[
          { label: NUMBER_WORDS[row.number_kind], value: <CodeText>{`•••• ${row.bank_account_last4}`}</CodeText> },
        ]} />
      )}
      {writing && (
        <NumberForm row={row} onClose={() => setWriting(false)} onSaved={() => {
          setWriting(false);
          void refresh();
          toast('Account number stored');
        }} />
      )}
    </Section>
  );
}

type OpenDialog = 'entry' | 'close' | null;

function Actions({ row }: { row: BankAccountRow }) {
  const may = useMay();
  const [doing, setDoing] = useState<OpenDialog>(null);
  const end = () => setDoing(null);
  const told = { refresh: [bankAccountEndpoints.list],
    onFailure: (failure: { message: string }) => { end(); toast(failure.message, { tone: 'error' }); } };
  const close = useAction(bankAccountEndpoints.close, { done: `${row.name} is closed`, ...told });
  const reopen = useAction(bankAccountEndpoints.reopen, { done: `${row.name} is open again`, ...told });
  const body = { params: { id: row.id }, body: { version: row.version } };
  const open = row.closed_on === null;
  const mayUpdate = may('bank_account.update');
  return (
    <>
      {open && may('transaction.update') && (
        <Button onClick={() => setDoing('entry')}>Record money in or out</Button>
      )}
      {mayUpdate && row.is_used && (
        <ActionMenu actions={[open
          ? { label: 'Close account', onSelect: () => setDoing('close') }
          : { label: 'Open account again', onSelect: () => void reopen.run(body) }]} />
      )}
      {may('bank_account.delete') && !row.is_used && (
        <TrashButton row={row} list={BANK_ACCOUNTS} endpoints={bankAccountEndpoints}
          text="Its ledger account goes with it. Both can be restored from the trash." />
      )}
      <ConfirmDialog open={doing === 'close'} title={`Close ${row.name}?`} confirm="Close account"
        text="Nothing can be posted to it from today. Its balance must be zero; earlier postings stay."
        pending={close.pending} onCancel={end} onConfirm={() => { end(); void close.run(body); }} />
      {doing === 'entry' && <EntryForm row={row} onClose={end} />}
    </>
  );
}
