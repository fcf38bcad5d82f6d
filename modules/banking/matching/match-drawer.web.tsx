/** The line, its suggestions with score and reasons, and the ways to match it by hand; of a matched line both sides. */
import { Search, SquarePen, Undo2 } from 'lucide-react';
import type { ApiError } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { lineText } from '../statement/statement-words.web.tsx';
import { atBank, isPosted, KIND_WORDS, partTitle, refusalOf, SHAPE_WORDS } from './matching-words.web.ts';
import type { BankMatch, MatchCandidates, MatchSuggestion } from './matching.contract.ts';
import styles from './matching.module.css';

export interface MatchDrawerProps {
  found: MatchCandidates | undefined;
  error: ApiError | null;
  pending: boolean;
  mayMatch: boolean;
  onAccept: (of: MatchSuggestion) => void;
  onFind: () => void;
  onCreate: () => void;
  onUndo: () => void;
  onClose: () => void;
}

export function MatchDrawer(props: MatchDrawerProps) {
  const { found, error, mayMatch } = props;
  return (
    <Drawer open onClose={props.onClose} title="Match" width={420}
      footer={found && mayMatch && <Buttons {...props} found={found} />}>
      {error && !found && <Callout tone="error" title="This did not load">{error.message}</Callout>}
      {!found && !error && <p aria-busy="true"><Skeleton width={280} height={16} /></p>}
      {found && (
        <>
          <div className={styles.line}>
            <p className={styles.amount}>{formatAmount(found.line.amount_minor, found.line.currency)}</p>
            <p>{lineText(found.line)}</p>
            <p className={styles.muted}><DateText value={found.line.booked_on} />
              {found.line.reference !== '' && ` · ${found.line.reference}`}</p>
          </div>
          {found.match ? <MatchFacts match={found.match} /> : <Suggestions {...props} found={found} />}
        </>
      )}
    </Drawer>
  );
}

function Buttons({ found, onFind, onCreate, onUndo }: MatchDrawerProps & { found: MatchCandidates }) {
  return found.match === null ? (
    <>
      <Button icon={<Search size={15} aria-hidden="true" />} onClick={onFind}>Find and match</Button>
      <Button icon={<SquarePen size={15} aria-hidden="true" />} onClick={onCreate}>Create entry</Button>
    </>
  ) : (
    <Button icon={<Undo2 size={15} aria-hidden="true" />} onClick={onUndo}
      reason={found.line.is_reconciled ? 'The line is reconciled' : undefined}>Undo match</Button>
  );
}

function Suggestions({ found, ...props }: MatchDrawerProps & { found: MatchCandidates }) {
  const { suggestions, others } = found;
  return (
    <>
      {suggestions.length === 0 && (
        <Callout tone="info" title="No suggestion">
          {found.rule ? `Create the entry: the rule ${found.rule.name} fills it in.`
            : 'Find its document, or create an entry for it.'}
        </Callout>
      )}
      <List of={suggestions} isFirst {...props} />
      {others.length > 0 && <h3 className={styles.heading}>Less likely</h3>}
      <List of={others} {...props} />
      <Awaited of={found.awaited} />
      {suggestions.length > 0 && found.refusal && <p className={styles.muted}>Not matched automatically: {
        found.refusal}</p>}
    </>
  );
}

function List({ of, isFirst = false, ...props }: Omit<MatchDrawerProps, 'found'> & {
  of: readonly MatchSuggestion[]; isFirst?: boolean;
}) {
  return (
    <ul className={styles.list}>
      {of.map((one, at) => (
        // oxlint-disable-next-line no-array-index-key -- proposals have no id; a new answer brings a new list
        <Suggestion key={at} of={one} isFirst={isFirst && at === 0} {...props} />
      ))}
    </ul>
  );
}

/** Payments of the same amount that cannot be matched before they are posted. */
function Awaited({ of }: { of: MatchCandidates['awaited'] }) {
  if (of.length === 0) return null;
  return (
    <>
      <h3 className={styles.heading}>Not posted yet</h3>
      {of.map((one) => (
        <div key={one.href} className={styles.part}>
          <span><AppLink href={one.href} className="gr-link">{one.label}</AppLink>{one.party !== ''
            && `, ${one.party}`}<br /><span className={styles.muted}>{one.reason}</span></span>
          <Money minor={one.amount_minor} />
        </div>
      ))}
    </>
  );
}

const toneOf = (score: number) => (score >= 90 ? 'ok' : score >= 60 ? 'warn' : 'neutral');

