/** Sets of opening balances that one person asked to reverse and another confirms. */
import { waitingRows } from '#server/approval-source.ts';
import { sql, type Sql } from '#server/sql.ts';
import { KIND_LABELS } from './opening-set.contract.ts';

export const waitingOpeningReversals = (): Sql => waitingRows('opening_reversal', {
  from: sql`from opening_sets s where s.status = 'posted' and s.reversal_asked_at is not null`,
  entity_id: sql`s.id`, division: sql`s.division`,
  title: sql`'Reverse opening balances: ' || (${JSON.stringify(KIND_LABELS)}::jsonb ->> s.kind)`,
  detail: sql`concat_ws(' · ', s.division, s.reversal_reason)`,
  asked_by_id: sql`s.reversal_asked_by_id`, asked_at: sql`s.reversal_asked_at`,
  href: sql`'/admin/accounting/opening-balances/' || s.id`, params: sql`jsonb_build_object('id', s.id)`,
  approve_body: sql`jsonb_build_object('version', s.version, 'reason', s.reversal_reason)`,
  decline_body: sql`jsonb_build_object('version', s.version)`,
});
