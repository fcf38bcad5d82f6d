/** People as mails name them. */
import type { Queryable } from '#server/db.ts';
import type { MailContact } from '#server/mail-letter.ts';
import { oneLine } from '#server/mail.ts';
import { sql } from '#server/sql.ts';

/** The first name of the only recipient; undefined for several, or for an address without an account. */
export async function greetingOf(db: Queryable, to: readonly string[]): Promise<string | undefined> {
  if (to.length !== 1) return undefined;
  const person = await db.maybeOne<{ first_name: string }>(sql`
    select first_name from users where email = ${to[0]!.toLowerCase()}`);
  return person ? oneLine(person.first_name) : undefined;
}

/** A member of staff as the person to ask; null for nobody, and for an account that is closed. */
export async function contactOf(db: Queryable, userId: number | null): Promise<MailContact | null> {
  if (userId === null) return null;
  const person = await db.maybeOne<MailContact>(sql`
    select first_name || ' ' || last_name as name, email, phone from users
    where id = ${userId} and disabled_at is null`);
  return person && { name: oneLine(person.name), email: person.email,
    phone: person.phone === null ? null : oneLine(person.phone) };
}
