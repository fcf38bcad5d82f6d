/** One dialog for every call that demands a confirmation, above the form that made it. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useState } from 'react';
import { call, remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { ConfirmIdentity } from './confirm-identity.web.tsx';

const write = remote<Endpoint<'/api/bank'>>('PUT', '/api/bank');
let confirmed = false;
let writes = 0;

function Screen() {
  const [text, setText] = useState('');
  const [saved, setSaved] = useState('');
  return (
    <ThemeProvider>
      <Modal open title="Bank details" onClose={() => setSaved('closed')}>
        <TextField label="Account" value={text} onChange={setText} />
        <ActionButton action={() => call(write, {} as never)} onDone={() => setSaved('saved')}>Store</ActionButton>
        <p>{saved}</p>
      </Modal>
      <ConfirmIdentity />
    </ThemeProvider>
  );
}

async function open() {
  confirmed = false;
  writes = 0;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (url === '/api/auth/confirm-password' && init.method === 'POST') {
      confirmed = init.body === '{"password":"right"}';
      return Promise.resolve(confirmed ? Response.json({ confirmed }, { status: 201 })
        : Response.json({ message: 'x', errors: { password: ['The password is not right'] } }, { status: 422 }));
    }
    if (url === '/api/auth/confirm-password') return Promise.resolve(Response.json({ confirmed }));
    writes += 1;
    return Promise.resolve(confirmed ? Response.json({})
      : Response.json({ message: 'Confirm that it is you first.', code: 'confirmation_required' }, { status: 423 }));
  });
  await render(<QueryClientProvider client={createQueryClient()}><Screen /></QueryClientProvider>);
  await userEvent.fill(page.getByLabelText('Account'), 'GB29');
  await page.getByRole('button', { name: 'Store' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Is it you?' })).toBeVisible();
}
afterEach(() => { vi.unstubAllGlobals(); });

test('the call is repeated once it is answered; a wrong answer is told at the field', async () => {
  await open();
  await userEvent.fill(page.getByLabelText(/^Password/), 'wrong');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(page.getByText('The password is not right').first()).toBeVisible();
  await userEvent.fill(page.getByLabelText(/^Password/), 'right');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(page.getByText('saved')).toBeVisible();
  expect(writes).toBe(2);
});

test('Escape answers the question, not the form: nothing is changed and nothing typed is lost', async () => {
  await open();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog', { name: 'Is it you?' })).not.toBeInTheDocument();
  await expect.element(page.getByText(/^Nothing was changed, because/)).toBeVisible();
  await expect.element(page.getByLabelText('Account')).toHaveValue('GB29');
  await expect.element(page.getByText('closed')).not.toBeInTheDocument();
  expect(writes).toBe(1);
});
