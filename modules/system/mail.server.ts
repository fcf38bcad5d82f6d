/** X213: the outbox. Without a mail server it is the delivery: what people would have got is read here. */
import type { ListArgs } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { mentions, sql } from '#server/sql.ts';
import type { MailRow } from './system.contract.ts';

const MOST_ATTEMPTS = 10;
/** Links in mails sign people in or change passwords: whoever reads the outbox of a real house cannot follow them. */
const SECRET = /(\/[a-z-]+\/(?:create\/)?)[\w-]{32,}/g;

type Query = ListArgs & { state?: 'waiting' | 'sent' | 'failed' | undefined };

export async function listMail(ctx: Ctx, query: Query): Promise<Page<MailRow>> {
  const delivers = ctx.ports.mail.deliver !== null;
  const page = await listPage<MailRow>(ctx.db, {
    base: sql`mail_outbox t`,
    columns: sql`t.id, t.template, t.recipients, t.subject, t.body_text, t.failed_attempts, t.last_error,
      jsonb_array_length(t.attachments) as attachments, t.created_at, t.sent_at,
      case when t.sent_at is not null then 'sent' when t.failed_attempts >= ${MOST_ATTEMPTS} then 'failed'
        when ${delivers} then 'waiting' else 'kept' end as state`,
    conditions: compact([
      query.state === 'sent' && sql`t.sent_at is not null`,
      query.state === 'failed' && sql`t.sent_at is null and t.failed_attempts >= ${MOST_ATTEMPTS}`,
      query.state === 'waiting' && sql`t.sent_at is null and t.failed_attempts < ${MOST_ATTEMPTS}`,
      query.search !== undefined && mentions(sql`t.subject || ' ' || array_to_string(t.recipients, ' ')`, query.search),
    ]),
    sorts: { created_at: sql`t.id` }, defaultSort: 'created_at', defaultDirection: 'desc',
  }, query, '/api/admin/system/mail');
  if (ctx.ports.settings.demo && !delivers) return page;
  return { ...page, data: page.data.map((row) => ({ ...row, body_text: row.body_text.replace(SECRET, '$1…') })) };
}
