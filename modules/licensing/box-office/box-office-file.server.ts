/** Calls of a customer's box-office files and of the page that sends several reports together. */
import { refuse } from '#kit/errors.ts';
import type { DateFormat } from '#modules/data-exchange/imports/import-field.contract.ts';
import {
  dateIn, readFigureFile, type FigureFile,
} from '#modules/data-exchange/reading/reading.public.server.ts';
import { storeFile } from '#modules/system/file.public.server.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { csvStream } from '#server/csv.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { mimeOf } from '../documents/store-document.server.ts';
import { findCustomerLicense, type License } from '../licenses/license-record.server.ts';
import { boxOfficeFileEndpoints, FILE_FIELDS, type FileReading } from './box-office-file.contract.ts';
import { reportOutlook } from './check-reports.server.ts';
import { rememberMap, savedMap, type SavedMap } from './column-maps.server.ts';
import { filePlaces, type FilePlaces } from './file-places.server.ts';
import { cellOf, readRows, type UnaskedRow } from './read-box-office-file.server.ts';
import { ownIdsOf, sendReports, submission } from './send-reports.server.ts';

interface KeptFile { id: number; storage_key: string; name: string }

/** A file of the person who asks; anybody else's is not there. */
async function ownFile(ctx: Ctx, fileId: number): Promise<KeptFile> {
  const row = await ctx.db.maybeOne<KeptFile>(sql`
    select id, storage_key, original_name as name from files
    where id = ${fileId} and created_by_id = ${ctx.user.user_id}`);
  if (!row) throw refuse('not_found');
  return row;
}

type Choice = Parameters<typeof readFigureFile>[2];

async function reading(ctx: Ctx, license: License, fileId: number, choice: Choice): Promise<FileReading> {
  const kept = await ownFile(ctx, fileId);
  const content = await ctx.ports.files.get(kept.storage_key);
  const saved: { map: SavedMap | null } = { map: null };
  const read = await readFigureFile(content, FILE_FIELDS, choice, async (header) => {
    saved.map = await savedMap(ctx, license.customer_id, header);
    return saved.map?.choice ?? null;
  });
  const places = await placesOf(ctx, license, read);
  const file = datedByRun(read, places);
  const chosen = Object.values(choice).some((value) => value !== undefined);
  if (chosen) await rememberMap(ctx, license.customer_id, file.header, { ...choice, columns: file.columns });
  const missing = missingIn(file);
  const rows = missing.length > 0 || file.readings.length > 0 ? [] : await asked(ctx, license,
    readRows(file, places, license.division), places);
  return { file_id: kept.id, name: kept.name, header: file.header, samples: file.samples, columns: file.columns,
    matched_by: chosen ? 'person' : saved.map?.by ?? 'heads', system: chosen ? null : saved.map?.system ?? null,
    date_format: file.date_format, decimal_style: file.decimal_style, readings: file.readings, missing,
    note: file.sheet_note, rows };
}

const missingIn = ({ columns }: FigureFile): string[] => Object.entries(FILE_FIELDS)
  .filter(([field, facts]) => facts.required && columns[field] === undefined).map(([field]) => field);

function placesOf(ctx: Ctx, license: License, file: FigureFile): Promise<FilePlaces> {
  const cells = (field: string) => [...new Set(file.rows.map((row) => cellOf(file, row, field)))].filter(Boolean);
  return filePlaces(ctx.db, license.id, { venues: cells('venue'), shows: cells('show') });
}

/** Of several ways to read the dates the only one by which all are days of the run; otherwise a person decides. */
function datedByRun(file: FigureFile, { reports }: FilePlaces): FigureFile {
  const open = file.readings.find((one) => one.setting === 'date_format');
  const texts = file.rows.map((row) => cellOf(file, row, 'date')).filter(Boolean);
  const fitting = open?.options.map(({ value }) => value as DateFormat).filter((format) => texts.every((text) => {
    const day = dateIn(text, format);
    return day !== null && reports.some((one) => one.period_from <= day && one.period_to >= day);
  })) ?? [];
  return fitting.length === 1 ? { ...file, date_format: fitting[0]!,
    readings: file.readings.filter((one) => one !== open) } : file;
}

