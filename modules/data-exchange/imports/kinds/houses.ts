/** The houses of one town, found by name, by street and by a name that is nearly the same. Pure. */
import { foldName } from '#kernel/text/fold.ts';
import { nameKey } from './alike.ts';
import { AlikeNames } from './alike-names.ts';
import type { ExistingRecord } from './record-work.server.ts';

export interface House extends ExistingRecord {
  name: string;
  /** Keys of its name and its other names. */
  keys: Set<string>;
  aliases: string[];
  street: string;
}

/** Similarity from which two names in one town are asked about. */
const ALIKE = 0.86;

/** A name without the words that every house has. */
function bareName(name: string): string {
  return nameKey(foldName(name).replace(/\b(the|theatre|theater|playhouse|company|co|inc)\b/g, ' ')) || nameKey(name);
}

export class Houses {
  readonly alike = new AlikeNames<House>(ALIKE);
  readonly #byName = new Map<string, House>();
  /** Name and street; '' is a house whose street nobody said. */
  readonly #byPlace = new Map<string, House>();
  readonly #byStreet = new Map<string, House>();

  add(house: House): void {
    if (house.street !== '' && !this.#byStreet.has(house.street)) this.#byStreet.set(house.street, house);
    for (const name of [house.name, ...house.aliases]) this.#index(house, name);
  }

  /** Another name of a house that is here. */
  name(house: House, alias: string): void {
    if (house.keys.has(nameKey(alias))) return;
    house.aliases.push(alias);
    this.#index(house, alias);
  }

  #index(house: House, name: string): void {
    const key = nameKey(name);
    house.keys.add(key);
    if (!this.#byName.has(key)) this.#byName.set(key, house);
    if (!this.#byPlace.has(`${key}|${house.street}`)) this.#byPlace.set(`${key}|${house.street}`, house);
    this.alike.add(bareName(name), house);
  }

  named(name: string): House | undefined {
    return this.#byName.get(nameKey(name));
  }

  atStreet(street: string): House | undefined {
    return this.#byStreet.get(street);
  }

  /** A house of this name at this street; one whose street is not known is it, too. */
  same(name: string, street: string): House | undefined {
    const key = nameKey(name);
    return street === '' ? this.#byName.get(key)
      : this.#byPlace.get(`${key}|${street}`) ?? this.#byPlace.get(`${key}|`);
  }

  similar(name: string): House | undefined {
    return this.alike.find(bareName(name));
  }
}
