/** People of the demo season in the browser: a signed-in context per person, and the API as they may use it. */
// cspell:ignore requestfinished requestfailed
import { test as base, expect, type APIResponse, type Browser, type BrowserContext, type BrowserContextOptions,
  type Locator, type Page, type Request } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { DEMO_PASSWORD } from '#db/demo/people.ts';
import type { PageRow } from '#kit/page.ts';

export const PEOPLE = {
  system: 'system@grandrights.example',
  admin: 'eleanor@grandrights.example',
  second: 'theo@grandrights.example',
  reception: 'reception@grandrights.example',
  vendor: 'vendor@printshop.example',
  customer: 'ruth@astoriaplayers.example',
} as const;
export type Person = keyof typeof PEOPLE;

/** Someone who may open the page, or nobody where it is public. */
export function readerOf(row: PageRow): Person | null {
  if (row.area === 'public') return null;
  if (row.roles?.includes('vendor')) return 'vendor';
  if (row.area === 'system' || row.roles?.includes('system_admin')) return 'system';
  return row.area === 'customer' ? 'customer' : 'admin';
}

// oxlint-disable-next-line no-explicit-any -- answers of many endpoints, read where they are used
export type Body = any;

interface Upload { name: string; mimeType: string; buffer: Buffer }

export interface Visitor {
  context: BrowserContext;
  page: Page;
  get(path: string): Promise<Body>;
  send(method: 'POST' | 'PUT', path: string, body?: unknown): Promise<Body>;
  upload(path: string, parts: Record<string, string | Upload>): Promise<Body>;
}

