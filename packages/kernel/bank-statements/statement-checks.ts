/** The checks of every statement, whatever its format: balances, ids, dates. A flag keeps the statement. */
import { dateInWords, type IsoDate } from '../calendar/calendar.ts';
import { formatMinor, sum } from '../money/money.ts';
import type { BankStatement, StatementFlag } from './bank-file.ts';

/** Adds a flag, or counts one more. */
export function addFlag(statement: BankStatement, flag: StatementFlag, message: string, count = 1): void {
  const known = statement.flags.find((note) => note.flag === flag);
  if (known) known.count += count;
  else statement.flags.push({ flag, count, message });
}

function checkBalances(statement: BankStatement): void {
  const { opening, closing, lines } = statement;
  if (!opening || !closing) return;
  const reached = opening.amount_minor + sum(lines.map((line) => line.amount_minor));
  if (reached === closing.amount_minor) return;
  addFlag(statement, 'balance_mismatch', `Opening ${formatMinor(opening.amount_minor)} and the lines give `
    + `${formatMinor(reached)}, but the file says ${formatMinor(closing.amount_minor)}: lines may be missing. `
    + 'Download the file again.');
}

/** Between two stated balances, the lines must make the difference. `lines` in the order of time. */
export function checkRunning(statement: BankStatement, inTime: BankStatement['lines']): void {
  let expected = statement.opening?.amount_minor ?? null;
  let broken = 0;
  for (const line of inTime) {
    if (expected !== null) expected += line.amount_minor;
    if (line.balance_minor === null) continue;
    if (expected !== null && expected !== line.balance_minor) broken += 1;
    expected = line.balance_minor;
  }
  if (broken > 0) {
    addFlag(statement, 'balance_mismatch',
      'The running balance does not add up: lines may be missing. Download the file again.', broken);
  }
}

function checkIds(statement: BankStatement, idsExpected: boolean): void {
  const seen = new Set<string>();
  let missing = 0;
  let repeated = 0;
  for (const line of statement.lines) {
    if (line.bank_id === null) missing += 1;
    else if (seen.has(line.bank_id)) repeated += 1;
    else seen.add(line.bank_id);
  }
  if (idsExpected && missing > 0) {
    addFlag(statement, 'missing_fitid', 'Lines have no bank ID. They are identified by date, amount and text.',
      missing);
  }
  if (repeated > 0) {
    addFlag(statement, 'duplicate_fitid', 'Some lines share a bank ID. All are imported.',
      repeated);
  }
}

function checkDays(statement: BankStatement, today: IsoDate | null): void {
  const last = statement.lines.reduce<IsoDate | null>(
    (day, line) => (day === null || line.booked_on > day ? line.booked_on : day), null);
  const future = today === null ? 0 : statement.lines.filter((line) => line.booked_on > today).length;
  if (future > 0) {
    addFlag(statement, 'future_date',
      'Some lines are dated after today. Check how the file writes its dates before you import it.', future);
  }
  const stated = statement.closing?.on ?? null;
  if (statement.opening === null && stated && last && stated > last) {
    addFlag(statement, 'closing_after_last_line', `The closing balance is for ${dateInWords(stated)}, after the last `
      + `line (${dateInWords(last)}).`);
  }
}

function fillDays(statement: BankStatement): void {
  for (const line of statement.lines) {
    if (statement.from === null || line.booked_on < statement.from) statement.from = line.booked_on;
    if (statement.to === null || line.booked_on > statement.to) statement.to = line.booked_on;
  }
  const stated = statement.closing?.on ?? null;
  // With both balances the file is of every day between them; a closing balance alone may be that of its download.
  if (stated && (statement.to === null || statement.opening !== null && stated > statement.to)) statement.to = stated;
}

export interface CheckOptions {
  today: IsoDate | null;
  /** Whether the format promises an id for every line. */
  idsExpected: boolean;
}

/** Completes a statement: its period, and the flags that follow from its figures. */
export function checkStatement(statement: BankStatement, options: CheckOptions): BankStatement {
  fillDays(statement);
  checkBalances(statement);
  checkIds(statement, options.idsExpected);
  checkDays(statement, options.today);
  return statement;
}
