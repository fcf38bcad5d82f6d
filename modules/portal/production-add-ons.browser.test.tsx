/** Add-ons of a production, as its customer sees them: each day is said once. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import type { LicenseAddOn } from '#modules/licensing/add-ons/license-add-on.contract.ts';
import { Held } from './production-add-ons.web.tsx';

const addOn = (more: Partial<LicenseAddOn>): LicenseAddOn => ({ add_on_id: 1, name: 'Rehearsal tracks',
  kind: 'rehearsal_tracks', pricing_model: 'flat', quantity: 1, opens_on: '2027-01-15', closes_on: '2027-03-01',
  share_ppm: null, currency: 'USD', refusal: null, reason: null, files: 0, terms_text: '', mandatory_program_text: '',
  ...more });
const shown = (more: Partial<LicenseAddOn>) => staged(<ul><Held row={addOn(more)} /></ul>);

test('what may be used says from when until when', async () => {
  await shown({});
  await expect.element(page.getByText('From Jan 15, 2027, until Mar 1, 2027')).toBeVisible();
});

test('what opens later says when in its reason alone', async () => {
  await shown({ refusal: 'not_open', reason: 'It may be used from January 15, 2027.' });
  await expect.element(page.getByText('Until Mar 1, 2027')).toBeVisible();
  expect(page.getByText(/Jan/).elements()).toHaveLength(1);
});

test('what is over says since when in its reason alone', async () => {
  await shown({ refusal: 'over', reason: 'The time to use it ended on March 1, 2027.' });
  await expect.element(page.getByText('From Jan 15, 2027')).toBeVisible();
  expect(page.getByText(/Mar/).elements()).toHaveLength(1);
});
