/** Recipients: state S103, rules R1, R15-R24, constants C35, C36, message M29, gap G51. */
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { COMMIT_KEYS, EmailChips } from './email-chips.tsx';
import { staged } from '../stage.tsx';

const changed = vi.fn();
function Held({ start = [] as string[] }) {
  const [emails, setEmails] = useState(start);
  return <EmailChips label="Recipients" value={emails} onChange={(next) => { changed(next); setEmails(next); }} />;
}
const input = () => page.getByPlaceholder('Type and press enter to add emails');
const chips = () => page.getByRole('listitem').elements().map((element) => element.textContent);

test('[S103] [R23] [R24] [C36] [M29] type email and the placeholder', async () => {
  await staged(<Held />);
  await expect.element(input()).toHaveAttribute('type', 'email');
});

test.each([['[R18] Enter', '{Enter}'], ['[R19] space', ' '], ['[R20] comma', ','], ['[R21] leaving', '{Tab}']])(
  '%s commits the entry [C35]',
  async (_name, keys) => {
    await staged(<Held />);
    await input().click();
    await userEvent.keyboard(`box@savoy.example${keys}`);
    await expect.poll(chips).toEqual(['box@savoy.example']);
    await expect.element(input()).toHaveValue('');
    expect(COMMIT_KEYS).toEqual(['Enter', ' ', ',']);
  },
);

test('[R15] [R16] [R17] trimmed; blank and duplicate entries are not added', async () => {
  await staged(<Held start={['box@savoy.example']} />);
  changed.mockClear();
  await userEvent.fill(input(), '   ');
  await userEvent.keyboard('{Enter}');
  await userEvent.fill(input(), 'BOX@savoy.example');
  await userEvent.keyboard('{Enter}');
  expect(changed).not.toHaveBeenCalled();
  await userEvent.fill(input(), '  front@savoy.example ');
  await userEvent.keyboard('{Enter}');
  expect(changed).toHaveBeenCalledWith(['box@savoy.example', 'front@savoy.example']);
});

test.each([[',', 'box@savoy.example,'], [' ', 'box@savoy.example']])(
  '[R19] [R20] %j of a keyboard on glass, which names no key, commits too',
  async (data, text) => {
    await staged(<Held />);
    await userEvent.fill(input(), 'box@savoy.example');
    const field = input().element() as HTMLInputElement;
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Unidentified', bubbles: true }));
    // An input of type email keeps no space at its end.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text);
    field.dispatchEvent(new InputEvent('input', { data, bubbles: true }));
    await expect.poll(chips).toEqual(['box@savoy.example']);
    await expect.element(input()).toHaveValue('');
  },
);

test('[R16] a separator alone adds nothing and says nothing', async () => {
  await staged(<Held />);
  changed.mockClear();
  await input().click();
  await userEvent.keyboard(', ');
  await expect.element(input()).toHaveValue('');
  await expect.element(input()).not.toHaveAttribute('aria-invalid');
  expect(changed).not.toHaveBeenCalled();
});

test('[R22] each chip can be removed; Backspace in the empty input removes the last', async () => {
  await staged(<Held start={['a@x.example', 'b@x.example', 'c@x.example']} />);
  await page.getByRole('button', { name: 'Remove b@x.example' }).click();
  await expect.poll(chips).toEqual(['a@x.example', 'c@x.example']);
  await input().click();
  await userEvent.keyboard('{Backspace}');
  await expect.poll(chips).toEqual(['a@x.example']);
});

test('[R1] an invalid address stays in the input with an error', async () => {
  await staged(<Held />);
  await input().click();
  await userEvent.keyboard('not-an-address{Enter}');
  await expect.element(input()).toHaveValue('not-an-address');
  await expect.element(input()).toHaveAccessibleDescription('not-an-address is not a valid email address');
  expect(chips()).toEqual([]);
});

test('a paste is split at spaces, commas, semicolons and lines', async () => {
  await staged(<Held />);
  const data = new DataTransfer();
  data.setData('text', 'a@x.example, b@x.example; wrong\nc@x.example');
  input().element().dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
  );
  await expect.poll(chips).toEqual(['a@x.example', 'b@x.example', 'c@x.example']);
  await expect.element(input()).toHaveValue('wrong');
});