async function bodyOf(answer: APIResponse): Promise<Body> {
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`);
  return answer.status() === 204 ? null : answer.json() as Promise<Body>;
}

const requests = new WeakMap<Page, Set<Request>>();

/** Requests of a page without their answer, from now on; the stream of events is never done. */
export function requestsOf(page: Page): ReadonlySet<Request> {
  const known = requests.get(page);
  if (known) return known;
  const waiting = new Set<Request>();
  requests.set(page, waiting);
  page.on('request', (request) => {
    // Requests of the document before are not answered any more.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting.clear();
    if (request.resourceType() !== 'eventsource') waiting.add(request);
  });
  page.on('requestfinished', (request) => waiting.delete(request));
  page.on('requestfailed', (request) => waiting.delete(request));
  return waiting;
}

/** A browser context of its own; signed in through the API, since one journey signs in through the form. */
export const enter = (
  browser: Browser, person: Person | null, options: BrowserContextOptions = {},
): Promise<Visitor> => enterAs(browser, person && PEOPLE[person], options);

export async function enterAs(
  browser: Browser, email: string | null, options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext(options);
  context.on('page', requestsOf);
  const { request } = context;
  const token = async (): Promise<string> => decodeURIComponent(
    (await context.cookies()).find((cookie) => cookie.name === 'XSRF-TOKEN')?.value ?? '');
  const headers = async (): Promise<Record<string, string>> =>
    ({ 'x-xsrf-token': await token(), 'idempotency-key': randomUUID() });
  const send: Visitor['send'] = async (method, path, data = {}) =>
    bodyOf(await request.fetch(path, { method, data, headers: await headers() }));
  if (email) {
    await request.get('/sanctum/csrf-cookie');
    await send('POST', '/api/auth/login', { email, password: DEMO_PASSWORD });
  }
  return { context, page: await context.newPage(), send,
    upload: async (path, multipart) => bodyOf(await request.post(path, { multipart, headers: await headers() })),
    get: async (path) => bodyOf(await request.get(path)) };
}

type Enter = (person: Person | null) => Promise<Visitor>;

/**
 * Keeps the stream of live events silent: a test of one page does not see the messages that other tests cause
 * meanwhile. In the page itself: a route of the test runner would switch the browser's cache off, and every page would
 * load and compile the whole application again.
 */
async function silenceEvents(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    class SilentStream extends EventTarget {
      constructor() {
        super();
        setTimeout(() => this.dispatchEvent(new Event('open')));
      }
      close(): void {}
    }
    Object.assign(window, { EventSource: SilentStream });
  });
}

export interface LiveOption {
  /** True for tests of people who meet each other: events of the server reach the visitors of the fixture. */
  live: boolean;
}

/** `visitor('admin')`: the same context for every test of the run. */
export const test = base.extend<object, { visitor: Enter } & LiveOption>({
  live: [false, { scope: 'worker', option: true }],
  visitor: [async ({ browser, live }, use) => {
    const inside = new Map<Person | null, Promise<Visitor>>();
    const arrive = async (person: Person | null): Promise<Visitor> => {
      const visitor = await enter(browser, person);
      if (!live) await silenceEvents(visitor.context);
      return visitor;
    };
    await use((person) => {
      const known = inside.get(person) ?? arrive(person);
      inside.set(person, known);
      return known;
    });
    for (const visitor of inside.values()) await (await visitor).context.close();
  }, { scope: 'worker' }],
});
export { expect };

/** From an address that leads to the form. */
export async function signIn(page: Page, email: string, at = '/login'): Promise<void> {
  await page.goto(at);
  await givePassword(page, email);
}

/** Signs in on the form that is already open. */
export async function givePassword(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** By the menu of the account. */
export async function openSecurity(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Security' }).click();
  await expect(page.getByText('This device')).toBeVisible();
}

/** Answers the question who is there, which comes before what is sensitive. */
export async function confirmIdentity(page: Page): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Is it you?' });
  await question.getByLabel(/^Password/).first().fill(DEMO_PASSWORD);
  await question.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(question).toHaveCount(0);
}

/** Elements still loading; the gallery shows loading states that never end. */
export function loading(page: Page): Locator {
  return new URL(page.url()).pathname === '/gallery' ? page.locator('none') : page.locator('[aria-busy="true"]');
}

/** The other scheme, with its colours at rest at once: on their way they are no colours of the product. */
export async function paint(page: Page, scheme: 'dark' | 'light'): Promise<void> {
  await page.evaluate((value) => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets = [still];
    document.documentElement.setAttribute('data-mantine-color-scheme', value);
  }, scheme);
}

/** Waits until changes of the next frame apply, but not for a browser that paints none for seconds. */
export function nextFrame(page: Page): Promise<void> {
  return page.evaluate(() => new Promise((next) => {
    requestAnimationFrame(() => requestAnimationFrame(() => next()));
    setTimeout(next, 5_000);
  }));
}

/**
 * After what the page is busy with: effects of the last answer have run, and asked for what they need. Not by
 * requestIdleCallback, which Chromium without a window stops calling after a dozen screens.
 */
async function idle(page: Page): Promise<void> {
  await nextFrame(page);
  await page.evaluate(() => scheduler.postTask(() => undefined, { priority: 'background' }));
}

const PATIENCE_MS = 30_000;
/** The first screen of a browser loads the application while the run still starts: 235 files of the gallery in 33 s. */
const FIRST_MS = 90_000;

/**
 * Every request is answered, and the page does nothing that would lead to another. The browser's own word for it holds
 * once a document; a screen that is opened within the application asks without it.
 */
async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  const waiting = requests.get(page);
  if (!waiting) return;
  const end = performance.now() + PATIENCE_MS;
  for (let calm = 0; calm < 2;) {
    await idle(page);
    calm = waiting.size === 0 ? calm + 1 : 0;
    if (performance.now() > end) throw new Error(`No answer from ${[...waiting].map((one) => one.url()).join(', ')}`);
  }
}

/** The screen stands: its heading is there, nothing is loading any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached({ timeout: FIRST_MS });
  await expect(loading(page)).toHaveCount(0);
  // The browser's own viewer of a PDF does not always come to rest.
  if (await page.locator('iframe').count() === 0) await quiet(page);
  await expect(loading(page)).toHaveCount(0);
}

const NOT_FOUND = 'Something went wrong.';

/** By a link, as it were: the application is loaded once a person. Elsewhere pages are opened by their address. */
export async function goWithin(page: Page, address: string): Promise<void> {
  if (page.url() === 'about:blank') {
    await page.goto(address);
    return;
  }
  // The screen before is gone first: its heading is not to be taken for that of the next. Waits in the page, frame by
  // frame: the assertions of the test runner look again after up to a second.
  const arrived = await page.evaluate(async ({ next, notFound, patience }) => {
    const end = performance.now() + patience;
    const until = async (isTrue: (heading: string) => boolean): Promise<boolean> => {
      while (!isTrue(document.querySelector('h1')?.textContent.trim() ?? '')) {
        if (performance.now() > end) return false;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return true;
    };
    window.history.pushState({}, '', '/no/such/page');
    if (!await until((heading) => heading === notFound)) return false;
    window.history.pushState({}, '', next);
    return until((heading) => heading !== notFound && heading !== '');
  }, { next: address, notFound: NOT_FOUND, patience: PATIENCE_MS });
  expect(arrived, `the screen of ${address}`).toBe(true);
}
