/** Pictures of people: kept in every size, under an address that is new with each picture. */
import { randomBytes } from 'node:crypto';
import type { AvatarSize } from '#kit/avatar.ts';
import { refuse } from '#kit/errors.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { limit } from '#server/rate-limit.ts';
import { sql } from '#server/sql.ts';
import { drawAvatar } from './avatar-image.server.ts';
import { findPerson, type PersonRow } from './person.server.ts';

const HOUR = 3600;
/** An address never shows another picture, so a browser may keep what it has seen. */
const KEEP_SECONDS = 30 * 24 * HOUR;

/** Sets or replaces the picture with the one of this request. Whether the caller may was decided before. */
export async function setAvatar(ctx: Ctx, person: PersonRow): Promise<PersonRow> {
  await limit(ctx, `avatar:${ctx.user.user_id}`, 30, HOUR);
  if (!ctx.file) throw refuse('bad_request');
  const images = await drawAvatar(ctx.file.content);
  const file = `${randomBytes(16).toString('hex')}.webp`;
  await ctx.db.exec(sql`delete from user_avatars where user_id = ${person.id}`);
  for (const { size, content } of images) {
    await ctx.db.exec(sql`
      insert into user_avatars (user_id, size, content) values (${person.id}, ${size}, ${content})`);
  }
  return saveName(ctx, person, file);
}

export async function removeAvatar(ctx: Ctx, person: PersonRow): Promise<void> {
  if (person.avatar_file_name === null) return;
  await ctx.db.exec(sql`delete from user_avatars where user_id = ${person.id}`);
  await saveName(ctx, person, null);
}

async function saveName(ctx: Ctx, person: PersonRow, file: string | null): Promise<PersonRow> {
  await ctx.db.exec(sql`
    update users set avatar_file_name = ${file}, version = version + 1 where id = ${person.id}`);
  const after = await findPerson(ctx, person.id);
  await ctx.audit({ action: file === null ? 'remove_avatar' : 'set_avatar', entity: 'user', entity_id: person.id,
    before: { picture: person.avatar_file_name }, after: { picture: file } });
  return after;
}

/** Returns the picture to anyone who knows its random name, which changes with it and is sent with the person. */
export async function readAvatar(ctx: Ctx, id: number, file: string, size: AvatarSize): Promise<FileAnswer> {
  const row = await ctx.db.maybeOne<{ content: Buffer }>(sql`
    select a.content from users u join user_avatars a on a.user_id = u.id
    where u.id = ${id} and u.avatar_file_name = ${file} and a.size = ${size}`);
  if (!row) throw refuse('not_found');
  return { filename: `${size}.webp`, content_type: 'image/webp', content: row.content, inline: true,
    keep_seconds: KEEP_SECONDS };
}
