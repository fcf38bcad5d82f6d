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

  it('every call goes to the one host, as JSON, with version, credentials, CSRF [S114] [R90] [C39] [C40] [C41] [C44]',
    async () => {
      vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=abc' });
      const sent = answering(() => Promise.resolve(Response.json({ data: 5 })));
      const write = remote<Endpoint<'/api/things'>>('POST', '/api/things');
      await call(read, { params: { id: 7 } } as never);
      await call(write, { body: { name: 'Savoy' } } as never);
      await call(write, {} as never, { form: new FormData() });
      // No host in the address: it is the one that served the page, and its cookies travel.
      expect(sent.map(({ url }) => url)).toEqual(['/api/things/7', '/api/things', '/api/things']);
      for (const { init } of sent) {
        expect(init.credentials).toBe('same-origin');
        expect(init.headers).toMatchObject({ 'X-API-Version': '1', 'X-XSRF-TOKEN': 'abc', Accept: 'application/json' });
      }
      expect(sent[1]?.init).toMatchObject({ body: '{"name":"Savoy"}' });
      expect(sent[1]?.init.headers).toHaveProperty('Content-Type', 'application/json');
      // A file goes as multipart: the browser writes the type with its boundary.
      expect(sent[2]?.init.body).toBeInstanceOf(FormData);
      expect(sent[2]?.init.headers).not.toHaveProperty('Content-Type');
    });

  it('200 to 299 is a success, every other status a failure [S110] [C37]', async () => {
    const passed: number[] = [];
    const statuses = [200, 201, 204, 206, 299, 300, 304, 400, 404, 500, 503];
    for (const status of statuses) {
      answering(() => Promise.resolve(new Response(status === 204 || status === 304 ? null : '{}', { status })));
      const failure = await failed(call(read, { params: { id: 1 } } as never));
      if (failure) expect(failure.status).toBe(status);
      else passed.push(status);
    }
    expect(passed).toEqual([200, 201, 204, 206, 299]);
  });

  it('rereads the cookie once after a 419 and repeats', async () => {
    const replies = [new Response('{}', { status: 419 }), new Response(null, { status: 204 }),
      Response.json({ ok: 1 })];
    const sent = answering(() => Promise.resolve(replies.shift()!));
    expect(await call(read, { params: { id: 1 } } as never)).toEqual({ ok: 1 });
    expect(sent.map((one) => one.url)).toEqual(['/api/things/1', '/sanctum/csrf-cookie', '/api/things/1']);
  });

  it('says Network Error without an answer, and the server\'s words with one [S111] [M33]', async () => {
    answering(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failed(call(read, { params: { id: 1 } } as never))).toMatchObject({ status: 0,
      message: 'Network Error' });
    answering(() => Promise.resolve(Response.json({ message: 'No.', code: 'x', errors: { a: 'b' } }, { status: 422 })));
    expect(await failed(call(read, { params: { id: 1 } } as never)))
      .toMatchObject({ status: 422, message: 'No.', code: 'x', errors: { a: 'b' } });
  });

  /** A server that never answers: only a signal ends the call. */
  const never = (init: RequestInit) => new Promise<Response>((_, reject) => {
    const stop = () => reject(new DOMException('stopped', 'AbortError'));
    if (init.signal?.aborted) stop();
    init.signal?.addEventListener('abort', stop);
  });

  it('says Request aborted, before and while the answer is awaited [S112] [M34]', async () => {
    answering(never);
    expect(await failed(call(read, { params: { id: 1 } } as never, { signal: AbortSignal.abort() })))
      .toMatchObject({ message: 'Request aborted' });
    const control = new AbortController();
    const waiting = failed(call(read, { params: { id: 1 } } as never, { signal: control.signal }));
    control.abort();
    expect(await waiting).toMatchObject({ message: 'Request aborted' });
  });

  it('gives up after the time a call is given and says how long, else it waits [S113] [C38] [M35]', async () => {
    const clock = new AbortController();
    const started = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(clock.signal);
    const sent = answering(never);
    const waiting = failed(call(read, { params: { id: 1 } } as never, { timeout: 2500 }));
    expect(started).toHaveBeenCalledExactlyOnceWith(2500);
    clock.abort();
    expect(await waiting).toMatchObject({ status: 0, message: 'timeout of 2500ms exceeded' });
    void call(read, { params: { id: 1 } } as never);
    expect(started).toHaveBeenCalledOnce();
    expect(sent[1]?.init.signal).toBeUndefined();
    started.mockRestore();
  });

  it('repeats list values and leaves absent ones out', () => {
    expect(queryText({ page: 2, ids: [1, 2], none: undefined, empty: null })).toBe('?page=2&ids=1&ids=2');
    expect(queryText(undefined)).toBe('');
  });
});
