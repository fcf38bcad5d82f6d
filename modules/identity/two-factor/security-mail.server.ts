/** Mail to the person whenever a way of signing in changes: who did not do it themselves learns of it. */
import type { WorkContext } from '#server/context.ts';
import { queueMail } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';

export async function tellOfChange(ctx: WorkContext, userId: number, subject: string, what: string): Promise<void> {
  const person = await ctx.db.one<{ email: string }>(sql`select email from users where id = ${userId}`);
  await queueMail(ctx.db, {
    template: 'account.security', to: [person.email], subject,
    text: `${what}\n\nWas it you? Then there is nothing to do.\nIf not, choose a new password at once; that signs `
      + `every device out:\n${linkTo(ctx.ports.settings, '/forgot-password')}\n`,
  });
}
