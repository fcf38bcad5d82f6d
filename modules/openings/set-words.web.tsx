/** Words and tones of sets of opening balances. */
import { spell } from '#kernel/text/english.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { DOCUMENTS } from '#modules/accounting/transaction/transaction-document.contract.ts';
import { KIND_LABELS, type OpeningLine, type OpeningSetRow } from './opening-set.contract.ts';

export const SETS = '/admin/accounting/opening-balances';

type Look = Readonly<{ label: string; tone: Tone }>;
export const SET_LOOKS: Readonly<Record<OpeningSetRow['status'], Look>> = {
  draft: { label: 'Not posted', tone: 'brass' }, posted: { label: 'Posted', tone: 'ok' },
  reversed: { label: 'Reversed', tone: 'outline' },
};

export function SetBadge({ set }: { set: Pick<OpeningSetRow, 'status' | 'reversal_asked'> }) {
  if (set.reversal_asked) return <Badge small tone="warn">Reversal requested</Badge>;
  const look = SET_LOOKS[set.status];
  return <Badge small tone={look.tone}>{look.label}</Badge>;
}

/** Note for the upload on each kind: its content and how it is posted, in a sentence. */
export const KIND_NOTES: Readonly<Record<keyof typeof KIND_LABELS, string>> = {
  ledger: 'All accounts of the former books. Lines of accounts that have documents (receivables, payables, bank '
    + 'accounts) are posted against Opening balances only: the other sets bring these accounts.',
  receivables: 'Invoices that customers still owe, with their old numbers, and credits of customers. They can be paid '
    + 'and credited here, and carry no tax.',
  payables: 'Bills that you still owe to vendors, and credits of vendors. They can be paid here, and carry no tax.',
  deposits: spell`Deposits held for customers, by license. They can be applied, returned or kept.`,
  deferred: 'Income that was billed and paid before and is earned later: on a day, or evenly over a period.',
  royaltors: 'Balances owed to royaltors, by agreement. Each appears on the royaltor’s next statement.',
  reserves: 'Reserves that former statements withheld. Each is released with the next statement of its agreement.',
  advances: 'Advances that were paid and are not recouped yet. Later statements recoup them.',
  banks: 'The balance of each bank account in the books.',
  next_numbers: 'The number with which each series goes on. Nothing is posted.',
};

/** Link to the document of a row; null if it has no page. */
export function lineHref(line: OpeningLine): string | null {
  const words = Object.entries(DOCUMENTS).find(([kind]) => kind === line.document?.kind)?.[1];
  return words === undefined ? null : `${words.page}${line.document!.id}`;
}
