import { afterEach, describe, expect, it, vi } from 'vitest';
import { call, queryText, remote, type ApiError } from './client.ts';
import type { Endpoint } from './endpoint.ts';

const read = remote<Endpoint<'/api/things/{id}', undefined, undefined, undefined>>('GET', '/api/things/{id}');

function answering(reply: (request: RequestInit) => Promise<Response>) {
  const sent: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    sent.push({ url, init });
    return reply(init);
  });
  return sent;
}
const failed = (promise: Promise<unknown>) => promise.then(() => null, (error: unknown) => error as ApiError);

describe('the typed client over fetch', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('fills the address, sends the CSRF token of the cookie and reads the answer', async () => {
    vi.stubGlobal('document', { cookie: 'a=b; XSRF-TOKEN=x%3D1' });
    const sent = answering(() => Promise.resolve(Response.json({ data: 5 })));
    expect(await call(read, { params: { id: 7 } } as never)).toEqual({ data: 5 });
    expect(sent[0]?.url).toBe('/api/things/7');
    expect(sent[0]?.init.headers).toMatchObject({ 'X-XSRF-TOKEN': 'x=1', 'X-API-Version': '1' });
  });

  it('rereads the cookie once after a 419 and repeats', async () => {
    const replies = [new Response('{}', { status: 419 }), new Response(null, { status: 204 }),
      Response.json({ ok: 1 })];
    const sent = answering(() => Promise.resolve(replies.shift()!));
    expect(await call(read, { params: { id: 1 } } as never)).toEqual({ ok: 1 });
    expect(sent.map((one) => one.url)).toEqual(['/api/things/1', '/sanctum/csrf-cookie', '/api/things/1']);
  });

  it('says Network Error without an answer, and the server\'s words with one', async () => {
    answering(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failed(call(read, { params: { id: 1 } } as never))).toMatchObject({ status: 0,
      message: 'Network Error' });
    answering(() => Promise.resolve(Response.json({ message: 'No.', code: 'x', errors: { a: 'b' } }, { status: 422 })));
    expect(await failed(call(read, { params: { id: 1 } } as never)))
      .toMatchObject({ status: 422, message: 'No.', code: 'x', errors: { a: 'b' } });
  });

  it('says Request aborted and timeout of 5ms exceeded', async () => {
    const never = (init: RequestInit) => new Promise<Response>((_, reject) => {
      const stop = () => reject(new DOMException('stopped', 'AbortError'));
      if (init.signal?.aborted) stop();
      init.signal?.addEventListener('abort', stop);
    });
    answering(never);
    const gone = AbortSignal.abort();
    expect(await failed(call(read, { params: { id: 1 } } as never, { signal: gone })))
      .toMatchObject({ message: 'Request aborted' });
    expect(await failed(call(read, { params: { id: 1 } } as never, { timeout: 5 })))
      .toMatchObject({ message: 'timeout of 5ms exceeded' });
  });

  it('repeats list values and leaves absent ones out', () => {
    expect(queryText({ page: 2, ids: [1, 2], none: undefined, empty: null })).toBe('?page=2&ids=1&ids=2');
    expect(queryText(undefined)).toBe('');
  });
});
