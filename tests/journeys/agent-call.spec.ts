/**
 * Story 9, the agent on the phone: reception answers "Why this amount?" from the search to the line of the statement,
 * on a desktop and on a phone; statement, part and paper say one figure, and bank and tax details are nowhere.
 */
import { FULL } from '#tests/support/full.ts';
import { expect, settled, test, type Body } from './visitor.ts';
import { PHONE } from './widths.ts';

const STATEMENTS = '/api/admin/staff/royalty_statements';
const amount = (minor: number): string => (minor / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });

/** A paid statement whose agreement has an agent, with a line that was shared from income. */
async function statementWithAgent(get: (path: string) => Promise<Body>): Promise<Body> {
  for (const { id } of (await get(`${STATEMENTS}?status=paid&per_page=100`)).data) {
    const { data } = await get(`${STATEMENTS}/${id}`);
    if (data.agent !== null && data.lines.some((line: Body) => line.accrual_ids.length > 0)) return data;
  }
  throw new Error('no statement of the season has an agent');
}

for (const [on, size] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test(`reception explains an amount to an agent on ${on}`, async ({ visitor }) => {
    test.skip(!FULL, 'In the full suite; tests/stories/agent-on-the-phone.test.ts tells the story in every suite.');
    const statement = await statementWithAgent((await visitor('admin')).get);
    const line = statement.lines.find((one: Body) => one.accrual_ids.length > 0);
    const { page } = await visitor('reception');
    await page.setViewportSize(size);
    await page.goto('/admin');
    await page.getByRole('button', { name: /^Search/ }).first().click();
    await page.getByRole('dialog').getByRole('combobox').fill(statement.number);
    await page.getByRole('option', { name: new RegExp(statement.number) }).first().click();
    await settled(page);
    const main = page.getByRole('main');
    await expect(main).toContainText(statement.number);
    await expect(main).toContainText(amount(statement.payable_minor));
    for (const payment of statement.payments) await expect(main).toContainText(payment.number);
    await main.getByRole('button', { name: new RegExp(line.description.slice(0, 20)) }).first().click();
    const facts = page.getByRole('definition');
    await expect(facts.filter({ hasText: line.description }).first()).toBeVisible();
    await expect(facts.filter({ hasText: amount(line.amount_minor) }).first()).toBeVisible();
    const read = await page.locator('body').textContent();
    expect(read).not.toMatch(/routing|IBAN|taxpayer number/i);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Send to agent' }).click();
    await expect(page.getByRole('dialog')).toContainText(statement.agent.email);
  });
}
