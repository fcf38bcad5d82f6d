/**
 * The design's checklist asked of one screen as it stands in the browser: what of U1 to U38 has business there, and how
 * well it is done. Nothing is sent that would change the season. `checklist.spec.ts` walks all screens with it.
 */
// cspell:ignore zzqx
import type { Locator, Page, Request, Route } from '@playwright/test';
import type { PageRow } from '#kit/page.ts';
import { faultsOfAxe } from './axe.ts';
import { hiddenStops, smallTargets } from './keyboard.ts';
import { faultsOfPaper, SHEETS, toPaper, toScreen } from './paper.ts';
import { DOCUMENT, FINANCE, MAIN_LISTS, OWN_WORK, type Score, type Scores } from './checklist-items.ts';
import { nextFrame, paint, settled } from './visitor.ts';
import { PHONE, shiftOf, smallTouchTargets, widerThanScreen } from './widths.ts';

const DESKTOP = { width: 1280, height: 900 };
/** ms that every answer takes while it is seen whether the screen moves: long enough for its skeletons. */
const SLOW = 150;
/** ms for what a key or a click may bring. */
const SOON = 2_500;
/** ms for what every screen must bring by a key; its code is loaded only then, and other journeys run beside it. */
const AT_LAST = 20_000;
/** Cumulative layout shift: the design's own limit, and the web's. */
const STILL = 0.02;
const CALM = 0.1;

const scored = (works: boolean, whole = works): Score => whole && works ? 2 : works ? 1 : 0;
const byFaults = (faults: readonly unknown[], few = 0): Score =>
  faults.length === 0 ? 2 : faults.length <= few ? 1 : 0;

const appears = (what: Locator, timeout = SOON): Promise<boolean> =>
  what.first().waitFor({ timeout }).then(() => true, () => false);

/** Screen under inspection. */
export interface Place { page: Page; row: PageRow; address: string; notes: string[] }

async function arrive({ page, address }: Place): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await page.goto(address);
  await settled(page);
}

/** U13, with a server that takes its time. */
async function still(place: Place): Promise<Score> {
  const { page, notes } = place;
  const late = async (route: Route): Promise<void> => {
    await new Promise((done) => { setTimeout(done, SLOW); });
    await route.fallback();
  };
  await page.route('**/api/**', late);
  await arrive(place);
  const { sum, most } = await shiftOf(page);
  await page.unroute('**/api/**', late);
  if (sum > STILL) notes.push(`moves by ${sum.toFixed(3)}: ${most}`);
  return sum <= STILL ? 2 : sum <= CALM ? 1 : 0;
}

interface Facts {
  title: boolean; way: boolean; list: boolean; selectable: boolean; views: boolean; rows: boolean;
  exported: boolean; edited: boolean;
  form: boolean; amounts: number; crooked: number; times: number; activity: boolean; pdf: boolean;
  memo: boolean; figures: boolean; taken: boolean; led: boolean;
}

