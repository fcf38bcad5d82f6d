/**
 * Cross-site request forgery: every unsafe method needs the session's token in `X-XSRF-TOKEN`, and a browser that says
 * the request comes from another site is refused whatever it sends (reliability.md 1.1). 419 precedes 401 and 422.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { refuse } from '#kit/errors.ts';
import type { Session } from './principal.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export function checkCsrf(request: FastifyRequest, session: Session | null, origins: readonly string[]): void {
  if (SAFE.has(request.method)) return;
  checkSite(request, origins);
  const sent = request.headers['x-xsrf-token'];
  const matches = typeof sent === 'string' && session && sameText(decode(sent), session.csrf_token);
  if (!matches) throw refuse('csrf_mismatch');
}

/** Refuses an unsafe request that a browser says another site caused. */
export function checkSite(request: FastifyRequest, origins: readonly string[]): void {
  if (SAFE.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site') throw refuse('csrf_mismatch');
  const origin = request.headers.origin;
  if (origin !== undefined && !isOwnOrigin(origin, request, origins)) throw refuse('csrf_mismatch');
}

function isOwnOrigin(origin: string, request: FastifyRequest, origins: readonly string[]): boolean {
  if (origins.includes(origin)) return true;
  return origin === `${request.protocol}://${request.headers.host ?? ''}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
