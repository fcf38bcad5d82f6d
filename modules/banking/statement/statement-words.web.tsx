/** Statements in words: kinds, formats, flags, states of lines. */
import { Badge } from '#web/data/badge.tsx';
import type { BankStatementRow, StatementLine, StatementPreview } from './bank-statement.contract.ts';

export const FLAG_WORDS: Readonly<Record<string, string>> = {
  balance_mismatch: 'Balance does not add up', gap: 'Statement missing before this one',
  overlap: 'Overlaps another statement', missing_fitid: 'Lines without an ID',
  duplicate_fitid: 'Lines with the same ID', pending_skipped: 'Pending lines left out',
  non_monetary_skipped: 'Records without money left out', control_total_mismatch: 'Control total differs',
  record_count_mismatch: 'Number of records differs', future_date: 'Lines in the future',
  closing_after_last_line: 'Balance is of a later day',
};
/** Flags that stop a reconciliation; the others inform. */
const SERIOUS = new Set(['balance_mismatch', 'gap']);

export const FORMAT_WORDS: Readonly<Record<string, string>> = { ofx: 'OFX', qif: 'QIF', csv: 'CSV', mt940: 'MT940',
  mt942: 'MT942', bai2: 'BAI2', 'camt.052': 'CAMT.052', 'camt.053': 'CAMT.053', 'camt.054': 'CAMT.054' };

export function flagBadge({ flags }: Pick<BankStatementRow, 'flags'>) {
  const serious = flags.filter(({ flag }) => SERIOUS.has(flag));
  if (serious.length > 0) return <Badge tone="warn" small>{FLAG_WORDS[serious[0]?.flag ?? '']}</Badge>;
  return flags.length === 0 ? null
    : <Badge tone="neutral" small>{`${flags.length} ${flags.length === 1 ? 'note' : 'notes'}`}</Badge>;
}

/** Each flag with its sentence, as a list. */
export function FlagList({ flags }: Pick<BankStatementRow, 'flags'>) {
  if (flags.length === 0) return null;
  return (
    <ul>
      {flags.map(({ flag, count, message }) => (
        <li key={flag}><strong>{FLAG_WORDS[flag] ?? flag}</strong>{count > 1 ? ` (${count})` : ''}: {message}</li>
      ))}
    </ul>
  );
}

export function kindBadge({ kind, taken_back_at = null }: Pick<BankStatementRow, 'kind'>
  & { taken_back_at?: string | null }) {
  if (taken_back_at !== null) return <Badge tone="neutral" small>Taken back</Badge>;
  return kind === 'advance' ? <Badge tone="outline" small>Advance notice</Badge>
    : <Badge tone="ok" small>Statement</Badge>;
}

export function lineBadge({ state }: Pick<StatementLine, 'state'>) {
  if (state === 'booked') return <Badge tone="ok" small>Booked</Badge>;
  if (state === 'withdrawn') return <Badge tone="neutral" small>Taken back</Badge>;
  return state === 'advance' ? <Badge tone="outline" small>Advance notice</Badge>
    : <Badge tone="neutral" small>In a statement</Badge>;
}

const PREVIEW_WORDS = { new: ['New', 'ok'], known: ['Here already', 'neutral'],
  probable: ['Probably here', 'warn'] } as const;

export function previewBadge({ state }: StatementPreview['lines'][number]) {
  const [text, tone] = PREVIEW_WORDS[state];
  return <Badge tone={tone} small>{text}</Badge>;
}

/** 'Payee, text of the line' in one cell. */
export function lineText({ name, memo, reference }: { name: string; memo: string; reference: string }): string {
  return [name, memo].filter((text) => text !== '').join(' · ') || reference || 'No text';
}
