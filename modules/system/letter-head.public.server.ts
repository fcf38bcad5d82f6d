/** Name and address of a division at the head of its papers, and the English that they are written in. */
import { addressLines } from '#kernel/address/address-lines.ts';
import { documentLanguage, type Language } from '#kernel/money/division.ts';
import type { Address } from '#kit/field.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface LetterHead { name: string; lines: string[]; language: Language }

export async function letterHead(db: Queryable, division: string): Promise<LetterHead> {
  const row = await db.one<{ legal_entity_name: string; address: Address }>(sql`
    select legal_entity_name, address from divisions where code = ${division}`);
  return { name: row.legal_entity_name, lines: [row.legal_entity_name, ...addressLines(row.address)],
    language: documentLanguage(division) };
}
