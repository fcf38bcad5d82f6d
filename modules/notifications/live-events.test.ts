/** X196: the stream of server-sent events, read over a real connection as a browser reads it. */
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { listen, type LiveStream } from '#tests/support/live-stream.ts';
import { notifyStaff } from './notifications.public.server.ts';

const test = testApp();
let address = '';
beforeAll(async () => {
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}/api/events`;
});

const cookieOf = ({ cookies }: SignedIn): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
const tell = (title: string, to: number): Promise<number> => test.database.db.tx((tx) =>
  notifyStaff(workContext(test.ports, tx, SYSTEM_ACTOR), { kind: 'money.received', title, to: [to] }));

/** Open, greeted, and sure to hear: a hub that only begins to listen says "ask anew" to everybody once it does. */
async function streamOf(person: SignedIn, query = '', headers: Record<string, string> = {}): Promise<LiveStream> {
  const stream = await listen(address + query, { cookie: cookieOf(person), ...headers });
  expect(stream.status).toBe(200);
  return stream;
}

async function notification(stream: LiveStream): Promise<{ id: string | null; title: string } | null> {
  for (;;) {
    const heard = await stream.next();
    if (heard === null) return null;
    if (heard.event === 'notification') return { id: heard.id, title: (heard.data as { title: string }).title };
  }
}

describe('a stream of live events', () => {
  it('greets with what is unread, then tells each notification of this person and nobody else\'s', async () => {
    const [ann, bob] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
    await tell('Before', ann.user_id);
    const stream = await streamOf(ann);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(await stream.next()).toMatchObject({ event: 'hello', data: { unread: 1 } });
    expect(await stream.next()).toEqual({ event: 'refetch', id: null, data: { keys: [] } });
    await tell('For Bob', bob.user_id);
    await tell('For Ann', ann.user_id);
    expect(await notification(stream)).toMatchObject({ title: 'For Ann' });
    stream.close();
  });

  it('that is taken up again tells what came meanwhile', async () => {
    const ann = await test.signedIn('staff_admin');
    const first = await streamOf(ann);
    await first.next();
    await tell('One', ann.user_id);
    const one = await notification(first);
    first.close();
    await tell('Two', ann.user_id);
    await tell('Three', ann.user_id);
    const second = await streamOf(ann, '', { 'last-event-id': one!.id! });
    expect([await notification(second), await notification(second)].map((heard) => heard!.title))
      .toEqual(['Two', 'Three']);
    second.close();
  });

  it('ends with its session, before it tells anything more', async () => {
    const ann = await test.signedIn('staff_admin');
    const stream = await streamOf(ann);
    await stream.next();
    await test.database.db.exec(sql`update users set session_epoch = session_epoch + 1 where id = ${ann.user_id}`);
    await tell('Too late', ann.user_id);
    expect(await notification(stream)).toBeNull();
  });

  it('opens for nobody without a session, and with topics that exist only', async () => {
    expect((await fetch(address)).status).toBe(401);
    const ann = await test.signedIn('staff_admin');
    const wrong = await ann.get('/api/events?topics=weather');
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.topics).toEqual(['Topics are notifications and jobs']);
  });

  it('is one of eight of a person: the ninth ends the oldest', async () => {
    const ann = await test.signedIn('staff_admin');
    const streams: LiveStream[] = [];
    for (let n = 0; n < 9; n += 1) streams.push(await streamOf(ann));
    await streams[8]!.next();
    const oldest = streams[0]!;
    for (let heard = await oldest.next(); heard !== null;) heard = await oldest.next();
    await tell('To the other eight', ann.user_id);
    expect(await notification(streams[1]!)).toMatchObject({ title: 'To the other eight' });
    for (const stream of streams) stream.close();
  });
});
