/** Files of a licence: what may be downloaded, the marked copy that leaves, and the downloads that staff allow anew. */
import { conflict, refuse } from '#kit/errors.ts';
import { DOWNLOAD_GRACE_DAYS, entitledUntil, whyNoDownload } from '#kernel/materials/download-access.ts';
import type { ShipGroup } from '#kernel/materials/explode.ts';
import { lineShipsOn } from '#kernel/materials/ship-dates.ts';
import { allowDownloadsAnew, downloadName, downloadsOf, handOutFile, usedDownloads }
  from '#modules/catalogue/catalogue.public.server.ts';
import { fileTypeOf } from '#modules/catalogue/material/material-file-kinds.contract.ts';
import { withCounterRole, type Ctx, type FileAnswer, type WorkContext } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { findCustomerLicense, findLicense, type License } from '../licenses/license-record.server.ts';
import {
  licenseFileEndpoints, portalLicenseFileEndpoints, type LicenseFile, type StaffLicenseFile,
} from './download.contract.ts';

type DownloadableFile = LicenseFile & { item_number: string; storage_key: string };
type Stored = Omit<DownloadableFile, 'opens_on' | 'closes_on' | 'refusal' | 'reason' | 'kind' | 'download_name'>
  & { ship_group: ShipGroup; lead_days: number; grace_days: number };

const ownerOf = (license: License) => ({ license_id: license.id, sales_order_id: null });
const labelOf = (file: Pick<DownloadableFile, 'name' | 'material_name'>): string =>
  (file.name === file.material_name ? file.name : `${file.material_name}, ${file.name}`);

/**
 * Every file of the materials that this licence downloads, in the order of its materials; then those that its add-ons
 * bring. A material that comes both ways counts once, as the licence's own. What is sold by the user may be downloaded
 * by each of them as often as its material says, and no oftener by all together.
 */
async function filesOf(ctx: Pick<WorkContext, 'db' | 'today'>, license: License): Promise<DownloadableFile[]> {
  const today = await ctx.today(license.division);
  const rows = await ctx.db.query<Stored>(sql`
    select t.id, t.material_id, l.name as material_name, l.item_number, t.name, t.pages, f.size_bytes, f.storage_key,
      f.mime_type, l.ship_group, l.lead_days, l.grace_days, l.download_limit as "limit",
      ${usedDownloads(ownerOf(license), sql`t.id`)} as used
    from (select distinct on (b.material_id) * from (
        select 0 as way, m.sort, m.id, m.material_id, m.name, m.item_number, m.ship_group, m.lead_days,
          ${DOWNLOAD_GRACE_DAYS}::int as grace_days, m.download_limit
        from license_materials m where m.license_id = ${license.id} and m.fulfilment = 'download'
        union all
        select 1, c.sort, c.id, m.id, m.name, m.item_number, 'digital', 0, o.grace_days,
          m.download_limit * case when o.pricing_model = 'per_user' then c.quantity else 1 end
        from license_charges c join add_ons o on o.id = c.add_on_id join add_on_materials a on a.add_on_id = o.id
          join materials m on m.id = a.material_id
        where c.license_id = ${license.id} and c.quantity > 0) b
        order by b.material_id, b.way, b.download_limit desc, b.id) l
      join material_files t on t.material_id = l.material_id and t.removed_at is null
      join files f on f.id = t.file_id
    order by l.way, l.sort, l.id, t.sort, t.id`);
  return rows.map(({ ship_group, lead_days, grace_days, ...row }) => {
    const closes_on = entitledUntil(license.last_performance_on, grace_days);
    const opens_on = lineShipsOn({ ship_group, lead_days }, license.first_performance_on, license.ship_on);
    const refusal = whyNoDownload({ phase: license.phase, on_hold: license.on_hold, opens_on, closes_on,
      today, limit: row.limit, used: row.used });
    const download_name = downloadName({ label: labelOf(row), mime_type: row.mime_type },
      license.license_number ?? license.number);
    return { ...row, kind: fileTypeOf(row.mime_type).kind, download_name, opens_on, closes_on,
      refusal: refusal?.code ?? null, reason: refusal?.message ?? null };
  });
}

/** The file as it may be downloaded now; 404 where the licence has none of that id, 409 with the reason in words. */
async function openFile(ctx: WorkContext, license: License, fileId: number): Promise<DownloadableFile> {
  const file = (await filesOf(ctx, license)).find((one) => one.id === fileId);
  if (!file) throw refuse('not_found');
  if (file.refusal !== null) throw conflict(`license_file.${file.refusal}`, file.reason!);
  return file;
}

interface DownloadRequest { id: number; licenseId: number; fileId: number }

async function download(ctx: Ctx, { id, licenseId, fileId }: DownloadRequest): Promise<FileAnswer> {
  const license = await findCustomerLicense(ctx.db, id, licenseId);
  const file = await openFile(ctx, license, fileId);
  const { name } = await ctx.db.one<{ name: string }>(sql`select name from customers where id = ${id}`);
  return handOutFile(ctx, { owner: ownerOf(license), file: { ...file, label: labelOf(file) }, licensee: name,
    number: license.license_number ?? license.number, recheck: async () => {
      await openFile(ctx, await findCustomerLicense(ctx.db, id, licenseId, true), fileId);
    } });
}

/** So many downloads of a file are shown; the audit has all. */
const SHOWN = 20;

async function forStaff(ctx: WorkContext, license: License): Promise<StaffLicenseFile[]> {
  const downloads = await downloadsOf(ctx, ownerOf(license));
  return (await filesOf(ctx, license)).map((file) => ({ ...file,
    downloads: downloads.filter((one) => one.file_id === file.id).slice(0, SHOWN) }));
}

async function allow(ctx: Ctx, licenseId: number, fileId: number, reason: string): Promise<StaffLicenseFile> {
  const license = await findLicense(ctx.db, licenseId, true);
  const file = (await filesOf(ctx, license)).find((one) => one.id === fileId);
  if (!file) throw refuse('not_found');
  await allowDownloadsAnew(ctx, ownerOf(license), { ...file, label: labelOf(file) }, reason);
  return (await forStaff(ctx, license)).find((one) => one.id === fileId)!;
}

export const licenseFileRoutes: Route[] = [
  ...serve(licenseFileEndpoints, {
    list: async (ctx, { params }) => ({ data: await forStaff(ctx, await findLicense(ctx.db, params.licenseId)) }),
    allow: async (ctx, { params, body }) =>
      ({ data: await allow(ctx, params.licenseId, params.fileId, body.reason) }),
  }),
  ...serve(portalLicenseFileEndpoints, {
    // Files are the house's until they are handed out, so which there are is asked at the counter.
    list: async (ctx, { params }) => {
      const license = await findCustomerLicense(ctx.db, params.id, params.licenseId);
      return { data: await withCounterRole(ctx, (house) => filesOf(house, license)) };
    },
    download: (ctx, { params }) => download(ctx, params),
  }),
];
