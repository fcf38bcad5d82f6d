/** Every component that the kit exports is drawn in the gallery, at rest or after one of its buttons was pressed. */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { createQueryClient } from '#web/query/query-client.ts';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import Gallery from './gallery.web.tsx';

function Screen() {
  return (
    <QueryClientProvider client={createQueryClient()}>
      <ThemeProvider><main><Gallery /></main></ThemeProvider>
    </QueryClientProvider>
  );
}

const modules = import.meta.glob<Record<string, unknown>>(
  ['../**/*.tsx', '!../**/*.browser.test.tsx', '!../**/*gallery*', '!../controls/stage.tsx'], { eager: true });

/** Why these are not there: `file Name`. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'layout/staff-shell.tsx StaffShell': 'the frame around the gallery itself; its look is in looks.spec.ts',
  'layout/portal-shell.tsx PortalShell': 'a frame of whole pages; its look is in looks.spec.ts',
  'layout/public-layout.tsx PublicLayout': 'a frame of whole pages; its look is in looks.spec.ts',
  'layout/public-layout.tsx PublicFrame': 'a frame of whole pages; its look is in looks.spec.ts',
  'layout/offline-bar.tsx OfflineBar': 'shows OfflineNotice, which is there, when the connection is gone',
  'controls/tip/with-tips.tsx WithTips': 'draws nothing',
  'controls/field/language-field.tsx LanguageField': 'a select with three choices; profiles draw it',
  'controls/button/decline-button.tsx VerifyButton': 'a DeclineButton; sealed-section.browser.test.tsx draws it',
  'controls/button/decline-button.tsx VerifyForm': 'comes with VerifyButton; sealed-section.browser.test.tsx draws it',
  'data/toast.tsx Toasts': 'stands once in the application; buttons of the gallery fill it',
  'data/bulk-bar.tsx BulkBar': 'asks the server; bulk-bar.browser.test.tsx draws it in each state',
  'data/bulk-refusals.tsx BulkRefusals': 'asks the server; bulk-bar.browser.test.tsx draws it',
  'data/approvers.tsx Approvers': 'asks the server; AwaitingApproval, which is there, puts its sentence in a note',
  'data/qr-code.tsx QrCode': 'comes when somebody asks for it; portal-words.browser.test.tsx draws it',
  'data/row-peek.tsx RowPeek': 'comes with Space in any list; row-peek.browser.test.tsx draws it',
  'data/peek-offer.tsx PeekOffer': 'comes with the mouse on a row; row-peek.browser.test.tsx draws it',
  'data/peek-record.tsx PeekHappenings': 'asks the server; what it draws is there',
  'data/record-activity.tsx default': 'asks the server; activity-log.browser.test.tsx draws it',
  'pdf/pdf-dialog.tsx default': 'comes with PdfLink; pdf-preview.browser.test.tsx draws it',
  'controls/field/names-editor.tsx NamesEditor': 'a text box and its button; names-editor.browser.test.tsx draws it',
  'controls/address/shipping-form.tsx ShippingDialog': 'its form is there; shipping-form.browser.test.tsx draws it',
  'controls/form/form-frame.tsx DraftOffer': 'comes with a draft; resource-form.browser.test.tsx draws it',
  'controls/form/form-frame.tsx WaitingNote': 'comes without a connection; resource-form.browser.test.tsx draws it',
  'data/csv-cells.tsx UnseenCells': 'is never seen: it reads the words of cells for a file',
};

interface Fiber { type: unknown; child: Fiber | null; sibling: Fiber | null }

/** All component functions that stand in React's tree below the root of this container. */
function drawn(container: HTMLElement): Set<unknown> {
  const key = Object.keys(container).find((name) => name.startsWith('__reactContainer$'))!;
  const types = new Set<unknown>();
  const open: (Fiber | null)[] = [(container as unknown as Record<string, Fiber & { stateNode: { current: Fiber } }>)[
    key]!.stateNode.current];
  for (let fiber = open.pop(); fiber !== undefined; fiber = open.pop()) {
    if (!fiber) continue;
    types.add(fiber.type);
    open.push(fiber.child, fiber.sibling);
  }
  return types;
}

const isComponent = (name: string, value: unknown): boolean =>
  typeof value === 'function' && (/^[A-Z][a-z]/.test(name) || name === 'default') && !String(value).startsWith('class');

test('what the kit exports is in the gallery', async () => {
  window.localStorage.clear();
  await page.viewport(1440, 900);
  const { container } = await render(<Screen />);
  await expect.element(page.getByText('Box office reported').first()).toBeVisible();
  await expect.element(page.getByText('The map cannot be reached')).toBeVisible();
  const seen = drawn(container);
  const look = () => { for (const type of drawn(container)) seen.add(type); };
  await page.getByRole('button', { name: 'Open the palette' }).click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  look();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await expect.element(page.getByRole('heading', { name: 'Getting Started' })).toBeVisible();
  look();
  await page.getByRole('button', { name: 'Close help' }).click();
  await page.getByRole('button', { name: 'More actions' }).first().click();
  await expect.element(page.getByRole('menu')).toBeVisible();
  look();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('combobox', { name: 'Venues of the tour' }).click();
  await expect.element(page.getByRole('listbox', { name: 'Venues of the tour' })).toBeVisible();
  look();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Save what you see as a view' }).click();
  await expect.element(page.getByLabelText('Open this list with it')).toBeVisible();
  look();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Show ten thousand rows' }).click();
  await expect.element(page.getByText('Line 1, The Gondoliers')).toBeVisible();
  look();
  await page.getByRole('button', { name: 'Show the pages' }).click();
  await expect.element(page.getByRole('group', { name: 'Page 1', exact: true })).toBeVisible();
  look();
  await page.getByRole('button', { name: 'Move all that match to the trash' }).click();
  await expect.element(page.getByRole('dialog', { name: /all 1,204 venues that match/ })).toBeVisible();
  look();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).click();
  await expect.element(page.getByRole('button', { name: 'Remind' })).toBeVisible();
  look();
  const missing = Object.entries(modules).flatMap(([file, exported]) => Object.entries(exported)
    .filter(([name, value]) => isComponent(name, value) && !seen.has(value))
    .map(([name]) => `${file.slice(3)} ${name}`));
  expect(missing.filter((one) => !(one in ELSEWHERE))).toEqual([]);
  // An exception that is none any more is taken out.
  expect(Object.keys(ELSEWHERE).filter((one) => !missing.includes(one))).toEqual([]);
}, 120_000);
