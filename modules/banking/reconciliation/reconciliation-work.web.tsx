/** The open reconciliation: the difference always in view, the lines of the bank, and what only the ledger has. */
import { Lock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Keys } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable, type RowKey } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { isTyping, singleKeysOff } from '#web/data/use-row-keys.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { MATCHING, RECONCILIATION } from '../banking-tabs.ts';
import {
  reconciliationEndpoints, SHOWN_LINES, type BankSideLine, type BookEntry, type ReconciliationRow,
  type ReconciliationWork,
} from './reconciliation.contract.ts';
import { AdjustForm, ChooseDialog, ClosingForm } from './reconciliation-dialogs.web.tsx';
import styles from './reconciliation.module.css';

const READS = [reconciliationEndpoints.work, reconciliationEndpoints.list];

interface Props { work: ReconciliationWork; row: ReconciliationRow }

/** Runs on single keys while nobody types and no dialog is open. */
function useKeys(keys: Readonly<Record<string, () => void>>) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (!act || event.defaultPrevented || isTyping(event) || singleKeysOff()) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}

export function Finish({ work, row }: Props) {
  const may = useMay();
  const { go } = useNavigation();
  const [doing, setDoing] = useState<'finish' | 'discard' | 'closing' | null>(null);
  const end = () => setDoing(null);
  const finish = useAction(reconciliationEndpoints.finish, { refresh: READS, done: `${row.bank_account} is reconciled`,
    onDone: ({ data }) => go(`${RECONCILIATION}/${data.id}`) });
  const discard = useAction(reconciliationEndpoints.discard, { refresh: READS, done: 'Reconciliation discarded' });
  const held = work.blocks.map((block) => block.text).join(' ');
  useKeys({ f: () => { if (held === '' && doing === null) setDoing('finish'); } });
  const body = { params: { id: row.id }, body: { version: row.version } };
  return (
    <>
      <Button variant="primary" icon={<Glyph icon={Lock} />} pending={finish.pending} reason={held || undefined}
        onClick={() => setDoing('finish')}>Finish</Button>
      <ActionMenu label="Actions of the reconciliation" actions={[
        ...(may('bank_transaction.show') ? [{ label: 'Report so far',
          onSelect: () => go(`${RECONCILIATION}/${row.id}`) }] : []),
        { label: 'Change closing balance', onSelect: () => setDoing('closing') },
        { label: 'Discard', danger: true, divided: true, onSelect: () => setDoing('discard') },
      ]} />
      <ConfirmDialog open={doing === 'finish'} title={`Finish through ${formatDay(row.to_on)}?`} confirm="Finish"
        text={'Its lines, matches and figures no longer change. Only the latest reconciliation of an account can be '
          + 'undone.'} pending={finish.pending} onCancel={end} onConfirm={() => { end(); void finish.run(body); }} />
      <ConfirmDialog open={doing === 'discard'} title="Discard this reconciliation?" confirm="Discard"
        text="Matches stay. Ticks on ledger entries are taken off." pending={discard.pending} onCancel={end}
        onConfirm={() => { end(); void discard.run(body); }} />
      {doing === 'closing' && <ClosingForm row={row} onClose={end} />}
    </>
  );
}

function Figures({ work, row }: Props) {
  const figures = work.figures!;
  return (
    <div className={styles.strip}>
      <StatStrip label="Difference" stats={[
        { label: `Bank closing balance, ${row.currency}`, value: <Money minor={row.closing_minor} />,
          note: `Opening ${formatAmount(row.opening_minor, row.currency)}` },
        { label: 'Cleared in the ledger', sign: '−', value: <Money minor={figures.cleared_minor} />,
          note: `${figures.matched_count} matched${figures.ticked_count > 0
            ? `, ${figures.ticked_count} ticked` : ''}` },
        { label: 'Difference now', sign: '=', strong: true, tone: figures.difference_minor === 0 ? 'ok' : 'error',
          value: <Money minor={figures.difference_minor} />,
          note: figures.unmatched_count === 0 ? 'All bank lines matched'
            : `${figures.unmatched_count} bank lines open` },
      ]} />
    </div>
  );
}

function lineColumns(entries: ReadonlyMap<number, BookEntry>, act: (line: BankSideLine) => void, mayWork: boolean):
readonly Column<BankSideLine>[] {
  return [
    { id: 'booked_on', header: 'Booked', kind: 'date', cell: (line) => line.booked_on, width: 110 },
    { id: 'text', header: 'Bank statement', kind: 'title', cell: (line) => line.text, fixed: true, width: 300 },
    { id: 'amount', header: 'Amount', kind: 'money', cell: (line) => BigInt(line.amount_minor), width: 130 },
    { id: 'state', header: 'Status', kind: 'badge', width: 120, cell: (line) => (line.bank_match_id !== null
      ? <Badge tone="ok" small>Matched</Badge> : line.ledger_line_id === null ? <Badge tone="neutral" small>Open</Badge>
        : <Badge tone="warn" small>Proposed</Badge>) },
    { id: 'ledger', header: 'Ledger', kind: 'muted', width: 320, cell: (line) => line.matched_with
      ?? (line.ledger_line_id === null ? '' : entryText(entries.get(line.ledger_line_id))) },
    ...(mayWork ? [{ id: 'act', header: 'Action', kind: 'actions' as const, width: 120, cell: (line: BankSideLine) => (
      <Button size="small" onClick={() => act(line)}>
        {line.bank_match_id !== null ? 'Undo' : line.ledger_line_id === null ? 'Find' : 'Match'}
      </Button>) }] : []),
  ];
}

const entryText = (entry: BookEntry | undefined): string => (entry
  ? `${formatDay(entry.posted_on)}, ${entry.text}` : 'An entry that is not shown here');

