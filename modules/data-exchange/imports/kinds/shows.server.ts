/**
 * Shows with their writers from a list. A production is not a show: a revival of a title by the same writers is the
 * show we have. Writers become royaltors with agreements in draft; one who may be somebody we know is asked about.
 */
import type * as z from 'zod';
import { DIVISIONS, type Division } from '#kit/field.ts';
import { IMPORT_COLUMNS } from '#kit/import-columns.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import {
  createAgreement, createRoyaltor, createShow, rehearseShows, setShowAliases, updateShow,
} from '#modules/catalogue/catalogue.public.server.ts';
import { agreement, currencyOfDivision } from '#modules/catalogue/agreement/agreement.contract.ts';
import { royaltor } from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { show, SHOW_TYPES } from '#modules/catalogue/show/show.contract.ts';
import { SIMILAR_PERSON, type SourceRow } from '../import-work.server.ts';
import type { RowProblem } from '../read-cell.ts';
import { nameKey, titleKey, titleKeys } from './alike.ts';
import type { Cells } from './cells.ts';
import { pathsOf } from './differences.ts';
import { People, type Person } from './people.server.ts';
import { recordWork, type ExistingRecord, type Verdict } from './record-work.server.ts';
import { freeCode } from './show-code.ts';
import { ADDED_WRITERS, SHOW_FIELDS } from './shows.contract.ts';

const ROLES = ['author', 'bookwriter', 'composer', 'lyricist', 'underlying'] as const;
type Role = (typeof ROLES)[number];
const BY: Record<Role, string> = { author: 'By', bookwriter: 'Book by', composer: 'Music by', lyricist: 'Lyrics by',
  underlying: 'Based on work by' };

interface Credit { role: Role; name: string }
interface ShowRow {
  input: z.output<typeof show.create>;
  /** The file's own code; one is made where it has none. */
  code: string | null;
  credits: Credit[];
  aliases: string[];
  division: Division;
  /** Writers whom a show that is there already does not pay yet get agreements in draft. */
  adds: boolean;
}

interface Work extends ExistingRecord {
  key: string;
  code: string;
  type: string;
  year: number | null;
  writers: Set<string>;
}

interface Book {
  people: People;
  byTitle: Map<string, Work[]>;
  byCode: Map<string, Work>;
  /** Codes that are taken, also by shows that no row speaks of. */
  codes: Set<string>;
  /** The number that codes of one beginning have come to. */
  numbers: Map<string, number>;
  /** Show that a title or an alternative title refers to, by its key. */
  names: Map<string, Work>;
  byId: Map<number, Work>;
}

function read(cells: Cells): ShowRow {
  const title = cells.required('title');
  const credits = ROLES.flatMap((role) => {
    const names = new Map(cells.list(role).map((name) => [nameKey(name), name]));
    return [...names.values()].map((name) => ({ role, name }));
  });
  const long = credits.find((credit) => credit.name.length > 160);
  if (long) cells.checked(royaltor.create.pick({ name: true }), { name: long.name }, { name: long.role });
  const code = cells.optional('show_code');
  const input = cells.checked(show.create, {
    show_code: code ?? 'X', title, sort_title: null, type: cells.choice('type', SHOW_TYPES),
    authors_credit: creditOf(credits, cells.text('other_credits')), synopsis: cells.optional('synopsis'),
    year: cells.count('year', 2200), running_time_minutes: cells.count('running_time_minutes', 1440),
    cast_min: cells.count('cast_min', 1000), cast_max: cells.count('cast_max', 1000),
    age_rating: cells.optional('age_rating'),
    orchestrations: cells.list('orchestrations').map((one) => one.toLowerCase()),
    available_from: null, billing_template: null, cast_women: cells.count('cast_women', 1000),
    cast_men: cells.count('cast_men', 1000), cast_any: cells.count('cast_any', 1000),
    content_notes: cells.optional('content_notes'), songs: cells.optional('songs'),
    versions: cells.optional('versions'), excerpt: cells.optional('excerpt'),
    territory: cells.optional('territory'),
  }, { authors_credit: 'other_credits' });
  return { input, code, credits, aliases: cells.list('aliases'),
    division: cells.choice('payer_division', DIVISIONS, 'US'),
    adds: cells.choice('added_writers', ADDED_WRITERS, 'leave') === 'add' };
}

