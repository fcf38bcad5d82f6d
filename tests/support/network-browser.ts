/** A browser's cookies and CSRF header over a real network address. */
import { randomUUID } from 'node:crypto';

interface Reply {
  status: number;
  // oxlint-disable-next-line no-explicit-any -- tests look into any answer
  body: any;
  headers: Headers;
}

export interface NetworkBrowser {
  cookies: Map<string, string>;
  cookie(): string;
  call(base: string, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

export function networkBrowser(): NetworkBrowser {
  const cookies = new Map<string, string>();
  const cookie = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { cookies, cookie, async call(base, method, path, body, headers = {}) {
    const answer = await fetch(base + path, {
      method,
      headers: { cookie: cookie(), 'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
        ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: answer.status, headers: answer.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
  } };
}