function Suggestion({ of, isFirst, pending, mayMatch, onAccept }: Omit<MatchDrawerProps, 'found'> & {
  of: MatchSuggestion; isFirst: boolean;
}) {
  return (
    <li className={styles.card} data-first={isFirst || undefined}>
      <div className={styles.cardHead}>
        <Badge tone={toneOf(of.score)} small>{`Score ${of.score}`}</Badge>
        {SHAPE_WORDS[of.shape] !== '' && <Badge tone="outline" small>{SHAPE_WORDS[of.shape]}</Badge>}
        {mayMatch && (
          <Button size="small" variant={isFirst ? 'primary' : 'secondary'} pending={pending} reason={refusalOf(of)}
            onClick={() => onAccept(of)}>Match</Button>
        )}
      </div>
      <p className={styles.summary}>{of.summary}</p>
      {refusalOf(of) !== undefined && <p className={styles.muted}>{refusalOf(of)}</p>}
      {of.parts.map((part) => (
        <div key={`${part.kind} ${part.id}`} className={styles.part}>
          <span>{partTitle(part)}<br />
            <span className={styles.muted}>{KIND_WORDS[part.kind] ?? part.kind}, {formatDay(part.document_on)}
              {Math.abs(part.amount_minor) !== part.open_minor && !isPosted(part)
                && ` · ${formatAmount(part.open_minor)} open`}
              {part.discount_minor > 0 && ` · ${formatAmount(part.discount_minor)} discount`}
              {part.bank_minor !== null && ` · ${formatAmount(part.amount_minor, part.currency)}`}</span></span>
          <Money minor={atBank(part)} />
        </div>
      ))}
      {of.transfer && <p>{of.transfer.bank_account_name}, line of {formatDay(of.transfer.booked_on)}</p>}
      {of.fee_minor > 0 && <Extra words="Bank fee" minor={-of.fee_minor} />}
      {of.on_account && <Extra words="On account of the customer" minor={of.on_account.amount_minor} />}
      {of.line_ids.length > 1 && <p className={styles.muted}>Together with {of.line_ids.length - 1} more {
        of.line_ids.length === 2 ? 'bank line' : 'bank lines'}</p>}
      {of.parts.some((part) => part.kind === 'proforma') && (
        <p className={styles.muted}>The pro forma becomes its tax invoice. Undoing the match leaves that invoice open.
        </p>
      )}
      <ul className={styles.reasons} aria-label="Reasons">
        {of.reasons.map((one) => <li key={one.text}>{one.text}: {one.points}</li>)}
      </ul>
    </li>
  );
}

const Extra = ({ words, minor }: { words: string; minor: number }) => (
  <div className={styles.part}><span>{words}</span><Money minor={minor} /></div>
);

const MAKERS = { person: 'Matched', rule: 'Matched by a rule', auto: 'Matched automatically' } as const;

/** Of a payment run: the drawer is no list of its payees. */
const SHOWN_ENTRIES = 20;

function MatchFacts({ match }: { match: BankMatch }) {
  return (
    <>
      <p className={styles.muted}>{MAKERS[match.made_by]} {match.made_by === 'person' && match.created_by_name
        && `by ${match.created_by_name} `}on <DateText value={match.created_at} />
        {match.score !== null && `, score ${match.score}`}</p>
      <h3 className={styles.heading}>Bank</h3>
      {match.lines.map((line) => (
        <div key={line.id} className={styles.part}>
          <span>{line.text}<br /><span className={styles.muted}>{formatDay(line.booked_on)}</span></span>
          <Money minor={line.amount_minor} />
        </div>
      ))}
      <h3 className={styles.heading}>Ledger</h3>
      {match.entries.slice(0, SHOWN_ENTRIES).map((entry) => (
        <div key={entry.ledger_line_id} className={styles.part}>
          <span><AppLink href={`/admin/accounting/transactions/${entry.transaction_id}`} className="gr-link">
            {entry.label}</AppLink><br />
            <span className={styles.muted}>{formatDay(entry.posted_on)}{entry.posted_by_match
              && ', posted by this match'}</span></span>
          <Money minor={entry.amount_minor} />
        </div>
      ))}
      {match.entries.length > SHOWN_ENTRIES && (
        <p className={styles.muted}>{`${match.entries.length - SHOWN_ENTRIES} more, ${match.entries.length} in all`}</p>
      )}
    </>
  );
}