/** Reads all facts of the screen at once. */
function factsOf(page: Page): Promise<Facts> {
  return page.evaluate(() => {
    const main = document.querySelector('main')!;
    const seen = (one: Element): boolean => one.checkVisibility({ visibilityProperty: true });
    const all = (selector: string): HTMLElement[] => [...main.querySelectorAll<HTMLElement>(selector)].filter(seen);
    const words = (one: Element): string => (one.getAttribute('aria-label') ?? one.textContent).trim();
    const button = (name: RegExp): boolean => all('button, a[href]').some((one) => name.test(words(one)));
    const h1 = main.querySelector('h1')?.textContent.trim() ?? '';
    const amounts = all('td').filter((one) => /^\(?(minus )?[\d,]+\.\d\d\)?$/.test(one.textContent.trim()));
    const crooked = amounts.filter((one) => {
      const { textAlign, fontVariantNumeric } = getComputedStyle(one);
      return !/right|end/.test(textAlign) || !fontVariantNumeric.includes('tabular-nums');
    });
    const totals = all('tfoot td, dd, [data-total]').some((one) => one.querySelector('a, button') !== null);
    const rowsLead = all('td a[href], td button, th a[href], h2 ~ a[href], h2 a[href]').length > 0;
    return {
      title: h1 !== '' && (h1.startsWith(document.title.split(' · ')[0]!) || document.title.startsWith('Home')),
      way: document.querySelector('nav[aria-label="Breadcrumb"], main [aria-label="Back"], nav [aria-current]') !== null
        || button(/^(Home|Productions|Shows|Payments|Orders|Perusals|The show|Back to .+)$/),
      list: button(/^Columns/), selectable: all('thead [type="checkbox"]').length > 0,
      views: button(/^Views/), rows: all('tbody tr[data-index]').length > 0,
      exported: button(/^Export/), edited: all('[data-editable]').length > 0,
      form: all('form [type="submit"]').length > 0
        && all('form input[type="text"], form input:not([type]), form textarea').length > 0,
      amounts: amounts.length, crooked: crooked.length, times: all('time[datetime]').length,
      activity: button(/^Activity/) || button(/^History/)
        || all('h2, h3').some((one) => /^(History|Activity)/.test(words(one))),
      pdf: button(/PDF|Download|Read|Open the document|Remittance advice/) || all('canvas, iframe').length > 0,
      memo: all('textarea').some((one) => /memo/i.test(words(one) + one.getAttribute('placeholder'))),
      figures: button(/^(Table|Chart)$/) || all('table').length > 0,
      taken: button(/trash|Remove|Delete|Deactivate|Void|Reverse|Take out|Revoke|Cancel/i),
      led: totals || rowsLead,
    };
  });
}

/** U38: buttons that are held for now and say neither in their name nor when they have the focus why. */
async function heldInSilence({ page }: Place): Promise<string[]> {
  const held = page.locator('main').locator('button[aria-disabled="true"], button:disabled:not([role="combobox"])');
  const silent: string[] = [];
  for (const one of (await held.filter({ visible: true }).all()).slice(0, 6)) {
    const name = await one.evaluate((button) => (button.getAttribute('aria-label') ?? button.textContent).trim());
    // Nothing is forbidden where there is no earlier page.
    if (/^(Previous|Next|Earlier|Page before)\b/.test(name) || name.includes(':')) continue;
    if (await one.getAttribute('aria-description') === null) silent.push(name);
  }
  return silent;
}

/** U1, U2: opens by its key, finds records, gives the focus back. */
async function palette({ page }: Place): Promise<Scores> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /^Search/ });
  if (!await appears(field, AT_LAST)) return { U1: 0, U2: 0 };
  await field.fill('ast');
  const found = await appears(page.getByRole('option').filter({ hasText: /ast/i }), AT_LAST);
  await page.keyboard.press('Escape');
  const closed = await field.waitFor({ state: 'detached', timeout: AT_LAST }).then(() => true, () => false);
  return { U1: scored(true, closed), U2: scored(found) };
}

/** U4: the keys are told, and those of a single letter can be switched off. */
async function keysTold({ page }: Place): Promise<Score> {
  await page.keyboard.press('?');
  const told = await appears(page.getByLabel('Single-key shortcuts'), AT_LAST);
  await page.keyboard.press('Escape');
  return scored(told);
}

/** U3, U5: the list without a mouse. */
async function keysOfList({ page }: Place): Promise<Scores> {
  await page.keyboard.press('/');
  const searches = (): Promise<boolean> =>
    page.evaluate(() => document.activeElement?.matches('[data-list-search]') === true);
  let search = await searches();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const rows = page.locator('main tbody tr[data-index]');
  if (await rows.count() === 0) return { U3: scored(search) };
  // Of several tables on a screen the keys are those of the one that has the focus.
  const tables = page.locator('main table:has(tr[data-index])');
  if (await tables.count() > 1) {
    const stop = rows.locator('a, button').first();
    // Rows that lead nowhere take no focus: nothing to open or to move to.
    if (await stop.count() === 0) return {};
    await stop.focus();
    await page.keyboard.press('/');
    search ||= await searches();
    await stop.focus();
  }
  await page.keyboard.press('j');
  const moved = await appears(page.locator('main tr[data-cursor]'));
  await page.keyboard.press('Space');
  const peek = page.getByRole('complementary').or(page.getByRole('dialog')).getByRole('link', { name: /^Open/ })
    .or(page.getByRole('complementary').or(page.getByRole('dialog')).getByRole('button', { name: /^(Open|Close)/ }));
  const peeked = moved && await appears(peek);
  await page.keyboard.press('Escape');
  return { U3: scored(moved || search, moved && search), ...(moved ? { U5: scored(peeked) } : {}) };
}

