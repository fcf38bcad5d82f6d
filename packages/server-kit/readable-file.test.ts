/** Files that are kept as documents can be opened. */
import { PDFDocument } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { open } from '#kit/auth.ts';
import { endpoint, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { PAPER } from '#tests/support/paper-file.ts';
import { zipOf } from '#tests/support/zip.ts';
import { serve } from './routes.ts';

const planted = serve({
  keep: endpoint({ method: 'POST', path: '/api/auth/planted', auth: open, summary: 'Keep a file',
    upload: { field: 'document', types: ['pdf', 'png', 'jpg', 'jpeg', 'webp', 'docx', 'xlsx', 'zip', 'csv'],
      max_bytes: UPLOAD_LIMIT },
    response: one(z.object({ kept: z.boolean() })) }),
}, { keep: async () => ({ data: { kept: true } }) });
const test = testApp({ plantedRoutes: planted });
let visitor: SignedIn;
beforeAll(async () => { visitor = await test.signedIn('staff_user'); });

const send = (name: string, content: Buffer) => visitor.call('POST', '/api/auth/planted', { multipart: { fields: {},
  file: { field: 'document', name, type: 'application/octet-stream', content } } });
const picture = (): Sharp => sharp({ create: { width: 300, height: 200, channels: 3, background: '#8a2145' } });
const parts = (...names: string[]): Buffer => zipOf(Object.fromEntries(names.map((name) => [name, Buffer.from('x')])));
const word = parts('[Content_Types].xml', 'word/document.xml');
const book = parts('[Content_Types].xml', 'xl/workbook.xml');

describe('an upload', () => {
  it.each([
    ['a.pdf', () => PAPER], ['a.png', () => picture().png().toBuffer()], ['a.jpeg', () => picture().jpeg().toBuffer()],
    ['a.webp', () => picture().webp().toBuffer()], ['a.docx', () => word], ['a.xlsx', () => book],
    ['a.zip', () => parts('score.pdf')], ['a.csv', () => Buffer.from('a,b\n')],
  ] as const)('is kept where it can be opened: %s', async (name, make) => {
    expect((await send(name, await make())).status).toBe(200);
  });

  it.each([
    ['a PDF that ends after its head', 'a.pdf', () => Buffer.from('%PDF-1.7 nothing else'),
      /could not be read as a PDF/],
    ['a PDF without pages', 'a.pdf', async () => Buffer.from(await (await PDFDocument.create()).save(
      { addDefaultPage: false })), /^This PDF has no pages\.$/],
    ['half a picture', 'a.png', async () => (await picture().png().toBuffer()).subarray(0, 60), /read as a picture/],
    ['half a photo', 'a.jpg', async () => (await picture().jpeg().toBuffer()).subarray(0, 200), /read as a picture/],
    ['half a letter', 'a.docx', () => word.subarray(0, 80), /damaged or incomplete/],
    ['a letter without its text', 'a.docx', () => book, /damaged or incomplete/],
    ['half a workbook', 'a.xlsx', () => book.subarray(0, 80), /damaged/],
    ['half an archive', 'a.zip', () => word.subarray(0, 80), /damaged or incomplete/],
  ] as const)('is refused at its field, in words, where it cannot: %s', async (_what, name, make, words) => {
    const answer = await send(name, await make());
    expect(answer.status).toBe(422);
    expect(answer.body.errors.document).toEqual([expect.stringMatching(words)]);
  });
});
