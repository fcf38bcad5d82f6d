/**
 * What opens on a screen: menus and the dialogs behind their lines, dialogs and drawers of buttons. Each is opened by a
 * click, looked at by axe in light and in dark, and closed by the keyboard, after which the focus is somewhere. Nothing
 * is sent while this goes on: the server is not asked to change anything.
 */
import type { Locator, Page, Route } from '@playwright/test';
import { faultsOfAxe } from './axe.ts';
import { paint, settled } from './visitor.ts';

const OPENED = '[role="dialog"], dialog[open], [role="menu"], aside[data-floating]';
/** They open nothing, or what the browser shows; a field's own buttons are the gallery's. */
const OPENS_NOTHING = new RegExp(`^(${['Refresh', 'Print', 'Download', 'Export', 'Copy', 'Sign out', 'Previous', 'Next',
  'Back', 'Undo', 'Try again', 'Close', 'Clear', 'Hide', 'Show', 'Smaller', 'Larger', 'Edit .+ of '].join('|')})`);
/** The same on every list and record: looked at where they come first. */
const EVERYWHERE = /^(Filter|Columns|Activity|Trash|Views|More filters|Help)\b/;
const NO_OPENERS = ['tr:not(:first-child) *', 'li:not(:first-child) *', 'th *', '[type="submit"]', '[role="tab"]',
  '[role="switch"]', '[aria-pressed]', '[disabled]', '[aria-disabled="true"]', '[data-disabled]',
  '[aria-haspopup="listbox"]'].join(', ');

async function changeNothing(route: Route): Promise<void> {
  if (route.request().method() === 'GET') return route.fallback();
  return route.fulfill({ status: 400, json: { message: 'Not while the screen is looked at.', code: 'bad_request' } });
}

interface Opener { name: string; at: number }

/** Names of the buttons that may open something, each once: the second row of a list opens what the first does. */
function openersOf(page: Page, within: string): Promise<Opener[]> {
  return page.evaluate(({ scope, none }) => {
    const all = [...document.querySelectorAll<HTMLElement>(scope)];
    const named = all.map((one, at) => ({ one, at, name: (one.getAttribute('aria-label') ?? one.textContent).trim()
      .replaceAll(/\d[\d,.]*/g, '#') }));
    return named.filter(({ one }) => !one.matches(none) && one.checkVisibility({ visibilityProperty: true })
      && !one.closest('[inert], .gr-hidden')).map(({ at, name }) => ({ at, name }))
      .filter(({ name }, at, rest) => name !== '' && rest.findIndex((other) => other.name === name) === at);
  }, { scope: within, none: NO_OPENERS });
}

/** The newest thing that is open, once it has loaded; null where the click opened nothing. */
async function newest(page: Page, before: number): Promise<Locator | null> {
  const open = page.locator(OPENED).filter({ visible: true });
  for (let look = 0; look < 15; look += 1) {
    await page.evaluate(() => new Promise((next) => { requestAnimationFrame(() => requestAnimationFrame(next)); }));
    if (await open.count() > before) {
      const last = open.last();
      await last.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: 10_000 });
      return last;
    }
  }
  return null;
}

async function look(page: Page, what: string, opened: Locator, shots: string | undefined): Promise<string[]> {
  await opened.evaluate((one) => one.setAttribute('data-looked-at', ''));
  const within = '[data-looked-at]';
  const faults = await faultsOfAxe(page, undefined, within);
  if (shots) await page.screenshot({ path: `${shots}/${what.replaceAll(/[^\w]+/g, '-')}.png` });
  await paint(page, 'dark');
  faults.push(...await faultsOfAxe(page, ['color-contrast'], within));
  if (shots) await page.screenshot({ path: `${shots}/${what.replaceAll(/[^\w]+/g, '-')}-dark.png` });
  await paint(page, 'light');
  await opened.evaluate((one) => one.removeAttribute('data-looked-at'));
  return faults.map((fault) => `${what}: ${fault}`);
}

export interface Opening {
  /** What was looked at already, by name. */
  known: Set<string>;
  /** Screens share what stands at their heads; what stands on them is their own. */
  frame: string;
  path: string;
  /** Folder for pictures of what opened. */
  shots?: string | undefined;
}

/** Everything that a click opens on this screen, as axe and the keyboard find it. */
export async function faultsOfOpened(page: Page, address: string, opening: Opening): Promise<string[]> {
  const faults: string[] = [];
  await page.route('**/api/**', changeNothing);
  const open = page.locator(OPENED).filter({ visible: true });
  const buttons = 'main button, main [role="button"]';

  const back = async (name: string): Promise<void> => {
    for (let more = 0; more < 4 && await open.count() > 0; more += 1) {
      await page.keyboard.press('Escape');
      await page.evaluate(() => new Promise((next) => { requestAnimationFrame(() => requestAnimationFrame(next)); }));
      for (let wait = 0; wait < 10 && await open.count() > 0; wait += 1) await page.waitForTimeout(20);
    }
    if (await open.count() > 0) {
      faults.push(`${name}: not closed by Escape`);
      await page.goto(address);
      await settled(page);
    } else if (await page.evaluate(() => document.activeElement === document.body)) {
      faults.push(`${name}: the focus is nowhere once it is closed`);
    }
  };
  const press = async (name: string, target: Locator, before: number): Promise<Locator | null> => {
    await target.click({ timeout: 5_000, noWaitAfter: true });
    const opened = await newest(page, before);
    if (new URL(page.url()).pathname !== new URL(address, page.url()).pathname) {
      await page.goto(address);
      await settled(page);
      return null;
    }
    if (opened) faults.push(...await look(page, name, opened, opening.shots));
    return opened;
  };

  const inHead = await page.evaluate((scope) => [...document.querySelectorAll(scope)].map((one) =>
    one.closest('header') !== null), buttons);
  for (const { name, at } of await openersOf(page, buttons)) {
    const where = EVERYWHERE.test(name) ? '' : inHead[at] ? opening.frame : opening.path;
    const key = `${where} ${name}`;
    if (opening.known.has(key) || OPENS_NOTHING.test(name)) continue;
    opening.known.add(key);
    const button = page.locator(buttons).nth(at);
    if (!await button.isVisible()) continue;
    const opened = await press(key, button, 0);
    if (!opened) continue;
    const isMenu = await opened.getAttribute('role') === 'menu';
    const lines = isMenu ? await openersOf(page, '[role="menu"] [role="menuitem"]:not([href])') : [];
    await back(key);
    for (const line of lines.filter((one) => !OPENS_NOTHING.test(one.name))) {
      const lineKey = `${key} > ${line.name}`;
      await button.click({ timeout: 5_000, noWaitAfter: true });
      if (!await newest(page, 0)) break;
      const item = page.locator('[role="menu"] [role="menuitem"]:not([href])').nth(line.at);
      await item.click({ timeout: 5_000, noWaitAfter: true });
      await page.locator('[role="menu"]').filter({ visible: true }).first().waitFor({ state: 'hidden' });
      const dialog = await newest(page, 0);
      if (new URL(page.url()).pathname !== new URL(address, page.url()).pathname) {
        await page.goto(address);
        await settled(page);
      } else if (dialog) {
        faults.push(...await look(page, lineKey, dialog, opening.shots));
        await back(lineKey);
      }
    }
  }
  await page.unroute('**/api/**', changeNothing);
  return faults;
}
