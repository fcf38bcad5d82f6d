/** Words, tones and tabs that the royalty screens share. */
import { spell } from '#kernel/text/english.ts';
import type { Tone } from '#web/data/badge.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { formatRate } from '#kernel/money/money.ts';
import type { AccrualRow } from './accruals/accrual.contract.ts';
import type { AdvanceRow } from './advances/advance.contract.ts';
import type { BatchDetail, BatchRow } from './payments/payment-batch.contract.ts';
import type { RunRow, StatementDetail, StatementRow } from './statements/statement.contract.ts';

export const SALES = '/admin/sales-and-royalties';
export const BATCHES = '/admin/accounts-payable/royalty-payments';

export type Look = Readonly<{ label: string; tone: Tone }>;

export const STATEMENT_LOOKS: Readonly<Record<StatementRow['status'], Look>> = {
  draft: { label: 'Draft', tone: 'neutral' }, calculated: { label: 'To be approved', tone: 'brass' },
  approved: { label: 'Approved', tone: 'info' }, issued: { label: 'Issued', tone: 'violet' },
  part_paid: { label: 'Part paid', tone: 'violet' }, paid: { label: 'Paid', tone: 'ok' },
  void: { label: 'Void', tone: 'outline' },
};
export const RUN_LOOKS: Readonly<Record<RunRow['status'], Look>> = {
  draft: { label: 'Draft', tone: 'neutral' }, calculated: { label: 'To be approved', tone: 'brass' },
  approved: { label: 'Approved', tone: 'info' }, issued: { label: 'Issued', tone: 'ok' },
};
export const ADVANCE_LOOKS: Readonly<Record<AdvanceRow['status'], Look>> = {
  scheduled: { label: 'Scheduled', tone: 'brass' }, paid: { label: 'Paid', tone: 'ok' },
  cancelled: { label: spell`Canceled`, tone: 'outline' },
};
export const BATCH_LOOKS: Readonly<Record<BatchRow['status'], Look>> = {
  draft: { label: 'To be approved', tone: 'brass' }, approved: { label: 'Approved', tone: 'info' },
  scheduled: { label: 'Scheduled', tone: 'violet' }, posted: { label: 'Paid', tone: 'ok' },
  void: { label: spell`Canceled`, tone: 'outline' },
};
export const PAYMENT_LOOKS: Readonly<Record<string, Look>> = {
  draft: { label: 'To be approved', tone: 'brass' }, approved: { label: 'Approved', tone: 'info' },
  posted: { label: 'Paid', tone: 'ok' }, cleared: { label: 'Cleared', tone: 'ok' },
  returned: { label: 'Returned', tone: 'error' }, void: { label: spell`Canceled`, tone: 'outline' },
  reversed: { label: 'Reversed', tone: 'warn' },
};
export const ADVANCE_EVENT_WORDS = {
  signature: 'On signature', date: 'On a day', first_performance: 'At the first performance',
} as const satisfies Record<AdvanceRow['due_event'], string>;
export const METHOD_WORDS = {
  ach: 'ACH', wire: 'Wire', check: spell`Check`, bacs: 'BACS', sepa: 'SEPA',
} as const satisfies Record<BatchRow['method'], string>;
/** Within a sentence. */
export const METHOD_NOUNS = { ...METHOD_WORDS, wire: 'wire', check: spell`check` } as const;
export const STATE_WORDS = {
  shared: 'Shared', cost: 'Earned', due: 'Became due, on no statement', statemented: 'On a statement',
} as const;
export const SECTION_WORDS: Readonly<Record<StatementDetail['lines'][number]['section'], string>> = {
  summary: 'Summary', performances: 'Performances', sales_and_rentals: 'Sales and rentals', streaming: 'Streaming',
  adjustments: 'Corrections', reserves: 'Reserves', advances: 'Advances', payments: 'Payments',
};
export const METHOD_OF_SHARING: Readonly<Record<'plain' | 'carried' | 'safe' | 'mirror', string>> = {
  plain: 'Shared by itself, cents by the largest remainder.',
  carried: 'Shared with the cents carried from the lines before it.',
  safe: 'Shared so that no party gets less than its exact share rounded down.',
  mirror: 'The exact mirror of the line it takes back.',
};

/** The words of a record of looks, as choices of a filter. */
export function choicesOf(looks: Readonly<Record<string, Look>>): { value: string; label: string }[] {
  return Object.entries(looks).map(([value, look]) => ({ value, label: look.label }));
}

/** 'Jul 1 to Sep 30, 2026'. */
export function periodWords(row: { period_from: string; period_to: string }): string {
  return daySpan(row.period_from, row.period_to);
}

/** '27%' of parts per million. */
export function rateWords(ppm: number): string {
  return formatRate(BigInt(ppm));
}

/** The number printed on a statement; before it is issued it has none. */
export function statementName(row: Pick<StatementRow, 'id' | 'number'>): string {
  return row.number ?? `Draft ${row.id}`;
}

/**
 * State of an accrual on its way to a payment (domain.md 3.4): the sharing of a line, the part of it that was earned,
 * the part that became due, or the part on a statement.
 */
export function accrualState(row: Pick<AccrualRow, 'statement_id' | 'due_on' | 'cost_on'>): Look {
  if (row.statement_id !== null) return { label: 'On a statement', tone: 'ok' };
  if (row.due_on !== null) return { label: 'Became due', tone: 'violet' };
  if (row.cost_on !== null) return { label: 'Earned', tone: 'info' };
  return { label: 'Shared', tone: 'neutral' };
}

/**
 * Why the reader may not approve what he made himself (four eyes); undefined where he may. The server decides by the
 * person, the screen knows the name only.
 */
export function fourEyes(
  maker: string | null, reader: { first_name: string; last_name: string } | null | undefined, verb: string,
): string | undefined {
  if (!maker || !reader || maker !== `${reader.first_name} ${reader.last_name}`.trim()) return undefined;
  return `You ${verb} this. Another person approves it.`;
}

/** Payment runs, one of which pays each batch. */
export const RUNS = '/admin/accounts-payable/payment-runs';

/** Has a bank file while the batch is open: a list of canceled payments is of no use. */
export function hasBankFile(batch: Pick<BatchDetail, 'status'>): boolean {
  return batch.status === 'approved' || batch.status === 'scheduled' || batch.status === 'posted';
}

/** The last whole quarter before a day: the period that a statement run begins with. */
export function lastQuarter(today: string): { from: string; to: string } {
  const year = Number(today.slice(0, 4));
  const quarter = Math.floor((Number(today.slice(5, 7)) - 1) / 3);
  const of = quarter === 0 ? year - 1 : year;
  const [from, to] = [['10-01', '12-31'], ['01-01', '03-31'], ['04-01', '06-30'], ['07-01', '09-30']][quarter]!;
  return { from: `${of}-${from}`, to: `${of}-${to}` };
}
