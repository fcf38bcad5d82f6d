/**
 * Every kind of the approvals inbox, opened where it leads: the record itself says that it waits, and a person who may
 * decide finds both buttons there, the one that approves and the one that declines. A new kind without them fails.
 */
import { APPROVAL_CALLS } from '#modules/approvals/approval-kinds.contract.ts';
import { APPROVAL_KINDS, type ApprovalKind, type ApprovalRow } from '#modules/approvals/approval.contract.ts';
import { FULL } from '#tests/support/full.ts';
import { openHouse, type House } from './house.ts';
import { expect, settled, test, type Visitor } from './visitor.ts';

test.skip(!FULL, 'In the full suite; approval-places.test.ts asks of every kind that a screen makes its calls.');

let house: House;
let theo: Visitor;
const rows = new Map<ApprovalKind, ApprovalRow>();

/** Buttons of records that say more exactly what they do than those of the inbox. */
const WORDS: Partial<Record<ApprovalKind, { approve?: string; decline?: string }>> = {
  opening_reversal: { approve: 'Confirm reversal' }, revaluation: { approve: 'Post' },
  intercompany: { approve: 'Post' }, tax_return: { decline: 'Withdraw' }, year_end_filing: { decline: 'Withdraw' },
};
const WAITS = /awaiting|awaits|to be approved|to verify|can be approved by|asks for a change|submitted|prepared by/i;

test.beforeAll(async ({ browser }) => {
  house = await openHouse('approvals');
  theo = await house.enter(browser, 'theo', { viewport: { width: 1280, height: 900 } });
  const { data } = await theo.get('/api/admin/staff/approvals?per_page=100') as { data: ApprovalRow[] };
  for (const row of data) if (house.facts[row.kind] === row.entity_id) rows.set(row.kind, row);
});
test.afterAll(() => house.close());

for (const kind of APPROVAL_KINDS) {
  test(`${kind}: its record announces the wait and has the buttons that decide`, async () => {
    const { page } = theo;
    const href = rows.get(kind)?.href;
    expect(href, 'a page of the record').toBeTruthy();
    await page.goto(href!);
    await settled(page);
    await expect(page.getByRole('main')).toContainText(WAITS);
    const { approve = APPROVAL_CALLS[kind].verb, decline = APPROVAL_CALLS[kind].declineVerb } = WORDS[kind] ?? {};
    await expect(page.getByRole('button', { name: new RegExp(`^${approve}\\b`) }).first()).toBeEnabled();
    const refuse = new RegExp(`^${decline}\\b`);
    if (await page.getByRole('button', { name: refuse }).count() > 0) {
      await expect(page.getByRole('button', { name: refuse }).first()).toBeEnabled();
      return;
    }
    await page.getByRole('button', { name: 'More', exact: true }).first().click();
    await expect(page.getByRole('menuitem', { name: refuse })).toBeVisible();
    await page.keyboard.press('Escape');
  });
}
