/** Calls about the venues of a licence; all of them change a draft, which is priced and checked again. */
import { refuse } from '#kit/errors.ts';
import { stale } from '#server/crud.ts';
import { listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { draftChanged, requireDraft } from '../quote/change-draft.server.ts';
import { findLicense } from '../license-record.server.ts';
import { licenseVenueColumns, licenseVenueRows } from './license-venue-rows.server.ts';
import { licenseVenueEndpoints, type LicenseVenueRow } from './license-venue.contract.ts';
import { saveVenues } from './save-venues.server.ts';

export const licenseVenueRoutes = serve(licenseVenueEndpoints, {
  async list(ctx, { params, query }) {
    await findLicense(ctx.db, params.licenseId);
    return listPage<LicenseVenueRow>(ctx.db, {
      base: sql`license_venues t`, columns: licenseVenueColumns, joins: sql`join licenses l on l.id = t.license_id`,
      conditions: [sql`t.license_id = ${params.licenseId}`], sorts: { sort: sql`t.sort` }, defaultSort: 'sort',
    }, query, `/api/admin/staff/licenses/${params.licenseId}/license_venues`);
  },
  async create(ctx, { params, body }) {
    const license = await findLicense(ctx.db, params.licenseId, true);
    requireDraft(license);
    const [id = 0] = await saveVenues(ctx, license, [{ ...body, id: undefined }], { replace: false });
    await draftChanged(ctx, license.id, { action: 'add_venue', run: true, after: body });
    return { data: (await licenseVenueRows(ctx.db, sql`t.id = ${id}`))[0]! };
  },
  async update(ctx, { params, body }) {
    const license = await findLicense(ctx.db, params.licenseId, true);
    requireDraft(license);
    const { version, id: _named, ...venue } = body;
    const [before] = await licenseVenueRows(ctx.db, sql`t.id = ${params.id} and t.license_id = ${license.id}`);
    if (!before) throw refuse('not_found');
    if (before.version !== version) throw stale(before);
    await saveVenues(ctx, license, [{ ...venue, id: params.id }], { replace: false });
    const moved = venue.performances !== undefined || venue.venue_id !== undefined || venue.address !== undefined
      || venue.lat !== undefined;
    await draftChanged(ctx, license.id, { action: 'change_venue', run: moved, before, after: venue });
    return { data: (await licenseVenueRows(ctx.db, sql`t.id = ${params.id}`))[0]! };
  },
  async remove(ctx, { params }) {
    const license = await findLicense(ctx.db, params.licenseId, true);
    requireDraft(license);
    const rows = await licenseVenueRows(ctx.db, sql`t.license_id = ${license.id}`);
    const gone = rows.find((row) => row.id === params.id);
    if (!gone) throw refuse('not_found');
    const kept = rows.filter((row) => row.id !== params.id).map((row) => ({ id: row.id }));
    await saveVenues(ctx, license, kept, { replace: true });
    await draftChanged(ctx, license.id, { action: 'remove_venue', run: true, before: gone });
  },
  async sync(ctx, { params, body }) {
    const license = await findLicense(ctx.db, params.licenseId, true);
    requireDraft(license);
    const before = await licenseVenueRows(ctx.db, sql`t.license_id = ${license.id}`);
    await saveVenues(ctx, license, body.license_venues, { replace: true });
    await draftChanged(ctx, license.id, { action: 'change_venues', run: true, before, after: body.license_venues });
    return { data: await licenseVenueRows(ctx.db, sql`t.license_id = ${license.id}`) };
  },
});
