/** Box-office reports a license asks for, from its frozen price and its terms. */
import { reportScope, type ReportScope } from '#kernel/pricing/report-scope.ts';
import type { TrueUpMode } from '#kernel/pricing/actuals.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../licenses/license-record.server.ts';

/** null: none is expected; then no paper, page or mail asks for one. */
export async function reportsExpected(db: Queryable, license: License): Promise<ReportScope | null> {
  const terms = await db.maybeOne<{ average_seat_cap: number | null; report_frequency: string }>(sql`
    select average_seat_cap, report_frequency from license_terms where license_id = ${license.id}`);
  return reportScope({ fee_method: license.fee_method ?? 'negotiated', rate_ppm: BigInt(license.rate_ppm ?? 0),
    guarantee_scope: license.guarantee_scope ?? 'run', gross_tiers: license.fee_terms?.gross_tiers ?? [],
    true_up: (license.true_up ?? 'none') as TrueUpMode, average_seat_cap: terms?.average_seat_cap ?? null,
    report_frequency: terms?.report_frequency ?? 'run' });
}
