/** One amendment in figures: a request is worked out on today's licence, what was done is read from its versions. */
import { AppError, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { OfferSnapshot } from '../documents/offer-snapshot.server.ts';
import { previewAmendment } from './amend-license.server.ts';
import { differencesOf, type Night } from './amendment-differences.ts';
import { amendmentChanges, type AmendmentDetail, type AmendmentRow, type Differences } from './amendment.contract.ts';
import { amendmentRow } from './request-amendment.server.ts';

export async function findAmendment(ctx: WorkContext, licenseId: number, id: number): Promise<AmendmentRow> {
  const row = await amendmentRow(ctx, id) as AmendmentRow | undefined;
  if (!row || row.license_id !== licenseId) throw refuse('not_found');
  return row;
}

export async function showAmendment(ctx: WorkContext, licenseId: number, id: number): Promise<AmendmentDetail> {
  const row = await findAmendment(ctx, licenseId, id);
  if (row.version_no !== null) {
    return { ...row, differences: await versionDifferences(ctx, licenseId, row.version_no), preview: null,
      problem: null };
  }
  const nights = await wishedNights(ctx, row);
  if (row.status !== 'requested' || row.kind !== 'amend') {
    return { ...row, differences: { ...nights, lines: [] }, preview: null, problem: null };
  }
  try {
    const preview = await previewAmendment(ctx, licenseId, amendmentChanges.parse(row.changes));
    return { ...row, differences: { ...nights, lines: preview.lines }, preview, problem: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const words = Object.values(error.errors ?? {}).flat().join('. ');
    return { ...row, differences: { ...nights, lines: [] }, preview: null, problem: words || error.message };
  }
}

/** Between version n and the one before it. */
export async function versionDifferences(
  ctx: WorkContext, licenseId: number, versionNo: number,
): Promise<Differences> {
  const versions = await ctx.db.query<{ snapshot: OfferSnapshot }>(sql`
    select snapshot from license_versions where license_id = ${licenseId} and version_no <= ${versionNo}
    order by version_no desc limit 2`);
  const [after, before] = versions;
  return differencesOf(before?.snapshot ?? { venues: [], lines: [] }, after!.snapshot);
}

interface Planned extends Night { id: number; license_venue_id: number }

/** Nights as the customer asked for them. */
async function wishedNights(
  ctx: WorkContext, row: AmendmentRow,
): Promise<Pick<Differences, 'added' | 'removed'>> {
  const parsed = amendmentChanges.safeParse(row.changes);
  const changes = parsed.success ? parsed.data.performances ?? [] : [];
  const planned = await ctx.db.query<Planned>(sql`
    select p.id, p.license_venue_id, v.name as venue_name, p.local_date,
      to_char(p.local_time, 'HH24:MI') as local_time
    from performances p join license_venues v on v.id = p.license_venue_id where p.license_id = ${row.license_id}`);
  const known = (id: number | undefined): Planned | undefined => planned.find((one) => one.id === id);
  const night = (from: Night): Night => ({ venue_name: from.venue_name, local_date: from.local_date,
    local_time: from.local_time });
  return {
    removed: changes.flatMap((change) => known(change.id) ?? []).map(night),
    added: changes.filter((change) => change.cancel !== true).map((change) => {
      const before = known(change.id);
      return { venue_name: before?.venue_name
        ?? planned.find((one) => one.license_venue_id === change.license_venue_id)?.venue_name ?? '',
      local_date: change.local_date ?? before?.local_date ?? '', local_time: change.local_time ?? before?.local_time
        ?? '' };
    }),
  };
}