/** "Book by Ada Winslow. Music by …", as programmes print it; names that would not fit are left to the agreements. */
function creditOf(credits: readonly Credit[], others: string): string {
  const lines = ROLES.map((role) => [role, credits.filter((credit) => credit.role === role)] as const)
    .filter(([, of]) => of.length > 0)
    .map(([role, of]) => `${BY[role]} ${new Intl.ListFormat('en').format(of.map((credit) => credit.name))}`);
  const all = [...lines, ...(others === '' ? [] : [others])].join('. ');
  return all.length > 500 ? `${all.slice(0, 499)}…` : all;
}

async function book(db: Queryable, reads: readonly ShowRow[], before: Book | null): Promise<Book> {
  const known: Book = before ?? { people: new People(), byTitle: new Map(), byCode: new Map(), codes: new Set(),
    numbers: new Map(), names: new Map(), byId: new Map() };
  await known.people.learn(db, reads.flatMap((row) => row.credits.map((credit) => credit.name)));
  const titles = [...new Set(reads.flatMap((row) => [...titleKeys(row.input.title), ...row.aliases.map(nameKey)]))];
  const writers = [...new Set(reads.flatMap((row) => row.credits.flatMap((credit) =>
    known.people.find(credit.name)?.id ?? [])))];
  const rows = await db.query<{ id: number; show_code: string; title: string; type: string; year: number | null;
    writers: string[]; titles: string[] }>(sql`
    select s.id, s.show_code, s.title, s.type, s.year,
      array(select r.name from show_royaltors a join royaltors r on r.id = a.royaltor_id
        where a.show_id = s.id and a.deleted_at is null) as writers,
      array(select a.alias from show_aliases a where a.show_id = s.id) as titles
    from shows s where s.deleted_at is null and s.id in (
      select x.id from unnest(${titles}::text[]) t join shows x on name_key(x.title) = t and x.deleted_at is null
      union select a.show_id from unnest(${titles}::text[]) t join show_aliases a on name_key(a.alias) = t
      union select x.id from unnest(${reads.flatMap((row) => row.code ?? [])}::text[]) c
        join shows x on x.show_code = c
      union select a.show_id from unnest(${writers}::bigint[]) w join show_royaltors a on a.royaltor_id = w)
    order by s.id`);
  for (const row of rows) {
    if (known.byCode.has(row.show_code)) continue;
    const work: Work = { id: row.id, label: `${row.title} · ${row.show_code}`, key: titleKey(row.title),
      code: row.show_code, type: row.type, year: row.year, writers: new Set(row.writers.map(nameKey)) };
    known.byId.set(row.id, work);
    for (const title of [row.title, ...row.titles]) addWork(known, work, title);
  }
  if (before === null) {
    const codes = await db.query<{ show_code: string }>(sql`select show_code from shows`);
    for (const { show_code } of codes) known.codes.add(show_code);
  }
  return known;
}

function addWork(known: Book, work: Work, title: string): void {
  known.byCode.set(work.code, work);
  if (!known.names.has(nameKey(title))) known.names.set(nameKey(title), work);
  const same = known.byTitle.get(titleKey(title));
  if (!same) known.byTitle.set(titleKey(title), [work]);
  else if (!same.includes(work)) same.push(work);
}

