/**
 * Real weeks of Broadway as the thread's import test and bench need them: a licence for every show and theatre of the
 * file. The data stays outside the repository (README there); callers skip where it is absent.
 */
import { parse } from 'csv-parse/sync';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorkContext } from '#server/context.ts';
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { acceptReportsBulk, answerQuestion } from '#modules/licensing/box-office/box-office.public.server.ts';
import { makeDeal, makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { FULL } from './full.ts';
import { makeCustomer } from './receivables.ts';

const folder = resolve(process.env['SHARED_DATA'] ?? '../shared/data');
export const BROADWAY_CSV = resolve(folder, 'broadway/corgis_broadway.csv');
const WRITERS = resolve(folder, 'broadway/shows_with_writers.json');
/** Sum over all weeks of the greater of 11% and 750.00 by performance: oracle-totals.json. */
export const BROADWAY_TOTAL_MINOR = 205_202_653_735;
export const BROADWAY_ROWS = 31_296;

/** Every sixteenth week in `npm test`, and of each show in each theatre the first; all in `npm run test:full`. */
const SIXTEENTH = 16;

export interface BroadwayWeeks {
  /** Rows as the file has them, by the names of its columns. */
  rows: Record<string, string>[];
  /** The same rows as a file. */
  csv: Buffer;
  /** Their share of {@link BROADWAY_TOTAL_MINOR}: the greater of 11% and 750.00 by performance, in whole cents. */
  total_minor: number;
}

/**
 * The weeks that a test takes, none where the file is not here. Throws where the whole file does not add up to the
 * total of its oracle.
 */
export function broadwayWeeks(): BroadwayWeeks {
  if (!existsSync(BROADWAY_CSV)) return { rows: [], csv: Buffer.alloc(0), total_minor: 0 };
  const [head = '', ...lines] = readFileSync(BROADWAY_CSV, 'utf8').trimEnd().split('\n');
  const all = parse([head, ...lines].join('\n'), { columns: true, bom: true }) as Record<string, string>[];
  const owed = (rows: readonly Record<string, string>[]): number => rows.reduce((sum, row) => sum
    + Math.max(Number(row['Statistics.Gross']) * 11, Number(row['Statistics.Performances']) * 75_000), 0);
  if (all.length !== BROADWAY_ROWS || owed(all) !== BROADWAY_TOTAL_MINOR) throw new Error('Another file than expected');
  const seen = new Set<string>();
  const taken = new Set(all.flatMap((row, at) => {
    const pair = `${row['Show.Name']}|${row['Show.Theatre']}`;
    const isFirst = !seen.has(pair);
    seen.add(pair);
    return FULL || isFirst || at % SIXTEENTH === 0 ? [at] : [];
  }));
  const rows = all.filter((_, at) => taken.has(at));
  const csv = [head, ...lines.filter((_, at) => taken.has(at))].join('\n');
  return { rows, csv: Buffer.from(`${csv}\n`), total_minor: owed(rows) };
}

export function broadwayIsHere(): boolean {
  const here = existsSync(BROADWAY_CSV) && existsSync(WRITERS);
  if (!here) console.warn(`SKIPPED: no Broadway data at ${folder}; set SHARED_DATA to run it.`);
  return here;
}

export function nastyFolder(): string | null {
  const path = resolve(folder, 'csv-nasty');
  if (existsSync(path)) return path;
  console.warn(`SKIPPED: no nasty files at ${path}; set SHARED_DATA to run them.`);
  return null;
}

const ROLES = { book: /^book$|bookwriter/i, music: /composer|^music$|original music/i, lyrics: /lyric/i } as const;

/** Parties of a show: one for each of book, music and lyrics that its credits name, combined credits included. */
function partiesOf(writers: Record<string, unknown> | undefined): string[] {
  const credits = Object.keys(writers ?? {}).flatMap((credit) => credit.split(/,|&| and /).map((part) => part.trim()));
  return Object.entries(ROLES).filter(([, pattern]) => credits.some((credit) => pattern.test(credit)))
    .map(([role]) => role);
}

/** Shows, theatres and one licence for each pair: 11%, 750.00 by performance. Answers the number of licences. */
export async function makeBroadwayLicenses(db: Db, rows?: number): Promise<number> {
  const all = parse(readFileSync(BROADWAY_CSV, 'utf8'), { columns: true, bom: true }) as Record<string, string>[];
  const pairs = new Map(all.slice(0, rows).map((row): [string, { show: string; theatre: string }] => [
    `${row['Show.Name']}|${row['Show.Theatre']}`, { show: row['Show.Name']!, theatre: row['Show.Theatre']! }]));
  const writers = new Map((JSON.parse(readFileSync(WRITERS, 'utf8')) as
    { show: string; writers?: Record<string, unknown> }[]).map((one) => [one.show, one.writers]));
  const customer = await makeCustomer(db, 'US');
  const shows = new Map<string, Awaited<ReturnType<typeof makeShow>>>();
  const theatres = new Map<string, number>();
  for (const { show, theatre } of pairs.values()) {
    const known = shows.get(show) ?? await showOf(db, show, partiesOf(writers.get(show)));
    shows.set(show, known);
    const venue = theatres.get(theatre) ?? (await db.one<{ id: number }>(sql`
      insert into venues (name) values (${theatre}) returning id`)).id;
    theatres.set(theatre, venue);
    const deal = await makeDeal(db, known, { customer_id: customer, min_per_performance_minor: 75_000 });
    await db.exec(sql`
      update license_venues set venue_id = ${venue}, name = ${theatre} where id = ${deal.license_venue_id}`);
  }
  return pairs.size;
}

async function showOf(db: Db, title: string, roles: readonly string[]) {
  const show = await makeShow(db, roles.map((role) => ({ name: `${role} of ${title}`, rate_ppm: 1_000_000 })));
  await db.exec(sql`update shows set title = ${title}, sort_title = ${title} where id = ${show.show_id}`);
  return show;
}

/** Lets held returns count as the theater sent them, with a reason, and accepts them; answers how many. */
export async function acceptHeld(ctx: WorkContext): Promise<number> {
  const held = await ctx.db.query<{ report_id: number; question_id: number }>(sql`
    select q.box_office_report_id as report_id, q.id as question_id
    from box_office_questions q join box_office_reports r on r.id = q.box_office_report_id
    where r.held and q.answered_at is null and q.kind <> 'no_performances' order by q.id`);
  for (const one of held) await answerQuestion(ctx, { ...one, answer: 'add', note: 'Confirmed by the theater' });
  const reports = [...new Set(held.map((one) => one.report_id))];
  await acceptReportsBulk(ctx, reports.map((report_id) => ({ report_id })));
  return reports.length;
}
