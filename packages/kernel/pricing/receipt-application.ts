/** Lines a receipt pays, which determine the royaltors' earnings on cash (domain.md 2.8). */
import { min, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';

/** Open amount of a line, its own tax separate. Deposits are documents of their own and never listed here. */
export interface OpenLine {
  readonly id: number;
  readonly net_minor: bigint;
  readonly tax_minor: bigint;
}

export interface LineApplication {
  readonly line_id: number;
  readonly amount_minor: bigint;
  readonly net_minor: bigint;
  readonly tax_minor: bigint;
}

export interface ReceiptApplication {
  readonly lines: readonly LineApplication[];
  readonly unapplied_minor: bigint;
}

export class ApplicationError extends Error {
  readonly code = 'receipt.over_applied';
}

/** Pro rata by largest remainder over the open amounts (tie: larger amount, then smaller id); at most what is open. */
export function applyReceipt(amountMinor: bigint, open: readonly OpenLine[]): ReceiptApplication {
  const lines = [...open].filter((line) => line.net_minor + line.tax_minor > 0n).sort((a, b) => a.id - b.id);
  const amounts = lines.map((line) => line.net_minor + line.tax_minor);
  const applied = min(amountMinor, sum(amounts));
  const parts = splitByWeight(applied, amounts);
  return { lines: lines.map((line, k) => inLine(line, parts[k]!)), unapplied_minor: amountMinor - applied };
}

/** The payer or staff chose the lines. Throws `receipt.over_applied` for more than a line or the receipt holds. */
export function applyReceiptTo(
  amountMinor: bigint, open: readonly OpenLine[], chosen: readonly { line_id: number; amount_minor: bigint }[],
): ReceiptApplication {
  const total = sum(chosen.map((choice) => choice.amount_minor));
  const repeated = new Set(chosen.map((choice) => choice.line_id)).size !== chosen.length;
  if (total > amountMinor || repeated) throw new ApplicationError('More is applied than the receipt holds.');
  const lines = chosen.map((choice) => {
    const line = open.find((candidate) => candidate.id === choice.line_id);
    if (!line || choice.amount_minor <= 0n || choice.amount_minor > line.net_minor + line.tax_minor) {
      throw new ApplicationError(`More is applied to line ${choice.line_id} than is open on it.`);
    }
    return inLine(line, choice.amount_minor);
  });
  return { lines, unapplied_minor: amountMinor - total };
}

/** Inside a line net and tax share by largest remainder again. */
function inLine(line: OpenLine, amount: bigint): LineApplication {
  const [net = 0n, tax = 0n] = splitByWeight(amount, [line.net_minor, line.tax_minor]);
  return { line_id: line.id, amount_minor: amount, net_minor: net, tax_minor: tax };
}
