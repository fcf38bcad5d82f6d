/**
 * axe in a page of a journey: brought in once per document and asked for violations alone. The runner of
 * @axe-core/playwright brings it in anew for each question, into every frame, which takes four times as long.
 */
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Faults axe finds in the page as it is, or in the one element of this selector, by all rules of WCAG 2.2 AA or by
 * these alone: rule, place, reason.
 */
export async function faultsOfAxe(page: Page, rules?: string[], within?: string): Promise<string[]> {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(source);
  return page.evaluate(async ({ runOnly, scope }) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      scope === undefined ? document : { include: scope }, { runOnly, resultTypes: ['violations'] });
    return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id} at ${
      node.target.join(' ')}: ${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message
        ?? violation.help}`));
  }, { scope: within,
    runOnly: rules ? { type: 'rule' as const, values: rules } : { type: 'tag' as const, values: WCAG_22_AA } });
}
