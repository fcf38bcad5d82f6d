/** A weekly run that staff add to a draft: Thursday to Saturday with a Saturday matinee, without what is there. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import type { LicenseRow } from '../license.contract.ts';
import type { LicenseVenueRow } from '../venues/license-venue.contract.ts';
import { SeriesDialog } from './series-dialog.web.tsx';

const venue = { id: 5, name: 'Town Hall' } as LicenseVenueRow;
const license = { id: 9, currency: 'USD', performances: [{ license_venue_id: 5, local_date: '2027-03-12',
  local_time: '19:30', type: 'public' }] } as unknown as LicenseRow;
const sent: { url: string; body: unknown }[] = [];

afterEach(() => { vi.unstubAllGlobals(); sent.length = 0; });

test('every Thu to Sat from one day to another, matinee Sat: what is on the list already is left out', async () => {
  await page.viewport(1280, 900);
  vi.stubGlobal('fetch', (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'POST' && url.endsWith('/performances')) sent.push({ url, body: JSON.parse(String(body)) });
    return Promise.resolve(Response.json({ data: [] }, { status: method === 'POST' ? 201 : 200 }));
  });
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <SeriesDialog license={license} venue={venue} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  await expect.element(page.getByRole('button', { name: 'Add performances' })).toHaveAttribute('aria-disabled', 'true');
  await userEvent.fill(page.getByRole('textbox', { name: 'First day' }), '03/11/2027');
  await userEvent.fill(page.getByRole('textbox', { name: 'Last day' }), '03/20/2027');
  await userEvent.keyboard('{Tab}');
  await page.getByRole('group', { name: 'Matinees' }).getByRole('checkbox', { name: 'Sat' }).click();
  await page.getByRole('button', { name: 'Add 7 performances' }).click();
  const night = (day: number) => ({ local_date: `2027-03-${day}`, local_time: '19:30', type: 'public' });
  const matinee = (day: number) => ({ local_date: `2027-03-${day}`, local_time: '14:00', type: 'matinee' });
  await expect.poll(() => sent).toEqual([{ url: expect.stringContaining('/licenses/9/performances'),
    body: { license_venue_id: 5, rows: [night(11), matinee(13), night(13), night(18), night(19), matinee(20),
      night(20)] } }]);
});