export function Work({ work, row, mayWork }: Props & { mayWork: boolean }) {
  const may = useMay();
  const [choosing, setChoosing] = useState<BankSideLine | null>(null);
  const [adjusting, setAdjusting] = useState(false);
  const match = useAction(reconciliationEndpoints.match, { refresh: READS });
  const entries = new Map(work.entries.map((entry) => [entry.ledger_line_id, entry]));
  const proposed = work.lines.filter((line) => line.bank_match_id === null && line.ledger_line_id !== null);
  const act = (line: BankSideLine) => {
    if (!mayWork) return;
    if (line.bank_match_id === null && line.ledger_line_id === null) { setChoosing(line); return; }
    void match.run({ body: { bank_transaction_ids: [line.id], is_reconciled: line.bank_match_id === null,
      ledger_line_ids: line.bank_match_id === null && line.ledger_line_id !== null ? [line.ledger_line_id] : [] } });
  };
  const matchAll = () => void match.run({ body: { bank_transaction_ids: proposed.map((line) => line.id),
    is_reconciled: true } });
  useKeys({ a: () => { if (mayWork && proposed.length > 0 && !match.pending && choosing === null) matchAll(); } });
  const figures = work.figures!;
  return (
    <>
      <Figures work={work} row={row} />
      {work.blocks.filter((block) => block.code !== 'difference' && block.code !== 'unmatched').map((block) => (
        <Callout key={`${block.code} ${block.bank_statement_id}`} tone="warn">{block.text}</Callout>))}
      <Section title="Bank lines" description={`Through ${formatDay(row.to_on)}, and not reconciled before`}
        right={mayWork && (
          <>
            {proposed.length > 0 && (
              <Button size="small" variant="primary" pending={match.pending} onClick={matchAll}>
                Match {proposed.length} proposed
              </Button>)}
            {figures.unmatched_count > 0 && (
              <ButtonLink size="small" href={`${MATCHING}?bank_account_id=${row.bank_account_id}`}>
                Open matching</ButtonLink>)}
            {figures.unmatched_count === 0 && figures.difference_minor !== 0 && may('transaction.update') && (
              <Button size="small" onClick={() => setAdjusting(true)}>Post difference</Button>)}
          </>)}>
        <DataTable label="Lines to reconcile" columns={lineColumns(entries, act, mayWork)} rows={work.lines}
          rowKey={(line) => line.id} onOpen={mayWork ? act : undefined}
          empty={{ title: 'No bank lines', text: 'No line of the bank falls into this statement. Tick the entries of a '
            + 'paper statement below.' }} />
        {figures.matched_count + figures.unmatched_count > SHOWN_LINES && (
          <p className={styles.muted}>{`The first ${SHOWN_LINES} lines are shown, the open ones first.`}</p>)}
      </Section>
      <LedgerOnly work={work} row={row} mayWork={mayWork} />
      {mayWork && (
        <p className={styles.keys}>
          <Keys keys={['J', 'K']} /> move <Keys keys={['↵']} /> match or undo <Keys keys={['A']} /> match all proposed
          {' '}<Keys keys={['F']} /> finish
        </p>)}
      {choosing && <ChooseDialog work={work} line={choosing} onClose={() => setChoosing(null)} />}
      {adjusting && <AdjustForm work={work} row={row} onClose={() => setAdjusting(false)} />}
    </>
  );
}

const entryColumns: readonly Column<BookEntry>[] = [
  { id: 'posted_on', header: 'Posted', kind: 'date', cell: (entry) => entry.posted_on, width: 110 },
  { id: 'text', header: 'Ledger entry', kind: 'title', cell: (entry) => entry.text, fixed: true, width: 380 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (entry) => BigInt(entry.amount_minor), width: 130 },
  { id: 'state', header: 'Status', kind: 'badge', width: 130, cell: (entry) => (entry.is_adjustment
    ? <Badge tone="neutral" small>Adjustment</Badge> : entry.is_ticked ? <Badge tone="ok" small>Ticked</Badge>
      : <Badge tone="neutral" small>Outstanding</Badge>) },
];

/** Entries the bank does not have: outstanding, unless a person finds them on paper and ticks them. */
function LedgerOnly({ work, row, mayWork }: Props & { mayWork: boolean }) {
  const tick = useAction(reconciliationEndpoints.tick, { refresh: READS });
  const set = (ids: number[], ticked: boolean) => tick.run({ params: { id: row.id },
    body: { ledger_line_ids: ids, ticked } });
  const ticked = new Set(work.entries.filter((one) => one.is_ticked).map((one) => one.ledger_line_id));
  return (
    <Section title="In the ledger, not at the bank" count={work.entry_count}
      description="Deposits in transit and outstanding payments. Tick the entries on a paper statement.">
      <DataTable label="Ledger entries" columns={entryColumns} rows={work.entries} variant="record"
        rowKey={(entry) => entry.ledger_line_id} selectable={mayWork}
        onOpen={mayWork ? (entry) => void set([entry.ledger_line_id], !entry.is_ticked) : undefined}
        bulk={(keys: RowKey[], clear) => (
          <>
            <Button size="small" pending={tick.pending} onClick={() => void set(keys.map(Number), true).then(clear)}>
              Tick {keys.length}</Button>
            <Button size="small" pending={tick.pending}
              onClick={() => void set(keys.map(Number).filter((id) => ticked.has(id)), false).then(clear)}
              reason={keys.some((id) => ticked.has(Number(id))) ? undefined : 'None of these is ticked'}>
              Take ticks off</Button>
          </>)}
        empty={{ title: 'Nothing outstanding', text: 'The bank has everything that the ledger has.' }} />
    </Section>
  );
}
