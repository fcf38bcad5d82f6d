/**
 * Perceived speed in real Chromium (frontend.md 4.3): the built web app over a list of a million venues.
 * A change of screen with cached data, a keystroke until its paint, the frames of a scrolled page, of a box that holds
 * 10,000 rows in the browser, a turned page.
 * Times are taken in the page: from the event to the frame after the screen is complete. CHROMIUM names the browser.
 * Settings: VENUES (1000000), ROUNDS (20).
 */
import { chromium, type Page } from '@playwright/test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, loginsOf } from '#apps/server/src/compose.ts';
import { hashToken, newToken, SESSION_COOKIE } from '#modules/identity/session/session.server.ts';
import { readSettings } from '#server/settings.ts';
import { Sql, sql } from '#server/sql.ts';
import { buildWeb } from '../tools/build-web.ts';
import { findChromium } from '../tools/chromium.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { load, median, say, table } from './support/measure.ts';

const VENUES = Number(process.env.VENUES ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 20);
const LIST = '/admin/venues';
/** px a wheel turns at once, and how often. */
const WHEEL = { step: 240, turns: 60 };

/** A staff administrator with a session, and the rows of the list. */
async function fill(database: BenchDatabase): Promise<string> {
  const token = newToken();
  const run = (text: string) => database.root.query(new Sql([text], []));
  await run(`insert into venues (name, kind, capacity) select 'Venue ' || lpad(g::text, 7, '0'), 'theatre',
    100 + g % 900 from generate_series(1, ${VENUES}) g`);
  await database.root.exec(sql`with person as (insert into users (email, first_name, last_name, role, password_hash,
      email_verified_at) values ('feel@bench.example', 'Ada', 'Bench', 'staff_admin', 'none', now()) returning *)
    insert into sessions (token_hash, user_id, csrf_token, epoch, created_at, last_seen_at, expires_at)
    select ${hashToken(token)}, id, ${newToken()}, session_epoch, now(), now(), now() + interval '2 hours'
    from person`);
  await run('vacuum analyze');
  return token;
}

/** ms from a click on what `from` finds until `ready` finds something, nothing loads any more and it is painted. */
function clickToPaint(page: Page, from: string, ready: string): Promise<number> {
  return page.evaluate(({ from: source, ready: target }) => new Promise<number>((resolve, reject) => {
    const source_element = document.querySelector<HTMLElement>(source);
    if (!source_element) return reject(new Error(`${source} is not on the screen`));
    const started = performance.now();
    const look = (): void => {
      if (performance.now() - started > 20_000) return reject(new Error(`${target} never came`));
      if (!document.querySelector(target) || document.querySelector('main [aria-busy="true"]')) {
        return void requestAnimationFrame(look);
      }
      // The frame after the one in which it stands: it has been painted.
      requestAnimationFrame(() => resolve(performance.now() - started));
    };
    source_element.click();
    requestAnimationFrame(look);
  }), { from, ready });
}

async function routeChanges(page: Page): Promise<Record<string, number[]>> {
  const toRecord: number[] = [];
  const toList: number[] = [];
  const row = 'tbody tr:first-child [data-lead] a';
  for (let turn = 0; turn <= ROUNDS; turn += 1) {
    const there = await clickToPaint(page, row, 'main form input');
    const back = await clickToPaint(page, 'header [aria-label="Back"]', row);
    // The first time nothing is cached.
    if (turn === 0) continue;
    toRecord.push(there);
    toList.push(back);
  }
  return { 'list to record, cached': toRecord, 'record back to list, cached': toList };
}

async function turnedPages(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    times.push(await page.evaluate((next) => new Promise<number>((resolve) => {
      const started = performance.now();
      const look = (): void => {
        const here = document.querySelector('[aria-label="Next page"]')?.parentElement?.textContent ?? '';
        const fetching = document.querySelector('[data-fetching], main [aria-busy="true"]');
        if (!here.includes(`Page ${next} `) || fetching) return void requestAnimationFrame(look);
        requestAnimationFrame(() => resolve(performance.now() - started));
      };
      document.querySelector<HTMLElement>('[aria-label="Next page"]')?.click();
      requestAnimationFrame(look);
    }), turn + 1));
  }
  return times;
}

