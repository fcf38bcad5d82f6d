/**
 * The demo season is loaded through the API, by the people whose work it is, on a clock that moves through two years:
 * whatever it shows, the product itself has done, with its checks, postings and documents.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { hashToken, SESSION_COOKIE } from '#modules/identity/session/session.server.ts';
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export class DemoError extends Error {}

// oxlint-disable-next-line no-explicit-any -- answers of many endpoints, read where they are used
export type Body = any;

export interface DemoClient {
  get(path: string): Promise<Body>;
  post(path: string, body?: unknown, options?: { file?: DemoFile }): Promise<Body>;
  put(path: string, body?: unknown): Promise<Body>;
  remove(path: string): Promise<Body>;
}

export interface DemoFile {
  field: string;
  name: string;
  type: string;
  content: Buffer;
  fields: Record<string, string>;
}

/** A client acting as the person with this address; its session never ends while the season is loaded. */
export async function clientFor(app: FastifyInstance, db: Db, email: string): Promise<DemoClient> {
  const token = randomBytes(32).toString('base64url');
  const csrf = randomBytes(32).toString('base64url');
  const user = await db.one<{ id: number; session_epoch: number }>(sql`
    select id, session_epoch from users where email = ${email}`);
  await db.exec(sql`
    insert into sessions (token_hash, user_id, csrf_token, epoch, created_at, last_seen_at, confirmed_at, expires_at,
      user_agent)
    values (${hashToken(token)}, ${user.id}, ${csrf}, ${user.session_epoch}, now(), '2100-01-01', '2100-01-01',
      '2100-01-02', 'demo season')`);
  const headers = { cookie: `${SESSION_COOKIE}=${token}`, 'x-xsrf-token': csrf };
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown, file?: DemoFile,
  ): Promise<Body> => {
    const payload = file ? multipart(file) : json(body);
    const answer = await app.inject({
      method, url,
      headers: { ...headers, ...payload.headers, ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}) },
      ...(payload.body === undefined ? {} : { payload: payload.body }),
    });
    if (answer.statusCode >= 300) {
      throw new DemoError(`${email}: ${method} ${url} answered ${answer.statusCode}: ${answer.body.slice(0, 600)}\n`
        + `${JSON.stringify(body)?.slice(0, 600) ?? ''}`);
    }
    return answer.body === '' ? null : answer.json();
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body = {}, options) => call('POST', path, body, options?.file),
    put: (path, body = {}) => call('PUT', path, body),
    remove: (path) => call('DELETE', path),
  };
}

/** Ends the loader's sessions: nobody can use them afterwards. */
export async function dropDemoSessions(db: Db): Promise<void> {
  await db.exec(sql`delete from sessions where user_agent = 'demo season'`);
}

function json(body: unknown): { headers: Record<string, string>; body?: string } {
  return body === undefined ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function multipart(file: DemoFile): { headers: Record<string, string>; body: Buffer } {
  const boundary = `----demo${randomUUID()}`;
  const parts: Buffer[] = Object.entries(file.fields).map(([name, value]) => Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
  parts.push(
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.name}"\r\n`
      + `Content-Type: ${file.type}\r\n\r\n`),
    file.content, Buffer.from(`\r\n--${boundary}--\r\n`));
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: Buffer.concat(parts) };
}
