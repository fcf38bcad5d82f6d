/** Answers that are the same for everybody: any cache may keep them, and asks with the ETag whether they changed. */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The digest of a content, as an ETag. */
export const tagOf = (content: string): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;

/** 304 without content where the caller has it already. */
export function sendToAll(
  content: string, type: string, seconds: number, request: FastifyRequest, reply: FastifyReply,
): FastifyReply {
  const tag = tagOf(content);
  void reply.header('Cache-Control', `public, max-age=${seconds}`).header('ETag', tag);
  const held = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return held.includes(tag) ? reply.status(304).send() : reply.type(type).send(content);
}