/** Each report that can be sent, with the questions it would raise beside what is stored and the rows before it. */
async function asked(
  ctx: Ctx, license: License, rows: readonly UnaskedRow[], places: FilePlaces,
): Promise<FileReading['rows']> {
  const ready = rows.flatMap((row) => (row.report === null ? [] : [row.report]));
  const outlook = await reportOutlook(ctx, license.id, ready.map((one) => submission(license.id, one)),
    ownIdsOf(ready, places.reports));
  let next = 0;
  return rows.map((row) => {
    if (row.report === null) return { ...row, questions: [] };
    const { problems, questions } = outlook[next++]!;
    const [problem] = Object.values(problems).flat();
    return problem === undefined ? { ...row, questions }
      : { ...row, questions: [], outcome: 'refused', reason: problem, report: null };
  });
}

/** Our heads with the reports that are due: to be filled in by hand or by a box-office system. */
async function sample(ctx: Ctx, license: License): Promise<FileAnswer> {
  const due = await ctx.db.query<{ period_to: string; venue: string; performances: number }>(sql`
    select b.period_to, coalesce(v.name, '') as venue,
      (select count(*)::int from performances p where p.license_id = b.license_id
        and p.status in ('planned', 'performed') and p.local_date between b.period_from and b.period_to
        and p.license_venue_id = coalesce(b.license_venue_id, p.license_venue_id)) as performances
    from box_office_reports b
      left join license_venues v on v.id = b.license_venue_id
    where b.license_id = ${license.id} and b.status = 'expected' order by b.period_to, v.sort, b.id limit 500`);
  const title = license.title_on_license;
  return { filename: 'box-office.csv', content_type: 'text/csv; charset=utf-8',
    content: csvStream(['Week ending', 'Show', 'Venue', 'Gross', 'Performances', 'Attendance', 'Comps',
      'Card commission', 'Group sales commission'],
    due.map((row) => [row.period_to, title, row.venue, '', row.performances, '', '', '', ''])) };
}

const customerRoutes: Route[] = serve(boxOfficeFileEndpoints, {
  async upload(ctx, { params }) {
    const license = await findCustomerLicense(ctx.db, params.id, params.licenseId);
    if (!ctx.file) throw refuse('not_found');
    const { id } = await storeFile(ctx, ctx.file, mimeOf(ctx.file));
    await ctx.audit({ action: 'upload', entity: 'license', entity_id: license.id, after: { box_office_file_id: id } });
    return { data: { file_id: id, name: ctx.file.filename, size_bytes: ctx.file.content.length } };
  },
  async read(ctx, { params, body }) {
    const license = await findCustomerLicense(ctx.db, params.id, params.licenseId);
    return { data: await reading(ctx, license, params.boxOfficeFileId, body) };
  },
  async sample(ctx, { params }) {
    return sample(ctx, await findCustomerLicense(ctx.db, params.id, params.licenseId));
  },
  async check(ctx, { params, body }) {
    const license = await findCustomerLicense(ctx.db, params.id, params.licenseId);
    const { reports } = await filePlaces(ctx.db, license.id, { venues: [], shows: [] });
    const outlook = await reportOutlook(ctx, license.id, body.reports.map((one) => submission(license.id, one)),
      ownIdsOf(body.reports, reports));
    return { data: outlook.map(({ questions }) => ({ questions })) };
  },
  async send(ctx, { params, body }) {
    const license = await findCustomerLicense(ctx.db, params.id, params.licenseId);
    return { data: await sendReports(ctx, license.id, body.reports, body.certified_name) };
  },
});

export const boxOfficeFileRoutes: readonly Route[] = customerRoutes;
