/**
 * The ledger's own night watch: adds to the balances, links the hash chain, runs every invariant and flags the
 * transactions that break one (has_posting_discrepencies, accounting.md 1.1 and 1.7).
 */
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { INVARIANTS, ledgerIntegrity, type IntegrityResult } from './integrity.server.ts';

const LINKS_PER_CALL = 1_000;
const FOLDED_PER_CALL = 5_000;

/**
 * Adds what was posted since to the rows of balances by period, in batches of their own transactions; answers how many
 * postings. Balances are true without it, only slower to read (db/migrations/baseline/11-accounting-books.sql).
 */
export async function foldBalances(db: Db): Promise<number> {
  for (let total = 0; ;) {
    const { made } = await db.one<{ made: number }>(sql`select ledger_fold(${FOLDED_PER_CALL}::int) as made`);
    total += made;
    if (made < FOLDED_PER_CALL) return total;
  }
}

/** Appends what was posted since to the hash chain, in batches of their own transactions; answers how many links. */
export async function extendChain(db: Db): Promise<number> {
  for (let total = 0; ;) {
    const { made } = await db.one<{ made: number }>(sql`select ledger_chain_extend(${LINKS_PER_CALL}::int) as made`);
    total += made;
    if (made < LINKS_PER_CALL) return total;
  }
}

/** Runs the invariants, raises and lowers the flags, and answers what is broken (nothing, in a sound ledger). */
export async function verifyLedger(db: Db): Promise<IntegrityResult[]> {
  await foldBalances(db);
  await extendChain(db);
  return await db.tx(async (tx) => {
    await tx.exec(sql`set local statement_timeout = 0`);
    const broken = (await ledgerIntegrity(tx)).filter((result) => !result.ok);
    const ids = new Set<number>();
    for (const { violations } of INVARIANTS.filter((one) => broken.some((result) => result.key === one.key))) {
      const found = await tx.query<{ id: number | null }>(sql`
        select distinct (to_jsonb(v) ->> 'transaction_id')::bigint as id from (${violations}) v`);
      for (const { id } of found) if (id !== null) ids.add(id);
    }
    await tx.exec(sql`select ledger_flag_discrepancies(${[...ids]}::bigint[])`);
    return broken;
  });
}
