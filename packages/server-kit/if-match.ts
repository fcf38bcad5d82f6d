/**
 * `If-Match: "v7"` names the version that a change starts from, for clients that keep the ETag of what they read; in a
 * body it is called `version` (reliability.md 5.2).
 */
import type { FastifyRequest } from 'fastify';
import { namesVersion, type Endpoint } from '#kit/endpoint.ts';
import { refuse } from '#kit/errors.ts';

/** The version in the header; null where there is none to compare. Throws 412 for an ETag that is none of ours. */
export function ifMatchOf(request: FastifyRequest): number | null {
  const header = request.headers['if-match'];
  if (header === undefined || header === '*' || request.method === 'GET') return null;
  const named = /^(?:W\/)?"v(\d{1,9})"$/.exec(header);
  if (!named) throw refuse('stale');
  return Number(named[1]);
}

/**
 * The body with the header's version in it. A call that compares no version refuses the header: whoever sends it would
 * believe in a comparison that nobody makes. Throws 412 where header and body name two versions, 400 as said.
 */
export function withIfMatch(endpoint: Endpoint, version: number | null, body: unknown): unknown {
  if (version === null || endpoint.conditional) return body;
  if (!namesVersion(endpoint)) {
    throw refuse('bad_request', 'This call compares no version. Send it without If-Match.');
  }
  const named = (body as { version?: unknown } | undefined)?.version;
  if (named !== undefined && Number(named) !== version) throw refuse('stale');
  return { ...(body as object | undefined), version };
}
