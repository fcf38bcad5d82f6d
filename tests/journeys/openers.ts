/**
 * Menus and the dialogs behind their items, dialogs and drawers of buttons, on one screen. Each is opened by a click,
 * checked by axe in light and in dark, and closed by the keyboard, after which the focus must be somewhere. Nothing is
 * sent meanwhile: the server is not asked to change anything. OPENED_SHOTS names a folder for screenshots.
 */
import type { Locator, Page, Request, Route } from '@playwright/test';
import { faultsOfAxe } from './axe.ts';
import { expect, nextFrame, paint, requestsOf, settled } from './visitor.ts';

const OPENED = '[role="dialog"], dialog[open], [role="menu"], aside[data-floating]';
const BUTTONS = 'main button, main [role="button"]';
const LINES = '[role="menu"] [role="menuitem"]:not([href])';
/** They open nothing, or what the browser shows; a field's own buttons are the gallery's. */
const OPENS_NOTHING = new RegExp(`^(${['Refresh', 'Print', 'Download', 'Export', 'Copy', 'Sign out', 'Previous', 'Next',
  'Back', 'Undo', 'Try again', 'Close', 'Clear', 'Hide', 'Show', 'Smaller', 'Larger', 'Edit .+ of '].join('|')})`);
/** The same on every list and record: looked at where they come first. */
const EVERYWHERE = /^(Filter|Columns|Activity|Trash|Views|More filters|Help)\b/;
/** The second row of a list opens what the first does. */
const NO_OPENERS = ['tr:not(:first-child) *', 'li:not(:first-child) *', 'th *', '[type="submit"]', '[role="tab"]',
  '[role="switch"]', '[aria-pressed]', '[disabled]', '[aria-disabled="true"]', '[data-disabled]',
  '[aria-haspopup="listbox"]'].join(', ');

async function changeNothing(route: Route): Promise<void> {
  if (route.request().method() === 'GET') return route.fallback();
  return route.fulfill({ status: 400, json: { message: 'Not while the screen is looked at.', code: 'bad_request' } });
}

/** ms: what is there already, and what has to be loaded first. */
const SOON = 500;
const LONG = 10_000;

interface Opener { name: string; at: number; inHead: boolean }

/** Elements that may open something, each name once. */
async function openersOf(page: Page, within: string): Promise<Opener[]> {
  const openers = await page.evaluate(({ scope, none }) => {
    const all = [...document.querySelectorAll<HTMLElement>(scope)].map((one, at) => ({ one, at,
      name: (one.getAttribute('aria-label') ?? one.textContent).trim().replaceAll(/\d[\d,.]*/g, '#') }));
    return all.filter(({ one, name }) => name !== '' && !one.matches(none) && !one.closest('[inert], .gr-hidden')
      && one.checkVisibility({ visibilityProperty: true }))
      .map(({ one, at, name }) => ({ at, name, inHead: one.closest('header') !== null }));
  }, { scope: within, none: NO_OPENERS });
  return openers.filter(({ name }, at) => !OPENS_NOTHING.test(name)
    && openers.findIndex((other) => other.name === name) === at);
}

const openNow = (page: Page): Locator => page.locator(OPENED).filter({ visible: true });

const press = (target: Locator): Promise<void> => target.click({ timeout: 5_000, noWaitAfter: true });

/** Names of what was looked at already, by each worker. */
const known = new Set<string>();

/** One screen of a journey, at whatever width it has. */
class Screen {
  readonly page: Page;
  readonly address: string;
  readonly path: string;
  readonly waiting: ReadonlySet<Request>;

  constructor(page: Page, address: string, path: string) {
    this.page = page;
    this.address = address;
    this.path = path;
    this.waiting = requestsOf(page);
  }

  /** Records share what stands at their heads on all of their tabs; what stands on a tab is its own. */
  nameOf({ name, inHead }: Opener): string {
    if (EVERYWHERE.test(name)) return name;
    // Musicals have the screens of the plays.
    const path = this.path.replace('/admin/musicals', '/admin/plays');
    return `${inHead ? path.replace(/(\/:\w+).*/, '$1') : path} ${name}`;
  }

