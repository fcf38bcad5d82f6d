/**
 * Bank lines that are not matched at the left, what each may be matched with beside it. Keyboard first: J and K move,
 * Enter accepts the best suggestion, F finds, C creates, U undoes.
 */
import { useEffect, useRef, useState } from 'react';
import { Zap } from 'lucide-react';
import { Button } from '#web/controls/button/button.tsx';
import { Keys } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { isTyping, singleKeysOff } from '#web/data/use-row-keys.ts';
import { Columns } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { bankingTabs } from '../banking-tabs.ts';
import { lineText } from '../statement/statement-words.web.tsx';
import { transactionBadge } from '../transaction/transaction-words.web.tsx';
import { billsAmong, CreateDialog } from './create-dialog.web.tsx';
import { FindDialog } from './find-dialog.web.tsx';
import { MatchDrawer } from './match-drawer.web.tsx';
import { refusalOf, suggestionBody } from './matching-words.web.ts';
import { matchingEndpoints, type LineRule, type MatchableLine, type MatchSuggestion } from './matching.contract.ts';
import { UndoDialog } from './undo-dialog.web.tsx';
import styles from './matching.module.css';

const columns: readonly Column<MatchableLine>[] = [
  { id: 'booked_on', header: 'Booked', kind: 'date', cell: (row) => row.booked_on, sort: true, width: 110 },
  { id: 'text', header: 'Text', kind: 'title', cell: lineText, fixed: true, width: 340 },
  { id: 'reference', header: 'Reference', kind: 'code', cell: (row) => row.reference, width: 140, hideLast: true },
  { id: 'amount_minor', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), sort: true,
    width: 130 },
  { id: 'currency', header: 'Currency', kind: 'muted', cell: (row) => row.currency, width: 80 },
  { id: 'bank_account', header: 'Bank account', kind: 'muted', width: 170,
    cell: (row) => `${row.division}, ${row.bank_account_name}` },
  { id: 'state', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => transactionBadge({ ...row, state: 'booked', is_matched: row.bank_match_id !== null }) },
];

type OpenDialog = { what: 'find' | 'create'; line: MatchableLine; rule: LineRule | null }
  | { what: 'undo'; matchId: number } | null;

/** The line that is open, what it may be matched with, and what the keys and buttons do to it. */
function useMatching(mayMatch: boolean) {
  const list = useList(matchingEndpoints.lines, { query: { matched: 'false' } },
    { filters: ['bank_account_id', 'bank_statement_id', 'matched'], perPage: 50 });
  const { values } = useQueryValues();
  /** Opened at a line where another page leads here. */
  const [current, setCurrent] = useState<number | null>(Number(values.get('line')) || null);
  const [doing, setDoing] = useState<OpenDialog>(null);
  /** The match made last here: U takes it back at once. */
  const last = useRef<number | null>(null);
  const read = useEndpoint(matchingEndpoints.candidates, { params: { id: current ?? 0 } },
    { enabled: current !== null });
  const found = read.data?.data.line.id === current ? read.data.data : undefined;
  const rows = list.rows ?? [];
  const place = rows.findIndex((row) => row.id === current);
  const moveTo = (step: number) => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, place + step))];
    if (next) setCurrent(next.id);
  };
  /** Goes on to the line after the one that is done, which leaves the list. */
  const matched = (id: number, done: readonly number[]) => {
    last.current = id;
    toast('Matched');
    setDoing(null);
    const after = [...rows.slice(place + 1), ...rows.slice(0, Math.max(place, 0)).toReversed()]
      .find((row) => !done.includes(row.id));
    setCurrent(after?.id ?? null);
  };
  const match = useAction(matchingEndpoints.create, { refresh: [matchingEndpoints.lines],
    onDone: ({ data }) => matched(data.id, data.lines.map((line) => line.id)) });
  const accept = (of: MatchSuggestion) => {
    const refusal = refusalOf(of);
    if (refusal !== undefined) toast(refusal);
    else if (mayMatch) void match.run({ body: suggestionBody(of) });
  };
  const open = (what: 'find' | 'create') => {
    if (found && mayMatch && found.match === null) setDoing({ what, line: found.line, rule: found.rule });
  };
  const undo = () => {
    const matchId = found?.match?.id ?? last.current;
    if (matchId !== null && mayMatch) setDoing({ what: 'undo', matchId });
  };
  const undone = () => { last.current = null; setDoing(null); };
  return { list, current, setCurrent, doing, setDoing, found, error: read.error, pending: match.pending, moveTo,
    matched, accept, open, undo, undone };
}