/** U6, U9: which columns, in which order, how dense. */
async function columns({ page }: Place): Promise<Scores> {
  await page.getByRole('button', { name: /^Columns/ }).first().click();
  const opened = await appears(page.getByRole('button', { name: 'Reset', exact: true }));
  const moves = await page.getByRole('button', { name: /^Move .+/ }).count() > 0;
  const dense = await page.getByText('Dense', { exact: true }).count() > 0;
  await page.keyboard.press('Escape');
  return { U6: scored(dense), U9: scored(opened, moves) };
}

/** U7, U14: what is searched stands in the address and comes back; nothing found is no empty list. */
async function addressOfList({ page }: Place): Promise<Scores> {
  const search = page.locator('main [data-list-search]').first();
  if (await search.count() === 0) return {};
  await search.fill('zzqx');
  const kept = await page.waitForURL(/zzqx/, { timeout: SOON }).then(() => true, () => false);
  const cleared = await appears(page.getByRole('button', { name: 'Clear filter' }));
  if (!kept) return { U7: 0, U14: scored(true, cleared) };
  await page.reload();
  await settled(page);
  const same = await search.inputValue() === 'zzqx';
  return { U7: scored(kept, same), U14: scored(true, cleared) };
}

async function refuseAt(name: string, route: Route): Promise<void> {
  if (route.request().method() === 'GET') return route.fallback();
  return route.fulfill({ status: 422, json: { code: 'invalid', message: 'Something is not right yet.',
    errors: { [name]: ['This is not right yet.'] } } });
}

/** The first field of a form that takes words. */
const wordField = (page: Page): Locator => page.locator('main form:has([type="submit"])').locator(
  'textarea:not([readonly]):not([disabled]), input[type="text"]:not([readonly]):not([disabled]):not([role="combobox"])'
  + ':not([inputmode="decimal"]):not([inputmode="numeric"]):not([placeholder^="MM"])')
  .filter({ visible: true }).first();

/** U18: a refusal stands at its field, and what was typed stays. */
async function refusal({ page }: Place, field: Locator): Promise<Score> {
  const name = await field.evaluate((one) => one.getAttribute('name') ?? (one as HTMLElement).dataset.path ?? 'body');
  const refuse = (route: Route): Promise<void> => refuseAt(name, route);
  await page.route('**/api/**', refuse);
  const form = field.locator('xpath=ancestor::form');
  const submit = form.locator('[type="submit"]').last();
  if (await submit.getAttribute('aria-disabled') === 'true') {
    // Something else is missing, and it says what before it is sent.
    await page.unroute('**/api/**', refuse);
    return scored(await submit.getAttribute('aria-description') !== null);
  }
  await submit.click();
  const told = await appears(page.locator('main').getByRole('alert').or(form.locator('[aria-invalid="true"]')));
  await nextFrame(page);
  const first = await field.evaluate((one) => document.activeElement === one || one.ariaInvalid === 'true');
  const kept = (await field.inputValue()).includes('zz');
  await page.unroute('**/api/**', refuse);
  return scored(told && kept, first);
}

