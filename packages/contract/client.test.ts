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

  describe('an upload that tells how far it is', () => {
    /** The browser's object as far as the client uses it; a test says how the sending ends. */
    class Upload {
      static made: Upload[] = [];
      upload: { onprogress?: (event: object) => void } = {};
      onload = () => {}; onerror = () => {}; onabort = () => {}; ontimeout = () => {};
      timeout = -1; status = 0; responseText = ''; headers: Record<string, string> = {}; url = ''; sent: unknown;
      constructor() { Upload.made.push(this); }
      open(method: string, url: string) { this.url = `${method} ${url}`; }
      setRequestHeader(name: string, value: string) { this.headers[name] = value; }
      send(body: unknown) { this.sent = body; }
      abort() { this.onabort(); }
    }
    const write = remote<Endpoint<'/api/files'>>('POST', '/api/files');
    async function uploading(options: { timeout?: number; signal?: AbortSignal } = {}) {
      Upload.made = [];
      vi.stubGlobal('XMLHttpRequest', Upload);
      vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=abc' });
      const told = vi.fn();
      const form = new FormData();
      const answer = call(write, {} as never, { form, onUploadProgress: told, ...options });
      const failure = failed(answer);
      await vi.waitFor(() => expect(Upload.made).toHaveLength(1));
      return { answer, failure, told, form, xhr: Upload.made[0]! };
    }

    it('sends version and token, tells the share, reads the answer', async () => {
      const { answer, told, form, xhr } = await uploading();
      expect([xhr.url, xhr.sent, xhr.timeout]).toEqual(['POST /api/files', form, 0]);
      expect(xhr.headers).toMatchObject({ 'X-API-Version': '1', 'X-XSRF-TOKEN': 'abc', Accept: 'application/json' });
      xhr.upload.onprogress?.({ loaded: 25, total: 100, lengthComputable: true });
      expect(told).toHaveBeenCalledExactlyOnceWith({ loaded: 25, total: 100, progress: 0.25 });
      Object.assign(xhr, { status: 201, responseText: '{"data":5}' }).onload();
      expect(await answer).toEqual({ data: 5 });
    });

    it.each([199, 300, 413])('%s is a failure [S110] [C37]', async (status) => {
      const { failure, xhr } = await uploading();
      Object.assign(xhr, { status, responseText: '{"message":"Too large."}' }).onload();
      expect(await failure).toMatchObject({ status, message: 'Too large.' });
    });

    it('says the same words when no answer comes [S111] [S112] [S113] [M33] [M34] [M35]', async () => {
      const lost = await uploading();
      lost.xhr.onerror();
      expect(await lost.failure).toMatchObject({ status: 0, message: 'Network Error' });
      const control = new AbortController();
      const stopped = await uploading({ signal: control.signal });
      control.abort();
      expect(await stopped.failure).toMatchObject({ status: 0, message: 'Request aborted' });
      const before = await uploading({ signal: AbortSignal.abort() });
      expect(await before.failure).toMatchObject({ status: 0, message: 'Request aborted' });
      expect(before.xhr.sent).toBeUndefined();
      const late = await uploading({ timeout: 2500 });
      expect(late.xhr.timeout).toBe(2500);
      late.xhr.ontimeout();
      expect(await late.failure).toMatchObject({ status: 0, message: 'timeout of 2500ms exceeded' });
    });
  });

  it('repeats list values and leaves absent ones out', () => {
    expect(queryText({ page: 2, ids: [1, 2], none: undefined, empty: null })).toBe('?page=2&ids=1&ids=2');
    expect(queryText(undefined)).toBe('');
  });
});
