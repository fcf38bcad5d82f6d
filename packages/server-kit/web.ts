/**
 * The built web app: precompressed files, `index.html` with a fresh CSP nonce for every answer. Unknown addresses
 * below /api and dotfiles are 404; every other one is the app, whose router knows its pages.
 */
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '#kit/errors.ts';

const NONCE_MARK = '__CSP_NONCE__';

function policy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export async function webRoutes(app: FastifyInstance, folder: string | null): Promise<void> {
  const indexFile = folder === null ? null : join(folder, 'index.html');
  if (folder === null || indexFile === null || !existsSync(indexFile)) {
    app.setNotFoundHandler(() => { throw refuse('not_found'); });
    return;
  }
  const template = await readFile(indexFile, 'utf8');
  const sendIndex = (reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('Content-Security-Policy', policy(nonce))
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(template.replaceAll(NONCE_MARK, nonce));
  };
  await app.register(fastifyStatic, {
    root: folder, wildcard: false, index: false, preCompressed: true, dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      const immutable = path.includes('/assets/');
      reply.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
    },
  });
  app.get('/', async (_request, reply) => sendIndex(reply));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    const isPage = request.method === 'GET' && !/^\/(api|sanctum|assets|health)\//.test(path)
      && !/\/\.|\.[a-z0-9]{2,5}$/i.test(path);
    if (!isPage) throw refuse('not_found');
    return sendIndex(reply);
  });
}