/** U17: leaving is asked about, and what was typed waits for whoever comes back. */
async function leaving(place: Place, field: Locator): Promise<Score> {
  const { page } = place;
  await page.evaluate(() => { (document.querySelector('nav a[href]') as HTMLElement | null)?.click(); });
  const asked = await appears(page.getByRole('button', { name: 'Keep editing' }));
  await page.keyboard.press('Escape');
  const accept = (dialog: { accept: () => Promise<void> }): void => { void dialog.accept(); };
  page.on('dialog', accept);
  await arrive(place);
  page.off('dialog', accept);
  // A memo stands there again by itself; nobody needs to be asked before it is left.
  if (await field.count() > 0 && (await field.inputValue()).includes('zz')) {
    await field.fill('');
    return 2;
  }
  const discard = page.getByRole('button', { name: 'Discard' });
  const kept = await appears(discard);
  if (kept) await discard.first().click();
  return scored(asked || kept, asked && kept);
}

/** U27: a save of an overtaken version is refused, said, and the record is read again to be merged. */
async function overtaken({ page }: Place, field: Locator): Promise<Score> {
  let reads = 0;
  let refused = false;
  const stale = async (route: Route): Promise<void> => {
    if (route.request().method() === 'GET') return route.fallback();
    refused = true;
    return route.fulfill({ status: 412,
      json: { code: 'stale', message: 'Someone changed this since you opened it.' } });
  };
  const count = (request: Request): void => { if (refused && request.method() === 'GET') reads += 1; };
  await page.route('**/api/**', stale);
  page.on('request', count);
  await field.locator('xpath=ancestor::form').locator('[type="submit"]').last().click();
  const told = await appears(page.getByText(/^Someone changed this|changed meanwhile|as it stands now/i));
  page.off('request', count);
  await page.unroute('**/api/**', stale);
  const kept = (await field.inputValue()).includes('zz');
  return scored(kept && (told || reads > 0), reads > 0);
}

async function formScores(place: Place): Promise<Scores> {
  const { page, row } = place;
  const field = wordField(page);
  if (await field.count() === 0) return {};
  const type = async (): Promise<void> => field.fill(`${await field.inputValue()} zz`);
  await type();
  const scores: Scores = { U18: await refusal(place, field) };
  const isRecord = /:\w+/.test(row.path) && !/create|add$/.test(row.path);
  const held = field.locator('xpath=ancestor::form').locator('[type="submit"][aria-disabled="true"]');
  const sends = await held.count() === 0;
  const adds = row.path.endsWith('messages') || (await field.getAttribute('placeholder') ?? '').includes('memo');
  if (isRecord && sends && !adds && row.area === 'staff') scores.U27 = await overtaken(place, field);
  // The draft is kept a second after the last key.
  await page.waitForTimeout(1_300);
  scores.U17 = await leaving(place, field);
  return scores;
}

/** U28. */
async function offline({ page }: Place): Promise<Score> {
  await page.context().setOffline(true);
  const told = await appears(page.getByText(/^You are offline/));
  await page.context().setOffline(false);
  const over = await page.getByText(/^You are offline/).waitFor({ state: 'detached', timeout: SOON })
    .then(() => true, () => false);
  return scored(told, over);
}

async function looks(place: Place): Promise<Scores> {
  const { page, row, notes } = place;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...DESKTOP, height: Math.max(DESKTOP.height, height) });
  const light = await faultsOfAxe(page);
  await paint(page, 'dark');
  const dark = await faultsOfAxe(page, ['color-contrast']);
  const dim = await page.evaluate(() => {
    const [red = 255] = getComputedStyle(document.body).backgroundColor.match(/\d+/g)!.map(Number);
    return red < 60;
  });
  await paint(page, 'light');
  const wider = await widerThanScreen(page, [640, 390, 320]);
  const portal = row.area === 'customer';
  await page.setViewportSize(PHONE);
  const touch = portal ? [...await smallTouchTargets(page), ...await widerThanScreen(page, [360])] : [];
  await page.setViewportSize(DESKTOP);
  const small = await smallTargets(page);
  const { hidden } = await hiddenStops(page);
  notes.push(...light, ...dark, ...wider, ...touch, ...small, ...hidden);
  return {
    U16: byFaults(hidden, 1), U33: byFaults([...light, ...dark]), U34: byFaults(wider), U35: byFaults(small, 1),
    U36: scored(dim, dark.length === 0), ...(portal ? { U29: byFaults(touch, 1) } : {}),
  };
}

