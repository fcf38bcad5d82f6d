/**
 * The built web app: precompressed files, `index.html` with a fresh CSP nonce and the reader's language. Unknown
 * addresses below /api and dotfiles are 404; every other one is the app, whose router knows its pages.
 */
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse } from '#kit/errors.ts';
import { languageOf } from './reader-language.ts';

const NONCE_MARK = '__CSP_NONCE__';

/** Sources the maps service needs in addition to our own; none of them is allowed where no key is set. */
const MAPS = {
  script: ' https://maps.googleapis.com', style: ' https://fonts.googleapis.com', font: ' https://fonts.gstatic.com',
  image: ' https://*.googleapis.com https://*.gstatic.com', connect: ' https://*.googleapis.com',
};
const NO_MAPS: typeof MAPS = { script: '', style: '', font: '', image: '', connect: '' };

function policy(nonce: string, maps: typeof MAPS): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${maps.script}`,
    `style-src 'self' 'nonce-${nonce}'${maps.style}`,
    `img-src 'self' data: blob:${maps.image}`,
    "media-src 'self' blob:",
    `font-src 'self'${maps.font}`,
    `connect-src 'self'${maps.connect}`,
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** @param mapsKey browser key of the maps service: the page gets it in a meta tag, and may then load the service */
export async function webRoutes(app: FastifyInstance, folder: string | null, mapsKey: string | null): Promise<void> {
  const indexFile = folder === null ? null : join(folder, 'index.html');
  if (folder === null || indexFile === null || !existsSync(indexFile)) {
    app.setNotFoundHandler(() => { throw refuse('not_found'); });
    return;
  }
  const page = await readFile(indexFile, 'utf8');
  const template = mapsKey === null ? page
    : page.replace('</title>', `</title>\n    <meta name="maps-key" content="${encodeURIComponent(mapsKey)}" />`);
  const maps = mapsKey === null ? NO_MAPS : MAPS;
  const sendIndex = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('Content-Security-Policy', policy(nonce, maps))
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(template.replaceAll(NONCE_MARK, nonce)
        .replace('<html lang="en-US">', `<html lang="${languageOf(request)}">`));
  };
  await app.register(fastifyStatic, {
    root: folder, wildcard: false, index: false, preCompressed: true, dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      const immutable = path.includes('/assets/');
      reply.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
    },
  });
  app.get('/', async (request, reply) => sendIndex(request, reply));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    const isPage = request.method === 'GET' && !/^\/(api|sanctum|assets|health)\//.test(path)
      && !/\/\.|\.[a-z0-9]{2,5}$/i.test(path);
    if (!isPage) throw refuse('not_found');
    return sendIndex(request, reply);
  });
}
