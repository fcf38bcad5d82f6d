/** Text field in a real browser: SPEC.md 2, states S96-S98, messages M15, M16. */
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { settled, staged } from '../stage.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

function Held(props: Partial<TextFieldProps> & { start?: string }) {
  const { start = '', ...rest } = props;
  const [value, setValue] = useState(start);
  return <TextField label="Venue name" {...rest} value={value} onChange={setValue} />;
}

afterEach(() => { vi.useRealTimers(); });

test.each([[undefined], [3]])(
  '[S96] [M16] label, asterisk, caption, error, prefix and suffix show (rows: %s)',
  async (rows) => {
    await staged(
      <Held rows={rows} required caption="As printed on the licence" error="Name is required" prefix="No."
        suffix="km" />,
    );
    const field = page.getByRole('textbox', { name: 'Venue name' });
    await expect.element(field).toBeVisible();
    expect(field.element().tagName).toBe(rows ? 'TEXTAREA' : 'INPUT');
    await expect.element(page.getByText('*', { exact: true })).toBeVisible();
    await expect.element(field).toHaveAttribute('required');
    await expect.element(field).toHaveAccessibleDescription('Name is required As printed on the licence');
    await expect.element(field).toHaveAttribute('aria-invalid', 'true');
    await expect.element(page.getByText('No.')).toBeVisible();
    await expect.element(page.getByText('km')).toBeVisible();
  },
);

test('[S96] what is not given does not show', async () => {
  const screen = await staged(<Held />);
  expect(screen.container.querySelector('[data-field-frame]')?.textContent).toBe('Venue name');
  await expect.element(page.getByRole('textbox')).not.toHaveAttribute('aria-invalid');
});

test('typing reports the text', async () => {
  await staged(<Held />);
  await userEvent.fill(page.getByRole('textbox'), 'Ravenswood');
  await expect.element(page.getByRole('textbox')).toHaveValue('Ravenswood');
});

test('[S97] the password toggle shows the password, pressed again hides it', async () => {
  await staged(<Held label="Password" type="password" start="ghost light" />);
  const field = page.getByLabelText('Password', { exact: true });
  await expect.element(field).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect.element(field).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect.element(field).toHaveAttribute('type', 'password');
});

test('[S98] [M15] the help tooltip shows its text and Read More, which the keyboard reaches', async () => {
  const readMore = vi.fn();
  await staged(<Held help={{ text: 'The name customers see.', onReadMore: readMore }} />);
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('button', { name: 'Help: Venue name' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('The name customers see.').first()).toBeVisible();
  const more = page.getByRole('button', { name: 'Read More' });
  await expect.element(more).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(readMore).toHaveBeenCalledOnce();
  await expect.element(more).not.toBeInTheDocument();
});

test('[S98] nothing shows at first; a pointer that rests on the mark opens the tooltip after 700 ms', async () => {
  const readMore = vi.fn();
  await staged(<Held help={{ text: 'The name customers see.', onReadMore: readMore }} />);
  const mark = page.getByRole('button', { name: 'Help: Venue name' }).element();
  const more = () => page.getByRole('button', { name: 'Read More' }).elements();
  expect(more()).toHaveLength(0);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  mark.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' }));
  for (const [ms, shown] of [[699, 0], [1, 1]] as const) {
    await vi.advanceTimersByTimeAsync(ms);
    await settled();
    expect(more()).toHaveLength(shown);
  }
  (more()[0] as HTMLElement).click();
  expect(readMore).toHaveBeenCalledOnce();
});

test('[S98] without a target there is no Read More; Escape closes and gives the focus back', async () => {
  await staged(<Held help={{ text: 'The name customers see.' }} />);
  const mark = page.getByRole('button', { name: 'Help: Venue name' });
  await mark.click();
  await expect.element(page.getByText('The name customers see.').first()).toBeVisible();
  expect(page.getByRole('button', { name: 'Read More' }).elements()).toHaveLength(0);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByText('The name customers see.')).not.toBeInTheDocument();
  await expect.element(mark).toHaveFocus();
});
