/** The exact remainders between amounts shared (domain.md 3.4): one writer per show at a time, rows kept whole. */
import { createHash } from 'node:crypto';
import type { AccrualPot } from '#kernel/royalties/accrual-types.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

interface CarryRow {
  show_id: number; group_key: string; currency: string; division: string; weights_hash: string;
  show_royaltor_id: number | null; carry: string;
}

const hashes = new Map<string, string>();

/** Short name of a weight set: the first 16 hex digits of the SHA-256 of its text. */
export function weightsHash(key: string): string {
  const known = hashes.get(key);
  if (known !== undefined) return known;
  const fresh = createHash('sha256').update(key).digest('hex').slice(0, 16);
  if (hashes.size < 20_000) hashes.set(key, fresh);
  return fresh;
}

/** Everything that moves royalties of a show waits here for the one before it; shows are taken in order. */
export async function lockShows(db: Queryable, showIds: readonly number[]): Promise<void> {
  const ordered = [...new Set(showIds)].sort((a, b) => a - b);
  await db.exec(sql`
    select pg_advisory_xact_lock(7231970, id::int)
    from unnest(${ordered}::bigint[]) with ordinality u (id, n) order by n`);
}

/** The carries of some shows, read under their lock; {@link Carries.store} writes back what changed. */
export class Carries {
  readonly #rows = new Map<string, bigint[]>();
  readonly #changed = new Map<string, { show_id: number; currency: string; division: string; pot: AccrualPot }>();

  static async load(db: Queryable, showIds: readonly number[]): Promise<Carries> {
    const carries = new Carries();
    const rows = await db.query<CarryRow>(sql`
      select show_id, group_key, currency, division, weights_hash, show_royaltor_id, carry::text as carry
      from royalty_carries where show_id = any(${[...new Set(showIds)]}::bigint[])
      order by show_id, group_key, currency, division, weights_hash, show_royaltor_id nulls last for update`);
    for (const row of rows) {
      const key = [row.show_id, row.division, row.currency, row.group_key, row.weights_hash].join('|');
      carries.#rows.set(key, [...(carries.#rows.get(key) ?? []), BigInt(row.carry)]);
    }
    return carries;
  }

  /** In the order of the parties, the house last; null where the weight set is new. */
  of(showId: number, division: string, currency: string, groupKey: string, weightsKey: string): bigint[] | null {
    return this.#rows.get([showId, division, currency, groupKey, weightsHash(weightsKey)].join('|')) ?? null;
  }

  keep(showId: number, division: string, currency: string, pot: AccrualPot): void {
    const key = [showId, division, currency, pot.group_key, weightsHash(pot.weights_key)].join('|');
    this.#rows.set(key, [...pot.carries_after]);
    this.#changed.set(key, { show_id: showId, currency, division, pot });
  }

  async store(db: Queryable): Promise<void> {
    const rows = [...this.#changed.values()].flatMap(({ pot, ...at }) => pot.carries_after.map((carry, i) => ({
      ...at, group_key: pot.group_key, weights_hash: weightsHash(pot.weights_key), party: partiesOf(pot)[i] ?? null,
      carry: carry.toString(),
    })));
    if (rows.length === 0) return;
    await db.exec(sql`
      insert into royalty_carries as c (show_id, group_key, currency, division, weights_hash, show_royaltor_id, carry)
      select * from unnest(${rows.map((r) => r.show_id)}::bigint[], ${rows.map((r) => r.group_key)}::text[],
        ${rows.map((r) => r.currency)}::text[], ${rows.map((r) => r.division)}::text[],
        ${rows.map((r) => r.weights_hash)}::text[], ${rows.map((r) => r.party)}::bigint[],
        ${rows.map((r) => r.carry)}::numeric[])
      order by 1, 2, 3, 4, 5, 6
      on conflict (show_id, group_key, currency, division, weights_hash, show_royaltor_id)
        do update set carry = excluded.carry`);
  }
}

/** Agreement ids of a pot in their order, read from its group key; the house, which comes last, has none. */
export function partiesOf(pot: Pick<AccrualPot, 'group_key'>): number[] {
  const text = pot.group_key.slice(pot.group_key.indexOf(':') + 1);
  return text.split('+').filter((part) => part !== 'house').map((part) => Number(part.split('.')[0]));
}