function judge(row: ShowRow, source: SourceRow, known: Book): Verdict<Work> {
  const { input } = row;
  const key = titleKey(input.title);
  const writers = new Set(row.credits.map((credit) => nameKey(known.people.find(credit.name)?.name ?? credit.name)));
  const code = row.code ?? freeCode(input.title, known.codes, known.numbers);
  const mine: Work = { id: null, label: input.title, key, code,
    type: input.type, year: input.year, writers };
  if (source.decision === 'same' && source.target_id) {
    const target = known.byId.get(source.target_id);
    // One question a row: who is named beside it is taken for another person where no name says otherwise.
    if (target) return revival(row, { ...source, decision: 'new' }, target, known);
  }
  const coded = row.code === null ? undefined : known.byCode.get(row.code);
  if (coded && coded.key !== key) {
    return { outcome: 'refused', problem: { reason_code: 'code_taken', field: 'show_code', value: row.code!,
      reason: `${row.code} stands for ${coded.label} already` } };
  }
  const titled = known.byTitle.get(key) ?? [];
  const same = coded ?? titled.find((work) => sameWork(work, mine));
  if (same) return revival(row, source, same, known);
  const asked = source.decision === 'new' ? null : question(row, titled, known);
  if (asked) return { outcome: 'refused', problem: asked };
  const taken = row.aliases.find((title) => known.names.has(nameKey(title)));
  if (taken !== undefined) {
    return { outcome: 'refused', problem: { reason_code: 'not_allowed', field: 'aliases', value: taken.slice(0, 200),
      reason: `"${taken.slice(0, 120)}" already stands for ${known.names.get(nameKey(taken))!.label}` } };
  }
  known.codes.add(mine.code);
  for (const title of [input.title, ...row.aliases]) addWork(known, mine, title);
  for (const { name } of row.credits) {
    if (!known.people.find(name)) known.people.add({ id: null, label: name, name, email: null });
  }
  return { outcome: 'ready', known: mine };
}

/** One title of one kind by one writer at least, or neither names any. */
function sameWork(work: Work, mine: Work): boolean {
  if (work.type !== mine.type) return false;
  if (work.writers.size === 0 || mine.writers.size === 0) return work.year === mine.year;
  return [...mine.writers].some((writer) => work.writers.has(writer));
}

/** Whom a revival names and the show does not pay. */
function unpaid(row: ShowRow, work: Work, known: Book): Credit[] {
  return row.credits.filter(({ name }) => !work.writers.has(nameKey(known.people.find(name)?.name ?? name)));
}

/** A revival is the show we have. Who else it names is told, and added only where the file is to add them. */
function revival(row: ShowRow, source: SourceRow, work: Work, known: Book): Verdict<Work> {
  const others = unpaid(row, work, known);
  const adds = row.aliases.some((title) => !known.byTitle.get(titleKey(title))?.includes(work));
  if (others.length === 0) return { outcome: 'duplicate', known: work, adds };
  const asked = row.adds && source.decision !== 'new' ? alikePerson(others, known) : null;
  if (asked) return { outcome: 'refused', problem: asked };
  for (const { name } of row.adds ? others : []) {
    if (!known.people.find(name)) known.people.add({ id: null, label: name, name, email: null });
  }
  return { outcome: 'duplicate', known: work, adds, note: {
    code: row.adds ? 'writers_added' : 'other_writers', text: `Is ${work.label}; this row also names `
      + `${others.slice(0, 5).map((one) => `${one.name} (${BY[one.role].toLowerCase()})`).join(', ')}`
      + `${others.length > 5 ? ` and ${others.length - 5} more` : ''}, ${
        row.adds ? 'with agreements in draft' : 'not imported'}` } };
}

function question(row: ShowRow, titled: readonly Work[], known: Book): RowProblem | null {
  const other = titled[0];
  if (other) {
    return { reason_code: 'same_title', field: 'title', value: row.input.title, proposed: other,
      reason: `There is a ${other.type} ${other.label} by others: the same work?` };
  }
  return alikePerson(row.credits, known);
}

function alikePerson(credits: readonly Credit[], known: Book): RowProblem | null {
  for (const { name, role } of credits) {
    const person = known.people.find(name) ? undefined : known.people.alike(name);
    if (person) {
      return { reason_code: SIMILAR_PERSON, field: role, value: name, proposed: person,
        reason: `${name} may be ${person.name}: one person, or two?` };
    }
  }
  return null;
}

