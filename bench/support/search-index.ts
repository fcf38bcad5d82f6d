/**
 * The same records in SQLite's full-text index FTS5: words by their beginning, numbers by a plain index, newest first.
 * It knows neither rights nor ranks nor words that are nearly the same.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Db } from '#server/db.ts';
import { name, sql } from '#server/sql.ts';
import { searchText } from '#modules/search/search-text.ts';

/** Tables, with the columns of their numbers and names; transactions are found by number alone. */
const TABLES = [['customers', 'name'], ['venues', 'name'], ['vendors', 'name'], ['transactions', null]] as const;
const PAGE = 20_000;
const COUNTED = 101;
const SHOWN = 5;

interface Kind { numbers: StatementSync; words: StatementSync | null; row: StatementSync }

export class SearchIndex {
  readonly #sqlite: DatabaseSync;
  readonly #kinds: Kind[];

  private constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
    this.#kinds = TABLES.map(([of, named]) => ({
      numbers: sqlite.prepare(`select id from ${of} where number >= ? and number < ? order by number limit ${COUNTED}`),
      words: named === null ? null : sqlite.prepare(`
        select rowid as id from ${of}_words where ${of}_words match ? order by rowid desc limit ${COUNTED}`),
      row: sqlite.prepare(`select * from ${of} where id = ?`),
    }));
  }

  static async of(db: Db, file: string): Promise<SearchIndex> {
    const sqlite = new DatabaseSync(file);
    sqlite.exec('pragma journal_mode = off; pragma synchronous = off');
    for (const [of, named] of TABLES) await copy(db, sqlite, of, named);
    return new SearchIndex(sqlite);
  }

  /** Rows of the first page: at most {@link SHOWN} of a table, of at most {@link COUNTED} that are counted. */
  search(typed: string): number {
    const { number: { from, to }, words } = searchText(typed);
    const match = words.map((word) => `"${word.start.slice(0, -1)}"*`).join(' AND ');
    return this.#kinds.reduce((shown, { numbers, words: inside, row }) => {
      const found = new Set([...numbers.all(from, to), ...inside?.all(match) ?? []].map(({ id }) => id!));
      const page = [...found].slice(0, SHOWN).map((id) => row.get(id));
      return shown + page.length;
    }, 0);
  }

  close(): void {
    this.#sqlite.close();
  }
}

async function copy(db: Db, sqlite: DatabaseSync, of: string, named: string | null): Promise<void> {
  sqlite.exec(`create table ${of} (id integer primary key, number text not null, name text)`);
  if (named) sqlite.exec(`create virtual table ${of}_words using fts5(words, content='', prefix='2 3')`);
  const row = sqlite.prepare(`insert into ${of} values (?, ?, ?)`);
  const words = named ? sqlite.prepare(`insert into ${of}_words (rowid, words) values (?, ?)`) : null;
  const columns = named ? sql`name, search_text as words` : sql`null as name, null as words`;
  for (let after = 0; ;) {
    const page = await db.query<{ id: number; number: string; name: string | null; words: string | null }>(sql`
      select id, lower(number) as number, ${columns} from ${name(of)} where id > ${after} order by id limit ${PAGE}`);
    sqlite.exec('begin');
    for (const one of page) {
      row.run(one.id, one.number, one.name);
      words?.run(one.id, one.words);
    }
    sqlite.exec('commit');
    if (page.length < PAGE) break;
    after = page.at(-1)!.id;
  }
  sqlite.exec(`create index ${of}_number on ${of} (number)`);
}