async function paper({ page, notes }: Place): Promise<Score> {
  const [sheet] = SHEETS as [number];
  await toPaper(page, sheet);
  const faults = await faultsOfPaper(page, sheet);
  await toScreen(page);
  await page.setViewportSize(DESKTOP);
  notes.push(...faults);
  return byFaults(faults, 2);
}

/** Scores that apply to customers' screens only. */
async function portalScores({ page, row }: Place): Promise<Scores> {
  const main = page.locator('main');
  const scores: Scores = {};
  if (/:customerId$|overview$/.test(row.path)) {
    scores.U30 = scored(await main.getByRole('heading', { name: 'To do' }).count() > 0);
  }
  if (/quote$|invoices$|invoiceId$|overview$|shows\/:showId$/.test(row.path)) {
    const adds = await main.getByText(/^(Total|Price|Guaranteed)/).count() > 0;
    scores.U31 = scored(adds, await main.getByText(/How this was calculated|Pay |Paid|Invoice/).count() > 0);
  }
  if (/apply/.test(row.path)) scores.U32 = scored(await main.getByText('Save and close').count() > 0);
  return scores;
}

/** Within one of the frames: with a navigation, a palette and help. A vendor's account is a page of its own. */
const framed = ({ area, path }: PageRow): boolean =>
  area !== 'public' && !/^\/(select|set-up|apply|account$)/.test(path);

function scoresOfFacts(row: PageRow, facts: Facts): Scores {
  const { path, area } = row;
  const office = area === 'staff' || area === 'system';
  const record = office && /:\w+/.test(path) && !/create|edit|:token/.test(path) && !OWN_WORK.test(path);
  return {
    U15: scored(facts.title, facts.way || !framed(row)),
    ...(facts.amounts > 0 ? { U19: scored(true, facts.crooked === 0) } : {}),
    ...(facts.times > 0 ? { U37: 2 } : {}),
    ...(facts.taken && office ? { U12: 2 } : {}),
    ...(MAIN_LISTS.includes(path) ? { U8: scored(facts.views) } : {}),
    ...(facts.list && facts.rows && !OWN_WORK.test(path) ? { U21: scored(facts.exported) } : {}),
    ...(facts.edited ? { U10: 2 } : {}),
    ...(facts.selectable && office ? { U11: 2 } : {}),
    ...(FINANCE.test(path) ? { U20: scored(facts.led) } : {}),
    ...(DOCUMENT.test(path) ? { U23: scored(facts.pdf) } : {}),
    ...(record ? { U24: scored(facts.activity || /activity|memos/.test(path)) } : {}),
    ...(facts.memo ? { U25: 2 } : {}),
    ...(path === '/admin' ? { U26: scored(facts.figures) } : {}),
  };
}

/** The screen's scores; what is wrong is added to the notes of its place. */
export async function scoresOf(place: Place): Promise<Scores> {
  const { page, row, notes } = place;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const scores: Scores = { U13: await still(place) };
  const facts = await factsOf(page);
  if (row.area !== 'public') {
    const silent = await heldInSilence(place);
    scores.U38 = byFaults(silent, 1);
    if (silent.length > 0) notes.push(`held without a reason: ${silent.join(', ')}`);
  }
  Object.assign(scores, scoresOfFacts(row, facts), await looks(place));
  if (DOCUMENT.test(row.path) || FINANCE.test(row.path)) scores.U22 = await paper(place);
  if (row.area === 'customer') Object.assign(scores, await portalScores(place));
  if (framed(row)) {
    Object.assign(scores, await palette(place), { U4: await keysTold(place), U28: await offline(place) });
  }
  if (facts.list) {
    await arrive(place);
    Object.assign(scores, await keysOfList(place), await columns(place), await addressOfList(place));
  }
  if (facts.form && framed(row)) {
    await arrive(place);
    Object.assign(scores, await formScores(place));
  }
  return scores;
}
