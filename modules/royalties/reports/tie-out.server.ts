/**
 * I11: what royalties say is owed, waits, is prepaid, advanced or reserved, against the accounts of the ledger, per
 * royaltor and currency, in that currency and in the division's own. Revaluation is no part of the sub-ledger and
 * stands outside (accounting.md 2.2, row 20).
 */
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { tieOutOf } from './tie-out-sides.server.ts';
import { tieOutEndpoints, type TieOutRow as Row } from './tie-out.contract.ts';

/** Both sides per account; rows that agree are left out on request. */
export async function tieOut(db: Queryable, division: string, onlyDifferences = false): Promise<Row[]> {
  const rows = await db.query<Omit<Row, 'difference_minor' | 'functional_difference_minor'>>(sql`
    select x.account, x.royaltor_id, r.name as royaltor_name, x.currency, x.royalties_minor, x.ledger_minor,
      x.royalties_functional_minor, x.ledger_functional_minor
    from (${tieOutOf(division)}) x join royaltors r on r.id = x.royaltor_id
    order by x.account, r.name collate "und-x-icu", x.royaltor_id, x.currency`);
  const all = rows.map((row) => ({ ...row, difference_minor: row.ledger_minor - row.royalties_minor,
    functional_difference_minor: row.ledger_functional_minor - row.royalties_functional_minor }));
  return onlyDifferences ? all.filter(differs) : all;
}

function differs(row: Row): boolean {
  return row.difference_minor !== 0 || row.functional_difference_minor !== 0;
}

export const tieOutRoutes: readonly Route[] = serve(tieOutEndpoints, {
  async report(ctx, { query }) {
    const all = await tieOut(ctx.db, query.division);
    const different = all.filter(differs);
    return { data: { division: query.division, currency: FUNCTIONAL_CURRENCY[query.division],
      rows: query.only_differences === 'true' ? different : all, differences: different.length } };
  },
});