async function write(ctx: WorkContext, row: ShowRow, verdict: Verdict<Work>, known: Book): Promise<number> {
  if (verdict.outcome === 'refused') throw new TypeError('a row left out is not written');
  const created = await createShow(ctx, { ...row.input, show_code: verdict.known.code });
  if (row.aliases.length > 0) await setShowAliases(ctx, { show_id: created.id, aliases: row.aliases });
  await payWriters(ctx, created.id, row.credits, row.division, known);
  return created.id;
}

/**
 * Agreements in draft for these people, who become royaltors where they are none yet. The last thing a row does: what
 * fails after it would leave the book with people whom the savepoint took back.
 */
async function payWriters(
  ctx: WorkContext, showId: number, credits: readonly Credit[], division: Division, known: Book,
): Promise<void> {
  const made: Person[] = [];
  try {
    const paid = new Set<string>();
    for (const { name, role } of credits) {
      const person = known.people.find(name)!;
      // Two names of one person in one role: one agreement.
      if (paid.has(`${role}/${nameKey(person.name)}`)) continue;
      paid.add(`${role}/${nameKey(person.name)}`);
      if (person.id === null) {
        person.id = (await createRoyaltor(ctx, newPerson(name, division))).id;
        made.push(person);
      }
      await createAgreement(ctx, agreement.create.parse(draft(showId, person.id, role, division)));
    }
  } catch (error) {
    // The savepoint takes these people back.
    for (const person of made) person.id = null;
    throw error;
  }
}

/** Adds a revival's writers to its show; a second revival by the same writers adds nothing more. */
async function merge(ctx: WorkContext, row: ShowRow, work: Work, known: Book): Promise<void> {
  if (!row.adds || work.id === null) return;
  const others = unpaid(row, work, known);
  await payWriters(ctx, work.id, others, row.division, known);
  for (const { name } of others) work.writers.add(nameKey(known.people.find(name)!.name));
}

function newPerson(name: string, division: Division) {
  return royaltor.create.parse({ name, legal_name: null, pen_name: null, email: null, phone: null, address: null,
    agent_royaltor_id: null, divisions: [division], currency: currencyOfDivision[division],
    min_payout_tier2_minor: null, tax_form_expires_on: null, wht_override_ppm: null, treaty_article: null,
    vat_no: null, self_billing_from: null, self_billing_expires_on: null });
}

function draft(show_id: number, royaltor_id: number, role: Role, division: Division) {
  return { show_id, royaltor_id, role, share_label: null, contract_no: null, signed_on: null, term_from: null,
    term_to: null, payer_division: division, currency: currencyOfDivision[division], agent_royaltor_id: null,
    agent_pays: null, min_payout_minor: null, annual_minimum_minor: null };
}

export const showWork = recordWork<ShowRow, Book, Work>({
  entity: 'show', fields: SHOW_FIELDS, read, book, judge, write, merge,
  rehearse: rehearseShows, planned: ({ input }, work) => ({ ...input, show_code: work.code }),
  changing: {
    paths: pathsOf(IMPORT_COLUMNS['staff/shows'], SHOW_FIELDS, ['title', 'show_code', 'aliases']),
    said: ({ input }) => input,
    // A revival is another production: its year and cast say nothing against those of the show.
    means: (row, work) => row.code === work.code,
    now: (db, ids) => db.query(sql`
      select id, version, type, year, cast_min, cast_max, running_time_minutes, synopsis, cast_women, cast_men,
        cast_any, age_rating, orchestrations, content_notes, songs, versions, excerpt, territory
      from shows where id = any(${ids}::bigint[])`),
    update: updateShow,
  },
  words: ({ input }) => ({ title: input.title, detail: [input.type, input.year, input.authors_credit]
    .filter(Boolean).join(', ') }),
});
