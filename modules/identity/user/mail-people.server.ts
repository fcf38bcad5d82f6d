/** People as mails name them. */
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import type { MailContact } from '#server/mail-letter.ts';
import { oneLine } from '#server/mail.ts';
import { sql, type Sql } from '#server/sql.ts';
import { avatarOf } from './person.server.ts';

/** The first name of the only recipient; undefined for several, or for an address without an account. */
export async function greetingOf(db: Queryable, to: readonly string[]): Promise<string | undefined> {
  if (to.length !== 1) return undefined;
  const person = await db.maybeOne<{ first_name: string }>(sql`
    select first_name from users where email = ${to[0]!.toLowerCase()}`);
  return person ? oneLine(person.first_name) : undefined;
}

/** The person with this id whose account is open, else the representative of the division. */
const personOr = (userId: number | null, division: string | null): Sql => sql`coalesce(
  (select id from users where id = ${userId}::bigint and disabled_at is null),
  (select u.id from divisions d join users u on u.id = d.representative_id
    where d.code = ${division}::text and u.disabled_at is null))`;

/**
 * A member of staff as the person to ask; with a division its representative stands in for nobody and for an account
 * that is closed. Null where there is none.
 */
export async function contactOf(
  db: Queryable, userId: number | null, division: string | null = null,
): Promise<MailContact | null> {
  if (userId === null && division === null) return null;
  const person = await db.maybeOne<MailContact>(sql`
    select first_name || ' ' || last_name as name, email, phone from users
    where id = ${personOr(userId, division)}`);
  return person && { name: oneLine(person.name), email: person.email,
    phone: person.phone === null ? null : oneLine(person.phone) };
}

export interface Representative {
  name: string; job_title: string | null; phone: string | null; email: string | null; avatar_url: string | null;
}

/** A member of staff as customers see the person who looks after their production. */
export async function representativeOf(
  ctx: WorkContext, userId: number | null, division: string,
): Promise<Representative | null> {
  type Stored = Omit<Representative, 'avatar_url'> & { id: number; avatar_file_name: string | null };
  const row = await ctx.db.maybeOne<Stored>(sql`
    select id, first_name || ' ' || last_name as name, job_title, phone, email, avatar_file_name from users
    where id = ${personOr(userId, division)}`);
  if (!row) return null;
  const { id, avatar_file_name, ...person } = row;
  return { ...person, avatar_url: avatarOf(ctx.ports.settings, { id, avatar_file_name }).avatar_url ?? null };
}
