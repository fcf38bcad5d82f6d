/** The royaltors that names of a file may stand for, as shows, royaltors and agreements look them up. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { lastWord, maybeOnePerson, nameKey, searchFold } from './alike.ts';
import type { Known } from './record-work.server.ts';

export interface Person extends Known {
  name: string;
  email: string | null;
}

export class People {
  readonly #byKey = new Map<string, Person>();
  readonly #byLastWord = new Map<string, Person[]>();
  readonly #read = new Set<string>();

  /** Reads the royaltors of these names, of names with the same last word, and those that know them as aliases. */
  async learn(db: Queryable, names: readonly string[]): Promise<void> {
    const fresh = [...new Set(names)].filter((name) => !this.#read.has(name));
    if (fresh.length === 0) return;
    for (const name of fresh) this.#read.add(name);
    const rows = await db.query<Person & { alias: string | null }>(sql`
      select r.id, r.name || ' · ' || r.number as label, r.name, r.email, null as alias
      from unnest(${[...new Set(fresh.map(lastWord))]}::text[]) w
      join royaltors r on regexp_replace(search_fold(r.name), '^.*\\s', '') = w and r.deleted_at is null
      union all
      select r.id, r.name || ' · ' || r.number, r.name, r.email, a.alias
      from unnest(${fresh.map(searchFold)}::text[]) k join royaltor_aliases a on a.alias_key = k
      join royaltors r on r.id = a.royaltor_id and r.deleted_at is null order by id, alias nulls first`);
    for (const { alias, ...row } of rows) {
      const known = this.#byKey.get(nameKey(row.name));
      const person = known?.id === row.id ? known : row;
      if (alias !== null) this.#byKey.set(nameKey(alias), person);
      else this.add(person);
    }
  }

  add(person: Person): void {
    const key = nameKey(person.name);
    if (!this.#byKey.has(key)) this.#byKey.set(key, person);
    const word = lastWord(person.name);
    const same = this.#byLastWord.get(word) ?? [];
    if (!same.includes(person)) this.#byLastWord.set(word, [...same, person]);
  }

  find(name: string): Person | undefined {
    return this.#byKey.get(nameKey(name));
  }

  /** Somebody whose name may be the same, written otherwise. */
  alike(name: string): Person | undefined {
    return this.#byLastWord.get(lastWord(name))?.find((person) => maybeOnePerson(person.name, name));
  }
}
