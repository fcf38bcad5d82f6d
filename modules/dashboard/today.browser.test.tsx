/** The column of what needs a person: the most urgent first, and the way to all of it. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import type { Dashboard, TodoRow } from './dashboard.contract.ts';
import { Today } from './today.web.tsx';

const row = (id: number, mine = false): TodoRow => ({ kind: 'task', id, title: `Call school ${id}`, detail: '',
  due_on: '2026-11-19', late: true, mine, entity: 'license', entity_id: id, license_id: id, customer_id: 1,
  phase: 'sent', currency: null, minor: null, href: null });
const board = (rows: TodoRow[], total: number): Dashboard => ({ division: 'US', today: '2026-11-20', openings: null,
  todo: { rows, counts: [{ kind: 'task', total, late: total, mine: rows.filter((one) => one.mine).length }] },
} as unknown as Dashboard);
const shown = () => page.getByText(/^Call school/).elements().map((one) => one.textContent);

test('four of seven are said to be the most urgent, with a link to all of them', async () => {
  await staged(<Today board={board([1, 2, 3, 4].map((id) => row(id)), 7)} />);
  await expect.element(page.getByText(/Showing the 4 most urgent/)).toBeVisible();
  expect(page.getByRole('link', { name: 'View all 7' }).element().getAttribute('href')).toContain('all=1');
  expect(shown()).toHaveLength(4);
});

test('all seven stand there once they are asked for, and nothing is said to be left out', async () => {
  await staged(<Today board={board([1, 2, 3, 4, 5, 6, 7].map((id) => row(id)), 7)} />);
  await expect.element(page.getByText('Call school 7')).toBeVisible();
  expect(shown()).toHaveLength(7);
  expect(page.getByText(/most urgent|View all/).elements()).toHaveLength(0);
});