  /** Returns the part a click has opened, once it has loaded; null where it opened nothing. */
  async opened(): Promise<Locator | null> {
    const started = performance.now();
    const over = (): boolean => performance.now() - started > (this.waiting.size === 0 ? SOON : LONG);
    while (!over()) {
      await nextFrame(this.page);
      if (await openNow(this.page).count() === 0) continue;
      const newest = openNow(this.page).last();
      await newest.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: LONG });
      return newest;
    }
    return null;
  }

  async look(what: string, window: Locator): Promise<string[]> {
    const within = '[data-looked-at]';
    const picture = async (scheme: string): Promise<void> => {
      const folder = process.env.OPENED_SHOTS;
      if (folder) await this.page.screenshot({ path: `${folder}/${what.replaceAll(/\W+/g, '-')}-${scheme}.png` });
    };
    await window.evaluate((one) => one.setAttribute('data-looked-at', ''));
    const faults = await faultsOfAxe(this.page, undefined, within);
    if (await window.evaluate((one) => one.scrollWidth > one.clientWidth + 1)) faults.push('wider than its own window');
    await picture('light');
    await paint(this.page, 'dark');
    faults.push(...await faultsOfAxe(this.page, ['color-contrast'], within));
    await picture('dark');
    await paint(this.page, 'light');
    await window.evaluate((one) => one.removeAttribute('data-looked-at'));
    return [...faults.map((fault) => `${what}: ${fault}`), ...await this.close(what)];
  }

  async close(what: string): Promise<string[]> {
    const open = openNow(this.page);
    for (let more = 0; more < 4 && await open.count() > 0; more += 1) {
      await this.page.keyboard.press('Escape');
      for (let wait = 0; wait < 10 && await open.count() > 0; wait += 1) await nextFrame(this.page);
    }
    if (await open.count() > 0) return [`${what}: not closed by Escape`];
    return await this.isFocusBack() ? [] : [`${what}: the focus is nowhere once it is closed`];
  }

  /** Polls each frame for the focus to return, which takes one to three; waitForFunction polls too seldom. */
  async isFocusBack(): Promise<boolean> {
    const closed = performance.now();
    while (await this.page.evaluate(() => document.activeElement === document.body)) {
      if (performance.now() - closed > SOON) return false;
      await nextFrame(this.page);
    }
    return true;
  }

  async anew(): Promise<void> {
    await this.page.goto(this.address);
    await settled(this.page);
  }

  /** Whether the click led to another screen; the one before is there again then. */
  async left(): Promise<boolean> {
    const pathOf = (address: string): string => new URL(address, this.page.url()).pathname;
    if (pathOf(this.page.url()) === pathOf(this.address)) return false;
    await this.anew();
    return true;
  }

  async openLine(menu: Locator, line: Opener, what: string): Promise<string[]> {
    await press(menu);
    if (!await this.opened()) return [];
    await press(this.page.locator(LINES).nth(line.at));
    await expect(this.page.locator('[role="menu"]').filter({ visible: true })).toHaveCount(0);
    const window = await this.opened();
    return await this.left() || !window ? [] : this.look(what, window);
  }

  async openOne({ at }: Opener, what: string): Promise<string[]> {
    const button = this.page.locator(BUTTONS).nth(at);
    await press(button);
    const window = await this.opened();
    if (await this.left() || !window) return [];
    const lines = await window.getAttribute('role') === 'menu' ? await openersOf(this.page, LINES) : [];
    const faults = await this.look(what, window);
    for (const line of lines) faults.push(...await this.openLine(button, line, `${what} > ${line.name}`));
    return faults;
  }

  /** A click that cannot be made is a fault, too. */
  attempt(opener: Opener, what: string): Promise<string[]> {
    return this.openOne(opener, what).catch((error: Error) => [`${what}: ${error.message.split('\n', 1)[0]}`]);
  }

  /** Opens everything, ignoring faults that a busy machine causes once; a fault that occurs twice counts. */
  async openAll(): Promise<string[]> {
    const faults: string[] = [];
    for (;;) {
      // Anew each time: what was opened may have changed what stands there.
      const opener = (await openersOf(this.page, BUTTONS)).find((one) => !known.has(this.nameOf(one)));
      if (!opener) return faults;
      const what = this.nameOf(opener);
      known.add(what);
      if ((await this.attempt(opener, what)).length === 0) continue;
      await this.anew();
      const again = (await openersOf(this.page, BUTTONS)).find((one) => this.nameOf(one) === what);
      if (again) faults.push(...await this.attempt(again, what));
      await this.anew();
    }
  }
}

/** Everything that a click opens on this screen, as axe and the keyboard find it. */
export async function faultsOfOpened(page: Page, address: string, path: string): Promise<string[]> {
  await page.route('**/api/**', changeNothing);
  try {
    return await new Screen(page, address, path).openAll();
  } finally {
    await page.unroute('**/api/**', changeNothing);
  }
}
