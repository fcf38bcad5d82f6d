/** What a batch may pay: issued statements with a payment and advances that are in no batch yet. */
import { formatDay } from '#web/data/date-text.tsx';
import type { AdvanceRow } from '../advances/advance.contract.ts';
import { ADVANCE_EVENT_WORDS, periodWords, statementName } from '../royalty-words.web.ts';
import type { StatementRow } from '../statements/statement.contract.ts';

export interface Payable {
  key: string;
  statement_id: number | null;
  advance_id: number | null;
  name: string;
  words: string;
  /** Before the tax and at the rate of the day of payment, which the server resolves. */
  currency: string;
  amount_minor: number;
}

/** What is paid in a currency; statements first, then advances, both in the order of the lists. */
export function payables(
  statements: readonly StatementRow[], advances: readonly AdvanceRow[], division: string, currency: string,
): Payable[] {
  const issued = statements.filter((row) => row.payable_minor > row.paid_minor);
  const promised = advances.filter((row) => row.division === division && row.pay_currency === currency
    && row.status === 'scheduled' && row.batch_id === null);
  return [
    ...issued.map((row): Payable => ({ key: `s${row.id}`, statement_id: row.id, advance_id: null,
      name: row.royaltor_name, words: `${statementName(row)}, ${row.subject}, ${periodWords(row)}`,
      currency: row.currency, amount_minor: row.payable_minor })),
    ...promised.map((row): Payable => ({ key: `a${row.id}`, statement_id: null, advance_id: row.id,
      name: row.royaltor_name, currency: row.currency, amount_minor: row.amount_minor,
      words: `Advance, ${row.show_title}, ${row.due_on ? `due ${formatDay(row.due_on)}`
        : ADVANCE_EVENT_WORDS[row.due_event].toLowerCase()}` })),
  ];
}

/** Minor units of the chosen lines together; null where some are of another currency than the payment. */
export function chosenTotal(chosen: readonly Payable[], currency: string): bigint | null {
  if (chosen.some((row) => row.currency !== currency)) return null;
  return chosen.reduce((all, row) => all + BigInt(row.amount_minor), 0n);
}