export default function MatchingPage() {
  const may = useMay();
  const mayMatch = may('bank_transaction.update');
  const state = useMatching(mayMatch);
  const { list, current, doing, found, moveTo } = state;
  const end = () => state.setDoing(null);
  useMatchingKeys(doing === null, {
    j: () => moveTo(1), k: () => moveTo(-1), ArrowDown: () => moveTo(1), ArrowUp: () => moveTo(-1),
    Enter: () => {
      if (found?.suggestions[0] && found.match === null) state.accept(found.suggestions[0]);
      else if (current === null) moveTo(1);
    },
    f: () => state.open('find'), c: () => state.open('create'), u: state.undo,
  });
  return (
    <>
      <PageHeader title="Matching" tabs={bankingTabs(may)}
        subtitle="Match bank lines with invoices, bills, payments, and other ledger entries">
        {mayMatch && <AutoButton account={list.search.filters.bank_account_id} />}
      </PageHeader>
      <Columns side={current === null ? null : (
        <MatchDrawer found={found} error={state.error} pending={state.pending} mayMatch={mayMatch}
          onAccept={state.accept} onFind={() => state.open('find')} onCreate={() => state.open('create')}
          onUndo={state.undo} onClose={() => state.setCurrent(null)} />
      )}>
        <Lines list={list} current={current} onOpen={state.setCurrent} />
        <KeyHints />
      </Columns>
      {doing?.what === 'find' && <FindDialog line={doing.line} onMatched={state.matched} onClose={end} />}
      {doing?.what === 'create' && (
        <CreateDialog line={doing.line} rule={doing.rule} onMatched={state.matched} onClose={end}
          bills={billsAmong(found?.suggestions ?? [])} onAccept={state.accept} />
      )}
      {doing?.what === 'undo' && <UndoDialog matchId={doing.matchId} onClose={end} onUndone={state.undone} />}
    </>
  );
}

function Lines({ list, current, onOpen }: {
  list: ReturnType<typeof useList<typeof matchingEndpoints.lines>>; current: number | null;
  onOpen: (id: number) => void;
}) {
  const accounts = useEndpoint(bankAccountEndpoints.options, { query: {} });
  const filters = [
    { name: 'bank_account_id', label: 'Account', options: (accounts.data?.data ?? []).map((row) => ({
      value: String(row.id), label: `${row.name}, ${row.division}` })) },
    { name: 'matched', label: 'Status', options: [{ value: 'true', label: 'Matched' }] },
  ];
  return (
    <DataTable label="Bank lines" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
      current={current} onOpen={(row) => onOpen(row.id)} searchPlaceholder="Name, text or reference"
      empty={list.search.filters.matched === 'true' ? { title: 'No matched lines' }
        : { title: 'Every bank line is matched', text: 'Import a statement to bring new ones.' }} />
  );
}

const HINTS = [[['J', 'K'], 'move'], [['↵'], 'match'], [['F'], 'find'], [['C'], 'create entry'], [['U'], 'undo'],
] as const;

function KeyHints() {
  return (
    <p className={styles.keys}>
      {HINTS.map(([keys, words]) => <span key={words}><Keys keys={keys} />{words}</span>)}
    </p>
  );
}

/** Before the keys of the table: the panel follows the line. Off while someone types or a dialog is open. */
function useMatchingKeys(active: boolean, acts: Readonly<Record<string, () => void>>): void {
  const latest = useRef(acts);
  useEffect(() => { latest.current = acts; });
  useEffect(() => {
    if (!active) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const act = latest.current[event.key];
      if (!act || isTyping(event) || singleKeysOff()) return;
      const { target } = event;
      if (event.key === 'Enter' && target instanceof Element && target.closest('a, button')) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [active]);
}

/** Matches what is beyond doubt on one account. */
function AutoButton({ account }: { account: string | undefined }) {
  const auto = useAction(matchingEndpoints.auto, { refresh: [matchingEndpoints.lines],
    done: ({ data }) => (data.matched === 0 ? 'No line is beyond doubt'
      : `${data.matched} of ${data.looked_at} lines matched`) });
  return (
    <Button icon={<Zap size={15} aria-hidden="true" />} pending={auto.pending}
      reason={account === undefined ? 'Choose an account first' : undefined}
      onClick={() => void auto.run({ body: { bank_account_id: Number(account) } })}>Match automatically</Button>
  );
}
