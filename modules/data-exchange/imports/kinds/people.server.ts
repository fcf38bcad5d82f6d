/** The royaltors that names of a file may stand for, as shows, royaltors and agreements look them up. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { givenNames, lastWord, nameKey, shortenOneAnother } from './alike.ts';
import type { ExistingRecord } from './record-work.server.ts';

export interface Person extends ExistingRecord {
  name: string;
  email: string | null;
}

interface RowPerson { person: Person; given: string[]; key: string; place: number }

/** People whom one question looks at. */
const MOST_LOOKED_AT = 300;

export class People {
  readonly #byKey = new Map<string, Person>();
  /** By last word and how the first given name begins, each with how the second does. */
  readonly #byBeginning = new Map<string, Map<string, RowPerson[]>>();
  /** Comparisons of two people so far; a test counts them. */
  compared = 0;
  #places = 0;
  readonly #read = new Set<string>();
  readonly #words = new Set<string>();
  readonly #placed = new Set<Person>();

  /** Reads the royaltors of these names, of names with the same last word, and those that know them as aliases. */
  async learn(db: Queryable, names: readonly string[]): Promise<void> {
    const fresh = [...new Set(names)].filter((name) => !this.#read.has(name));
    if (fresh.length === 0) return;
    for (const name of fresh) this.#read.add(name);
    const words = [...new Set(fresh.map(lastWord))].filter((word) => !this.#words.has(word));
    for (const word of words) this.#words.add(word);
    const rows = await db.query<Person & { alias: string | null }>(sql`
      select r.id, r.name || ' · ' || r.number as label, r.name, r.email, null as alias
      from unnest(${words}::text[]) w
      join royaltors r on regexp_replace(fold_name(r.name), '^.* ', '') = w and r.deleted_at is null
      union all
      select r.id, r.name || ' · ' || r.number, r.name, r.email, a.alias
      from unnest(${fresh.map(nameKey)}::text[]) k join royaltor_aliases a on name_key(a.alias) = k
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
    const given = givenNames(person.name);
    if (given.length === 0 || this.#placed.has(person)) return;
    this.#placed.add(person);
    const entry: RowPerson = { person, given, key, place: this.#places++ };
    const [first = '', second = ''] = given;
    const last = lastWord(person.name);
    for (let end = 1; end <= first.length; end += 1) {
      const beginning = `${last} ${first.slice(0, end)}`;
      const seconds = this.#byBeginning.get(beginning) ?? new Map<string, RowPerson[]>();
      this.#byBeginning.set(beginning, seconds);
      const list = seconds.get(second.slice(0, 1));
      if (!list) seconds.set(second.slice(0, 1), [entry]);
      else list.push(entry);
    }
  }

  find(name: string): Person | undefined {
    return this.#byKey.get(nameKey(name));
  }

  /** Somebody whose name may be the same, written otherwise: the first who is known. */
  alike(name: string): Person | undefined {
    const given = givenNames(name);
    const [first = '', second = ''] = given;
    const key = nameKey(name);
    const last = lastWord(name);
    let best: RowPerson | undefined;
    let left = MOST_LOOKED_AT;
    // One given name begins the other: theirs is a beginning of mine, or mine of theirs.
    for (let end = first.length; end >= 1 && left > 0; end -= 1) {
      const seconds = this.#byBeginning.get(`${last} ${first.slice(0, end)}`);
      for (const begins of second === '' ? [...seconds?.keys() ?? []] : [second.slice(0, 1), '']) {
        for (const entry of (seconds?.get(begins) ?? []).slice(0, left)) {
          left -= 1;
          this.compared += 1;
          if (entry.key !== key && shortenOneAnother(given, entry.given) && (!best || entry.place < best.place)) {
            best = entry;
          }
        }
      }
    }
    return best?.person;
  }
}
