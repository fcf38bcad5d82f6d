/**
 * Slow work of the processor (drawing a document, decoding a picture) with no connection and no lock held. Inside a
 * transaction a result that is not there yet ends the transaction: it is rolled back, the work is done outside, and the
 * transaction runs again with the result at hand, as it does after a serialization failure (decision 25).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

type Outcome = { value: unknown } | { error: unknown };

/** One transaction with all its repetitions. */
interface Transaction {
  /** False before it begins, between two attempts and after the last. */
  open: boolean;
  outcomes: Map<string, Outcome>;
  missing: Map<string, () => Promise<unknown>>;
  /** The clock stands still in a transaction, so that each attempt asks for the same drawing. */
  instant: Date | null;
  /** Number of times each outside task was counted, in all attempts and in this one. */
  counted: Map<string, number>;
  asked: Map<string, number>;
  /** The last attempt: what is still missing is drawn where it is asked for. */
  last: boolean;
}

const transactions = new AsyncLocalStorage<Transaction>();

/** Limit on attempts: a drawing's content can change between two (a number somebody else took first). */
const MOST_ATTEMPTS = 6;

/** Ends an attempt whose drawings are not there yet. */
class DrawingsMissing extends Error {
  constructor() { super('drawings are missing'); }
}

const current = (): Transaction | null => {
  const transaction = transactions.getStore();
  return transaction?.open === true ? transaction : null;
};

/** The same parts give the same key; Buffers count with their content. */
export function keyOf(...parts: readonly unknown[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    if (part instanceof Uint8Array) hash.update(`b${part.length}:`).update(part);
    else {
      const text = JSON.stringify(part) ?? '';
      hash.update(`t${text.length}:`).update(text);
    }
  }
  return hash.digest('base64url');
}

/**
 * The result of `work`, which depends on nothing but `key` and is never run while a transaction of its caller is open;
 * once, however often that transaction is repeated. What it commits itself stays.
 */
export async function outside<T>(key: string, work: () => Promise<T>): Promise<T> {
  const transaction = current();
  if (transaction === null || transaction.last) return work();
  const outcome = transaction.outcomes.get(key);
  if (outcome && 'error' in outcome) throw outcome.error;
  if (outcome) return outcome.value as T;
  transaction.missing.set(key, work);
  throw new DrawingsMissing();
}

/** Guards what draws: an error of ours where a transaction is open, whoever calls it. */
export function refuseInTransaction(what: string): void {
  const transaction = current();
  if (transaction && !transaction.last) throw new Error(`${what} inside a transaction: call it through outside()`);
}

/** The instant of the transaction; the clock's where none is open. */
export function instantOf(clock: () => Date): Date {
  const transaction = current();
  if (transaction === null) return clock();
  return new Date(transaction.instant ??= clock());
}

/** False where a former attempt of the same transaction asked already: for what is counted beside the transaction. */
export function firstTime(what: string): boolean {
  const transaction = current();
  if (transaction === null) return true;
  const times = (transaction.asked.get(what) ?? 0) + 1;
  transaction.asked.set(what, times);
  if (times <= (transaction.counted.get(what) ?? 0)) return false;
  transaction.counted.set(what, times);
  return true;
}

/**
 * Runs a transaction until it has its drawings. `transact` opens it and runs its work through `attempt`; a transaction
 * inside another one leaves all this to the outer.
 */
export async function withDrawings<T>(
  transact: (attempt: <R>(work: () => Promise<R>) => Promise<R>) => Promise<T>,
): Promise<T> {
  if (current() !== null) return transact((work) => work());
  const transaction: Transaction = { open: false, outcomes: new Map(), missing: new Map(), instant: null,
    counted: new Map(), asked: new Map(), last: false };
  for (let round = 1; ; round += 1) {
    transaction.last = round === MOST_ATTEMPTS;
    try {
      return await transact((work) => attempted(transaction, work));
    } catch (error) {
      // Retries even if the handler replaced the signal: with the drawings at hand it may not fail at all.
      if (transaction.missing.size === 0) throw error;
      await draw(transaction);
    }
  }
}

/** The work of one attempt. A handler that swallowed the signal has nothing to commit either. */
async function attempted<R>(transaction: Transaction, work: () => Promise<R>): Promise<R> {
  transaction.missing.clear();
  transaction.asked.clear();
  transaction.open = true;
  try {
    const result = await transactions.run(transaction, work);
    if (transaction.missing.size > 0) throw new DrawingsMissing();
    return result;
  } finally {
    transaction.open = false;
  }
}

/** Everything the attempt asked for, one after another: the processor is the bottleneck. */
async function draw(transaction: Transaction): Promise<void> {
  for (const [key, work] of transaction.missing) {
    try {
      transaction.outcomes.set(key, { value: await work() });
    } catch (error) {
      transaction.outcomes.set(key, { error });
    }
  }
  transaction.missing.clear();
}
