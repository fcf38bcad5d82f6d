/** Mail to the person whenever a way of signing in changes: who did not do it themselves learns of it. */
import type { WorkContext } from '#server/context.ts';
import { queueMail } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { greetingOf } from '../user/mail-people.server.ts';

export async function tellOfChange(ctx: WorkContext, userId: number, subject: string, what: string): Promise<void> {
  const person = await ctx.db.one<{ email: string }>(sql`select email from users where id = ${userId}`);
  await queueMail(ctx.db, {
    template: 'account.security', to: [person.email], subject,
    letter: { greeting: await greetingOf(ctx.db, [person.email]),
      paragraphs: [what, 'If this was you, there is nothing to do. If not, choose a new password right away: this '
        + 'signs out every device.'],
      link: { label: 'Choose a new password', href: linkTo(ctx.ports.settings, '/forgot-password') } },
  });
}
