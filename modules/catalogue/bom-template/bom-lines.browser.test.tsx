/** Lines of a template: every field that a line has can be read and changed, and none comes or goes to be read only. */
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import type { ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { blankLine, BomLines, type DraftLine } from './bom-lines.web.tsx';

const first: DraftLine = { ...blankLine(undefined), material_id: 1, name: 'Score' };
const second: DraftLine = { ...first, material_id: 2, name: 'Reduction', qty_rule: 'per_cast', lead_days: 42,
  substitution_group: 'scores', substitution_rank: 2, note: 'Two pianos' };
const changed = vi.fn<(name: string, value: unknown) => void>();

function Template({ disabled }: { disabled: boolean }) {
  const [values, setValues] = useState<Record<string, unknown>>({ show_code: 'MIKADO', lines: [first, second] });
  const set = (name: string, value: unknown): void => {
    changed(name, value);
    setValues({ ...values, [name]: value });
  };
  const form = { values, errors: {}, set };
  return <BomLines form={form as unknown as ResourceForm<Record<string, unknown>>} disabled={disabled} />;
}

const drawn = (disabled = false) => staged(
  <QueryClientProvider client={createQueryClient()}><Template disabled={disabled} /></QueryClientProvider>);

test('days ahead and a note of a line are seen and changed', async () => {
  await drawn();
  await expect.element(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Two pianos');
  await expect.element(page.getByRole('textbox', { name: 'Days ahead' }).nth(1)).toHaveValue('42');
  await page.getByRole('button', { name: 'Add a note' }).click();
  await page.getByRole('textbox', { name: 'Note' }).first().fill('With the conductor');
  await page.getByRole('textbox', { name: 'Days ahead' }).first().fill('30');
  expect(changed).toHaveBeenLastCalledWith('lines',
    [expect.objectContaining({ note: 'With the conductor', lead_days: 30 }), second]);
});

test('who may only read finds nothing to add or to take away', async () => {
  await drawn(true);
  await expect.element(page.getByRole('textbox', { name: 'Note' })).toBeDisabled();
  expect(page.getByRole('button', { name: /Add line|Remove row|Add a note/ }).elements()).toEqual([]);
});

test('on a laptop each field stands below its kind, whatever a line lacks, and columns are named once', async () => {
  await page.viewport(1280, 900);
  await staged(
    <QueryClientProvider client={createQueryClient()}><div style={{ width: 951 }}><Template disabled={false} /></div>
    </QueryClientProvider>);
  for (const name of [/^Material/, 'Quantity', 'Sent', 'Substitution group', 'Days ahead', 'Optional']) {
    const fields = (['combobox', 'textbox', 'checkbox'] as const)
      .flatMap((role) => page.getByRole(role, { name }).elements());
    const [first, second] = fields.map((one) => one.getBoundingClientRect());
    expect([name, second!.left, second!.width, second!.top - first!.top > 30])
      .toEqual([name, first!.left, first!.width, true]);
  }
  const shown = page.getByText('Optional', { exact: true }).elements()
    .filter((one) => one.getBoundingClientRect().width > 1);
  expect(shown).toHaveLength(1);
});
