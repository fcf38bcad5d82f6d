/**
 * The auditor's package of a division and a month: CSV and PDF of every table, read at one moment, packed while it is
 * read. The same books give the same bytes: files carry the last day of the month, not the hour of the download.
 */
import { periodFor } from '#kernel/calendar/calendar.ts';
import { formatMinor, parseMinor } from '#kernel/money/money.ts';
import { refuse } from '#kit/errors.ts';
import { letterHead, type LetterHead } from '#modules/system/letter-head.public.server.ts';
import { workContext } from '#server/context.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { csvStream } from '#server/csv.ts';
import { renderPdf, type PdfInput } from '#server/pdf.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { zipStream, type PackedFile } from '#server/zip.ts';
import { auditorPackageEndpoints } from './auditor-package.contract.ts';
import { auditTables, type AuditMonth, type AuditTable, type Cells } from './auditor-tables.server.ts';

/** Rows that a paper still shows; what is longer is read in the CSV file. */
const PRINTED = 2_000;

interface PrintedTable { table: AuditTable; rows: Cells[]; count: number }

/** The rows as they pass, the first of them kept for the paper. */
async function* kept(rows: AsyncIterable<Cells>, into: PrintedTable): AsyncGenerator<Cells> {
  for await (const row of rows) {
    into.count += 1;
    if (into.count <= PRINTED) into.rows.push(row);
    yield row;
  }
}

function paperCell(value: Cells[number], isAmount: boolean): string {
  const minor = isAmount && typeof value === 'string' && value !== '' ? parseMinor(value) : null;
  return minor === null ? String(value ?? '') : formatMinor(minor);
}

function paperOf({ table, rows, count }: PrintedTable, month: AuditMonth, house: LetterHead): PdfInput {
  const shown = table.header.flatMap((label, index) => (table.widths[index]! > 0 ? [{ label, index }] : []));
  const long = count > PRINTED;
  return { title: table.title, paper: 'audit_table', language: house.language, sender: house.lines,
    recipient: [], landscape: true, made_at: new Date(`${month.ends}T00:00:00Z`),
    footer: `${house.name} · ${table.title}`, blocks: [{ kind: 'title', text: table.title },
      { kind: 'facts', rows: [['Division', month.division], ['Period', periodFor(house.language, month.starts,
        month.ends)], ['Amounts in', month.currency]] },
      ...(count === 0 ? [{ kind: 'text' as const, text: 'There is nothing to show for this month.' }] : [{
        kind: 'table' as const, columns: shown.map(({ label, index }) => ({ label, width: table.widths[index]!,
          ...(table.amounts.has(label) ? { align: 'right' as const } : {}) })),
        rows: rows.map((row) => shown.map(({ label, index }) => paperCell(row[index]!, table.amounts.has(label)))) }]),
      ...(long ? [{ kind: 'text' as const, text: `The first ${PRINTED} of ${count} rows. All of them are in `
        + `${table.name}.csv.` }] : [])] };
}

async function monthOf(ctx: Ctx, division: AuditMonth['division'], period: number):
Promise<AuditMonth & { id: number }> {
  const row = await ctx.db.maybeOne<{ id: number; starts: string; ends: string; currency: string }>(sql`
    select p.id, p.starts, p.ends, d.functional_currency as currency
    from periods p join divisions d on d.code = p.division where p.division = ${division} and p.period = ${period}`);
  if (!row) throw refuse('not_found', 'The division has no such month.');
  return { division, period, ...row };
}

async function auditorPackage(ctx: Ctx, division: AuditMonth['division'], period: number): Promise<FileAnswer> {
  const month = await monthOf(ctx, division, period);
  const house = await letterHead(ctx.db, division);
  await ctx.ports.db.tx((tx) => workContext(ctx.ports, tx, ctx.actor).audit({ action: 'download', entity: 'period',
    entity_id: month.id, after: { division, period, file: 'auditor_package' } }));
  const content = zipStream(new Date(`${month.ends}T00:00:00Z`), async (zip) => {
    const files: (PackedFile & { rows: number | '' })[] = [];
    const papers = auditTables(month).map((table): PrintedTable => ({ table, rows: [], count: 0 }));
    await ctx.ports.db.read(async (tx) => {
      await tx.exec(sql`set transaction isolation level repeatable read`);
      await tx.exec(sql`set local statement_timeout = 0`);
      await tx.exec(sql`set local idle_in_transaction_session_timeout = 0`);
      for (const paper of papers) {
        const csv = csvStream(paper.table.header, kept(paper.table.rows(tx), paper)) as AsyncIterable<Buffer>;
        const packed = await zip.add(`${paper.table.name}.csv`, csv);
        files.push({ ...packed, rows: paper.count });
      }
    });
    // Drawn when the books are read: nobody waits for a page with the database held.
    for (const paper of papers) {
      files.push({ ...await zip.add(`${paper.table.name}.pdf`, await renderPdf(paperOf(paper, month, house))),
        rows: '' });
    }
    await zip.add('contents.csv', csvStream(['File', 'Rows', 'Bytes', 'SHA-256'],
      files.map((one) => [one.name, one.rows, one.bytes, one.sha256])) as AsyncIterable<Buffer>);
  });
  return { filename: `books-${division.toLowerCase()}-${period}.zip`, content_type: 'application/zip', content };
}

export const auditorPackageRoutes: Route[] = serve(auditorPackageEndpoints, {
  file: (ctx, { query }) => auditorPackage(ctx, query.division, query.period),
});
