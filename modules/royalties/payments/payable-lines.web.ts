/** The lines of a new batch: how they are called, what is ticked to begin with, what they come to. */
import { formatDay } from '#web/data/date-text.tsx';
import { ADVANCE_EVENT_WORDS, periodWords } from '../royalty-words.web.ts';
import type { Payables } from './payment-batch.contract.ts';

export type PayablePayee = Payables['payees'][number];
export type PayableLine = PayablePayee['lines'][number];

export const keyOf = (line: PayableLine): string =>
  (line.statement_id === null ? `a${line.advance_id}` : `s${line.statement_id}`);

export function lineWords(line: PayableLine): string {
  if (line.statement_id !== null && line.period_from !== null && line.period_to !== null) {
    const { period_from, period_to } = line;
    const part = line.is_agent ? ', commission of the agent' : '';
    return `${line.number ?? 'Statement'}, ${line.subject}, ${periodWords({ period_from, period_to })}${part}`;
  }
  const when = line.due_on !== null ? `due ${formatDay(line.due_on)}`
    : line.due_event === null ? '' : ADVANCE_EVENT_WORDS[line.due_event].toLowerCase();
  return `Advance, ${line.subject}, ${when}`;
}

/**
 * Lines ticked at first, none of them held out: everything due of payees who are paid that way, the statements of one
 * run, or one statement.
 */
export function tickedAtFirst(
  payees: readonly PayablePayee[], only: { statement: number | null; run: number | null },
): string[] {
  const wanted = (line: PayableLine): boolean => {
    if (only.statement !== null) return line.statement_id === only.statement;
    if (only.run !== null) return line.run_id === only.run;
    return line.due;
  };
  return payees.filter((payee) => only.statement !== null || payee.other_method === null)
    .flatMap((payee) => payee.lines).filter((line) => line.held === null && wanted(line)).map(keyOf);
}

/** Minor units of these lines together; null where some are owed in another currency than they are paid in. */
export function linesTotal(lines: readonly PayableLine[], currency: string): bigint | null {
  if (lines.some((line) => line.currency !== currency)) return null;
  return lines.reduce((all, line) => all + BigInt(line.amount_minor + line.agent_minor), 0n);
}
