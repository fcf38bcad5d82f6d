/** The head of the portal where the name of a house is long. */
import { House } from 'lucide-react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { PortalShell } from './portal-shell.tsx';

const sections = ['Home', 'Productions', 'Shows', 'Documents', 'Payments', 'Users']
  .map((label) => ({ label, href: `/customer/1/${label.toLowerCase()}`, icon: House }));
const name = 'Amateur Dramatic and Operatic Society of Ravenswood';
const oneLine = { overflow: 'hidden', whiteSpace: 'nowrap', textOverflow: 'ellipsis' } as const;

test('a long name of a house gives way to the sections and tools, and none of them to it', async () => {
  await page.viewport(1280, 700);
  await render(
    <ThemeProvider>
      <PortalShell items={sections} home="/customer/1"
        tools={<button type="button" style={{ width: 200 }}>Tools</button>}
        account={<button type="button" style={{ minWidth: 0, ...oneLine }}>{name}</button>}>Page</PortalShell>
    </ThemeProvider>,
  );
  const box = (label: string) => page.getByRole('button', { name: label }).element().getBoundingClientRect();
  const column = page.getByText('Page', { exact: true }).element().getBoundingClientRect();
  expect(box(name).width).toBeGreaterThan(40);
  expect(box(name).right).toBeLessThanOrEqual(column.right);
  expect(box('Tools').width).toBe(200);
});
