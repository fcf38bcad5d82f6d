/** Facts on a run's page about its statements: their progress, and those that need a second look. */
import type * as z from 'zod';
import { formatMinor } from '#kernel/money/money.ts';
import type { runDetail, StatementRow } from './statement.contract.ts';

export type Run = z.infer<typeof runDetail>;
export interface RunProblem { tone: 'warn' | 'info'; title: string; text: string }

const REACHED: Readonly<Record<StatementRow['status'], number>> = {
  draft: 0, calculated: 1, approved: 2, issued: 3, part_paid: 4, paid: 4, void: 0,
};
/** The step that follows each state of a run: what is counted, and how far a statement has to be for it. */
const NEXT = {
  draft: { label: 'Calculated', step: 1 }, calculated: { label: 'Approved', step: 2 },
  approved: { label: 'Issued', step: 3 }, issued: { label: 'Paid', step: 4 },
} as const;

/** Statements that have reached the run's next step; a void one counts nowhere, one without a payment never waits. */
export function runProgress(run: Pick<Run, 'status' | 'statements' | 'work' | 'work_done' | 'work_total'>) {
  if (run.work !== null) {
    return { label: run.work === 'calculate' ? 'Calculating' : 'Issuing', done: run.work_done, total: run.work_total,
      unit: run.work === 'calculate' ? 'agreements' : 'statements' };
  }
  const { label, step } = NEXT[run.status];
  const counted = run.statements.filter((row) => row.status !== 'void' && (step < 4 || row.payable_minor > 0));
  return { label, unit: 'statements', total: counted.length,
    done: counted.filter((row) => REACHED[row.status] >= step).length };
}

const named = (rows: readonly StatementRow[]): string => {
  const names = [...new Set(rows.map((row) => row.royaltor_name))];
  return names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ');
};
const many = (rows: readonly StatementRow[], words: string): string =>
  `${rows.length} ${rows.length === 1 ? 'statement' : 'statements'} ${words}`;

/** Facts that a second person should have seen before approving. */
export function runProblems(run: Pick<Run, 'currency' | 'statements'>): RunProblem[] {
  const living = run.statements.filter((row) => row.status !== 'void');
  const negative = living.filter((row) => row.net_minor < 0);
  const carried = living.filter((row) => row.carried_reason !== null && row.net_minor >= 0);
  const taxed = living.filter((row) => row.expected_wht_minor > 0 && row.payable_minor > 0);
  const tax = taxed.reduce((all, row) => all + BigInt(row.expected_wht_minor), 0n);
  return [
    ...(negative.length === 0 ? [] : [{ tone: 'warn' as const, title: many(negative, 'below zero'),
      text: `The balance is carried: ${named(negative)}.` }]),
    ...(carried.length === 0 ? [] : [{ tone: 'info' as const, title: many(carried, 'without a payment'),
      text: `${named(carried)}. Each says why.` }]),
    ...(taxed.length === 0 ? [] : [{ tone: 'info' as const, title: many(taxed, 'with tax withheld'),
      text: `${run.currency} ${formatMinor(tax)} under current rules: ${named(taxed)}.` }]),
  ];
}
