/** Documents and pictures are drawn while no transaction holds a connection or a lock (decision 25). */
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { PAPER } from '#tests/support/paper-file.ts';
import { SYSTEM_ACTOR } from './audit.ts';
import { workContext } from './context.ts';
import { checkPicture, drawPicture } from './image.ts';
import { keyOf, outside } from './outside.ts';
import { renderPdf, renderPdfs, type PdfInput } from './pdf.ts';
import { pageCount, textOfPages } from './pdf-pages.ts';
import { stampedPdf } from './pdf-stamp.ts';
import { limit, type LimitContext } from './rate-limit.ts';
import { sql } from './sql.ts';
import { markedPage } from './watermark.ts';

const test = testApp({ rateLimits: true });
const paper = (title: string): PdfInput => ({ title, paper: 'label', language: 'en-US', sender: ['House'],
  recipient: [], footer: title, made_at: new Date('2026-11-25T00:00:00Z'), blocks: [{ kind: 'title', text: title }] });
const picture = () => sharp({ create: { width: 60, height: 50, channels: 3, background: '#8a2145' } }).png().toBuffer();
const LIMITS = { field: 'image', smallest_side: 1 };
const WORDS = { across: 'Astoria Players', foot: 'For Astoria Players' };

const DRAWINGS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a document': () => renderPdf(paper('One')),
  'several documents': () => renderPdfs([paper('One'), paper('Two')]),
  'a marked copy': () => stampedPdf(PAPER, WORDS),
  'a page with a watermark': () => markedPage(PAPER, 1, 200, WORDS),
  'the text of a PDF': () => textOfPages(PAPER),
  'the pages of a PDF': () => pageCount(PAPER),
  'a picture': async () => drawPicture(await picture(), LIMITS, [{ side: 20, fit: 'cover' }]),
  'a picture that is only checked': async () => checkPicture(await picture(), LIMITS),
};

/** Connections of the pool that somebody has. */
const held = (): number => test.ports.db.pool.totalCount - test.ports.db.pool.idleCount;

describe('in a transaction', () => {
  it.each(Object.entries(DRAWINGS))('draws %s outside, in one repetition', async (_what, draw) => {
    let attempts = 0;
    const drawn = await test.ports.db.tx(async (tx) => {
      attempts += 1;
      await tx.exec(sql`select pg_advisory_xact_lock(4711)`);
      return draw();
    });
    expect(attempts).toBe(2);
    expect(JSON.stringify(drawn)).toBe(JSON.stringify(await draw()));
  });

  it.each(['tx', 'read'] as const)('holds no connection while it draws: %s', async (kind) => {
    let drawn = 0;
    await vi.waitFor(() => expect(held()).toBe(0));
    await test.ports.db[kind](async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(4712)`);
      expect(held()).toBe(1);
      await test.ports.db.read((inner) => inner.query(sql`select 1`)
        // Nobody waits for the end of a read: its connection comes back a moment later.
        .then(() => outside('sampled', () => vi.waitFor(() => { expect(held()).toBe(0); drawn += 1; }))));
    });
    expect(drawn).toBe(1);
  });

  it('commits nothing of an attempt that swallowed the signal', async () => {
    let attempts = 0;
    await test.ports.db.tx(async (tx) => {
      attempts += 1;
      await tx.exec(sql`insert into rate_limits (bucket, window_start) values ('swallowed', now())`);
      await outside('swallowed', async () => 'drawn').catch(() => 'nothing');
    });
    expect(attempts).toBe(2);
    expect(await test.ports.db.query(sql`select 1 from rate_limits where bucket = 'swallowed'`)).toHaveLength(1);
  });

  it('tries again where a handler made a refusal of the signal', async () => {
    let attempts = 0;
    const answer = await test.ports.db.tx(async () => {
      attempts += 1;
      return outside('refused', async () => 'drawn').catch(() => { throw new Error('not readable'); });
    });
    expect([attempts, answer]).toEqual([2, 'drawn']);
  });

  it('throws what the drawing threw where it was asked for', async () => {
    const answer = await test.ports.db.tx(() => textOfPages(Buffer.from('%PDF-1.7 nothing else'))
      .catch((error: Error) => error.message));
    expect(answer).toBe('This file could not be read as a PDF.');
  });

  it('goes on in place where what is drawn changes with every attempt', async () => {
    let attempts = 0;
    const last = await test.ports.db.tx(async () => {
      attempts += 1;
      return outside(keyOf('number', attempts), async () => attempts);
    });
    expect([attempts, last]).toEqual([6, 6]);
  });

  it('keeps one instant and counts an attempt at a limit once', async () => {
    const instants: number[] = [];
    const left: string[] = [];
    let now = Date.parse('2026-11-25T10:00:00Z');
    const ports = { ...test.ports, clock: { now: () => new Date(now += 1000) } };
    await test.ports.db.tx(async (tx) => {
      const ctx = workContext(ports, tx, SYSTEM_ACTOR);
      instants.push(ctx.now().getTime(), ctx.now().getTime());
      const counting: LimitContext = { ports, now: () => ctx.now(),
        header: (name, value) => { if (name === 'X-RateLimit-Remaining') left.push(value); } };
      await limit(counting, 'drawn', 5, 3600);
      await outside(keyOf('at', ctx.now()), async () => 'drawn');
    });
    expect(new Set(instants).size).toBe(1);
    expect(instants).toHaveLength(4);
    expect(left).toEqual(['4']);
  });
});
