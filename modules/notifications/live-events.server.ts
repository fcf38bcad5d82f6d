/**
 * X196: server-sent events of the signed-in person. `hello` at the start with the unread count, `notification` for each
 * new one (its id is the event's), `refetch` with the families of reads that are stale. A stream that is taken up
 * again with Last-Event-ID gets what came meanwhile; an event may come twice, never not at all.
 *
 * The stream looks at its session before it tells anything and with every beat: a session that was revoked, or idle
 * too long, ends it (reliability.md 1.5). Streams do not keep a session alive.
 */
import { PassThrough } from 'node:stream';
import { refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import type { LiveMessage } from '#server/live.ts';
import { limit } from '#server/rate-limit.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { liveEndpoints } from './notification.contract.ts';

/** ms between beats: well below the minute after which proxies give a silent connection up. */
const BEAT_MS = 20_000;
const RETRY_MS = 3_000;
const REPLAYED = 100;
/** Ids are given out before their rows are there: a look back this far finds those that came late. */
const LOOK_BACK = '1 minute';
const OPENED_PER_MINUTE = 60;
const IDLE_HOURS = 2;

interface LiveNotification { id: number; kind: string; title: string; body: string; href: string | null;
  customer_id: number | null; created_at: string }

function event(name: string, data: unknown, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

const columns = sql`id, kind, title, body, href, customer_id, created_at`;

class Stream {
  readonly out = new PassThrough();
  readonly #ctx: Ctx;
  readonly #topics: ReadonlySet<string>;
  /** One thing after the other: what is told in order arrives in order. */
  #queue: Promise<void> = Promise.resolve();

  constructor(ctx: Ctx, topics: ReadonlySet<string>) {
    this.#ctx = ctx;
    this.#topics = topics;
  }

  say(work: () => Promise<string>): void {
    this.#queue = this.#queue.then(async () => {
      if (this.out.destroyed || this.out.writableEnded) return;
      if (await this.#alive()) this.out.write(await work());
      else this.end();
    }).catch((error: Error) => {
      this.#ctx.ports.log('warn', 'live events: stream ended', { error: error.message });
      this.end();
    });
  }

  async #alive(): Promise<boolean> {
    const { user, ports } = this.#ctx;
    const now = ports.clock.now().toISOString();
    return (await ports.db.maybeOne(sql`
      select 1 from sessions s join users u on u.id = s.user_id
      where s.id = ${user.session_id} and u.id = ${user.user_id} and u.disabled_at is null
        and u.session_epoch = s.epoch and s.expires_at > ${now}::timestamptz
        and s.last_seen_at > ${now}::timestamptz - make_interval(hours => ${IDLE_HOURS})`)) !== null;
  }

  async hello(): Promise<string> {
    const { user, ports, lastEventId } = this.#ctx;
    const { unread, last } = await ports.db.one<{ unread: number; last: number }>(sql`
      select count(*) filter (where read_at is null) as unread, coalesce(max(id), 0)::bigint as last
      from notifications where user_id = ${user.user_id} and in_app`);
    const missed = lastEventId === null || !this.#topics.has('notifications') ? []
      : await ports.db.query<LiveNotification>(sql`
      select ${columns} from notifications
      where user_id = ${user.user_id} and in_app and id <> ${lastEventId} and (id > ${lastEventId} or created_at >
        (select created_at from notifications where id = ${lastEventId} and user_id = ${user.user_id})
          - ${LOOK_BACK}::interval and id > ${lastEventId - REPLAYED})
      order by id desc limit ${REPLAYED}`);
    return `retry: ${RETRY_MS}\n\n${event('hello', { unread }, last)}`
      + missed.reverse().map((row) => event('notification', row, row.id)).join('');
  }

  async told(message: LiveMessage | null): Promise<string> {
    if (message === null) return event('refetch', { keys: [] });
    const ids = message.ids ?? [];
    const parts: string[] = [];
    if (this.#topics.has('notifications') && message.keys === undefined) {
      const rows = ids.length === 0 ? [] : await this.#ctx.ports.db.query<LiveNotification>(sql`
        select ${columns} from notifications
        where user_id = ${this.#ctx.user.user_id} and in_app and id = any (${ids}::bigint[]) order by id`);
      parts.push(...rows.map((row) => event('notification', row, row.id)));
      if (rows.length === 0) parts.push(event('refetch', { keys: ['notifications'] }));
    }
    if (this.#topics.has('jobs') && message.keys !== undefined) parts.push(event('refetch', { keys: message.keys }));
    return parts.join('');
  }

  end(): void {
    this.out.end();
  }
}

async function open(ctx: Ctx, topics: ReadonlySet<string>): Promise<NodeJS.ReadableStream> {
  await limit(ctx, `events:${ctx.user.user_id}`, OPENED_PER_MINUTE, 60);
  const stream = new Stream(ctx, topics);
  const stop = ctx.ports.live.subscribe({ user_id: ctx.user.user_id, end: () => stream.end(),
    hear: (message) => stream.say(() => stream.told(message)) });
  if (!stop) throw refuse('unavailable');
  const beat = setInterval(() => stream.say(async () => ': beat\n\n'), BEAT_MS);
  beat.unref();
  stream.out.once('close', () => {
    clearInterval(beat);
    stop();
  });
  stream.say(() => stream.hello());
  return stream.out;
}

export const liveRoutes = serve(liveEndpoints, {
  events: (ctx, { query }) => open(ctx, new Set(query.topics?.split(',') ?? ['notifications', 'jobs'])),
});
