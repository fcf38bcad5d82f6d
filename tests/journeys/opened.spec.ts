/** Everything that opens on every screen: axe in light and dark, closed by the keyboard, with the focus kept. */
import { pageTable } from '#apps/web/src/page-table.ts';
import { faultsOfOpened } from './openers.ts';
import { addressOf } from './places.ts';
import { expect, readerOf, settled, test } from './visitor.ts';

/** Their content is the browser's own or the gallery's; musicals have the screens of the plays. */
const LEFT_OUT = /^\/(gallery|admin\/musicals)/;
const pages = pageTable.filter((row) => row.area !== 'public' && !row.redirectTo && !LEFT_OUT.test(row.path));
const known = new Set<string>();

for (const row of pages) {
  test(`what opens on ${row.path}`, async ({ visitor }) => {
    const address = await addressOf(await visitor('admin'), row);
    const { page } = await visitor(readerOf(row));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: Number(process.env.OPENED_WIDTH ?? 1280), height: 900 });
    await page.goto(address);
    await settled(page);
    expect(await faultsOfOpened(page, address, { known, path: row.path,
      frame: row.path.replace(/(\/:\w+).*/, '$1'), shots: process.env.OPENED_SHOTS })).toEqual([]);
  });
}