/** Keys in `field`: what the browser itself says of each, from the key to the next paint (Event Timing, 8 ms steps). */
async function keystrokes(page: Page, field: string): Promise<number[]> {
  await page.locator(field).first().focus();
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(globalThis, { keyTimes: seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') seen.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  const text = 'Theatre Royal Drury Lane';
  for (const key of text) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(500);
  const slow = await page.evaluate(() => (globalThis as unknown as { keyTimes: number[] }).keyTimes);
  // Interactions under 16 ms are not reported: they count as 16.
  return [...slow, ...Array.from({ length: Math.max(0, text.length - slow.length) }, () => 16)];
}

/** ms between frames while a wheel turns over the list, or over what stands where `over` is. */
async function scrollFrames(page: Page, over?: string): Promise<number[]> {
  const box = over ? await page.locator(over).boundingBox() : null;
  await page.mouse.move(...(box ? [box.x + box.width / 2, box.y + 120] as const : [800, 600] as const));
  await page.evaluate(() => {
    const frames: number[] = [];
    Object.assign(globalThis, { frames });
    let last = performance.now();
    const next = (now: number): void => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  for (let turn = 0; turn < WHEEL.turns; turn += 1) {
    await page.mouse.wheel(0, turn < WHEEL.turns / 2 ? WHEEL.step : -WHEEL.step);
    await page.waitForTimeout(16);
  }
  return page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames.slice(1));
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

async function measure(page: Page, origin: string): Promise<void> {
  const rows: (string | number)[][] = [];
  const note = (what: string, values: number[], aim: number): void => {
    rows.push([what, values.length, ...[at(values, 0), median(values), at(values, .95)].map((one) => one.toFixed(0)),
      aim]);
  };
  const stands = (selector: string) => page.locator(selector).first().waitFor();
  await page.goto(`${origin}${LIST}?per_page=100`);
  await stands('tbody [data-lead] a');
  await page.waitForLoadState('load');
  note('frames, 100 rows of a million', await scrollFrames(page), 40);
  say(`elements on that screen: ${await page.locator('*').count()}`);
  note('key in the list search', await keystrokes(page, '[data-list-search]'), 50);
  await page.goto(`${origin}/gallery`);
  const held = '[data-many]';
  await page.getByRole('button', { name: 'Show ten thousand rows' }).click();
  await page.locator(held).scrollIntoViewIfNeeded();
  await stands(`${held} tr[data-index="5"]`);
  note('frames, 10,000 rows held by the browser', await scrollFrames(page, held), 40);
  await page.locator(held).evaluate((box) => { box.scrollTop = box.scrollHeight / 2; });
  await page.waitForTimeout(200);
  note('frames, from the middle of them', await scrollFrames(page, held), 40);
  // Before a search: it leaves so few that they are drawn as any rows are.
  say(`elements of these rows: ${await page.locator(`${held} *`).count()}`);
  note('key in their search', await keystrokes(page, 'section:has([data-many]) input[type=search]'), 50);
  await page.goto(`${origin}${LIST}`);
  await stands('tbody [data-lead] a');
  for (const [what, values] of Object.entries(await routeChanges(page))) note(what, values, 100);
  note('next page of the list, from the server', await turnedPages(page), 400);
  await clickToPaint(page, 'tbody tr:first-child [data-lead] a', 'main form input');
  note('key in a form', await keystrokes(page, 'main form input'), 50);
  say(table(['ms', 'times', 'least', 'median', '95%', 'aim'], rows));
}

const browserHere = findChromium();
if (browserHere.executablePath === null) throw new Error(browserHere.reason);
const database = await benchDatabase({ max: 4 });
try {
  const token = await fill(database);
  const settings = { ...readSettings({}, '/'), data_dir: join(tmpdir(), `feel-files-${process.pid}`) };
  const composition = await compose({ settings, connections: loginsOf(database.urlFor), webFolder: await buildWeb(say),
    log: (level, message, facts) => {
      if (level === 'error') say(`${message} ${JSON.stringify(facts)}`);
    } });
  await composition.app.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(composition.app.server.address() as { port: number }).port}`;
  const browser = await chromium.launch({ executablePath: browserHere.executablePath });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  await context.addCookies([{ name: SESSION_COOKIE, value: token, url: origin }]);
  say(`Chromium ${browser.version()}, ${VENUES} venues, ${ROUNDS} rounds, load before ${load()}`);
  await measure(await context.newPage(), origin);
  say(`load after ${load()}`);
  await browser.close();
  await composition.close();
} finally {
  await database.stop();
}
