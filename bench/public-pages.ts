/**
 * Public pages on a slow phone: the largest contentful paint as Chromium sees it, with the network and processor that
 * Lighthouse emulates for phones (150 ms, 1.6 Mbit/s, a quarter of the processor), an empty cache each time; bytes on
 * the wire, cookies. Asks a server that is running: `BENCH_URL=http://127.0.0.1:3000 npm run bench -- public-pages`.
 * Settings: BENCH_URL, ROUNDS (5), PAGES (addresses with commas between them).
 */
import { chromium, type Browser, type CDPSession } from '@playwright/test';
import { findChromium } from '../tools/chromium.ts';
import { median, say, table } from './support/measure.ts';

const BASE = process.env.BENCH_URL ?? 'http://127.0.0.1:3000';
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PAGES = (process.env.PAGES
  ?? '/shows,/shows?country=US,/shows/LAMPLIGHT?country=US,/shows/EARNEST?country=GB,/contact').split(',');
/** Aim of the specification, in milliseconds. */
const AIM = 1500;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

interface Visit { lcp: number; script: number; bytes: number; cookies: number }

async function slowDown(cdp: CDPSession): Promise<void> {
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', { offline: false, latency: 150,
    downloadThroughput: 1.6 * 1024 * 1024 / 8, uploadThroughput: 750 * 1024 / 8 });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

async function visit(browser: Browser, path: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await slowDown(cdp);
  const scripts = new Set<string>();
  let script = 0;
  let bytes = 0;
  cdp.on('Network.responseReceived', ({ requestId, type }) => { if (type === 'Script') scripts.add(requestId); });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    if (scripts.has(requestId)) script += encodedDataLength;
  });
  await page.addInitScript(`new PerformanceObserver((list) => { for (const entry of list.getEntries()) {
    globalThis.largestPaint = entry.startTime; } }).observe({ type: 'largest-contentful-paint', buffered: true });`);
  await page.goto(`${BASE}${path}`, { waitUntil: 'networkidle' });
  await page.waitForTimeout(500);
  const lcp = await page.evaluate<number>('globalThis.largestPaint ?? -1');
  const cookies = (await context.cookies()).length;
  await context.close();
  return { lcp, script, bytes, cookies };
}

const { executablePath } = findChromium();
const browser = await chromium.launch(executablePath === null ? {} : { executablePath });
const rows: string[][] = [];
let late = 0;
try {
  for (const path of PAGES) {
    const visits: Visit[] = [];
    for (let round = 0; round < ROUNDS; round += 1) visits.push(await visit(browser, path));
    const lcp = median(visits.map((one) => one.lcp));
    if (lcp > AIM) late += 1;
    rows.push([path, String(Math.round(lcp)), String(Math.round(Math.max(...visits.map((one) => one.lcp)))),
      (visits[0]!.script / 1000).toFixed(1), (visits[0]!.bytes / 1000).toFixed(1),
      String(Math.max(...visits.map((one) => one.cookies)))]);
  }
} finally {
  await browser.close();
}
say(table(['page', 'LCP ms, median', 'slowest', 'script kB', 'all kB', 'cookies'], rows));
if (late > 0) process.exitCode = 1;
