/** A button that somebody was faster than: it says so, and the screen shows what is so now. */
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { settled, staged } from '#web/controls/stage.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { WaitingNote } from '#web/controls/form/form-frame.tsx';
import { dismiss, toast, Toasts } from '#web/data/toast.tsx';
import { createQueryClient } from './query-client.ts';
import { useAction } from './use-action.ts';
import { useEndpoint } from './use-endpoint.ts';
import { useResend } from './use-resend.ts';

const path = '/api/admin/staff/bom_templates/{id}';
const show = endpoint({ method: 'GET', path, auth: staff('bom_template.show'), summary: '',
  response: one(z.object({ state: z.string() })) });
const approve = endpoint({ method: 'PUT', path: `${path}/approve`, auth: staff('bom_template.approve'), summary: '',
  response: null });

let state = 'Draft';
let refusal: { status: number; code: string; message: string };

beforeEach(() => {
  state = 'Draft';
  vi.stubGlobal('fetch', (_url: string, init: RequestInit = {}) => {
    if ((init.method ?? 'GET') === 'GET') return Promise.resolve(Response.json({ data: { state } }));
    const { status, ...body } = refusal;
    return Promise.resolve(Response.json(body, { status }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  const last = toast('');
  for (let id = 0; id <= last; id += 1) dismiss(id);
});

function Template({ onFailure }: { onFailure?: () => void }) {
  const read = useEndpoint(show, { params: { id: 4 } });
  const action = useAction(approve, onFailure ? { onFailure } : {});
  return (
    <>
      <p>{read.data?.data.state}</p>
      <Button onClick={() => void action.run({ params: { id: 4 } })}>Approve</Button>
    </>
  );
}

async function pressed(template = <Template />) {
  await staged(<QueryClientProvider client={createQueryClient()}>{template}<Toasts /></QueryClientProvider>);
  await expect.element(page.getByText('Draft')).toBeVisible();
  state = 'Approved';
  await page.getByRole('button', { name: 'Approve' }).click();
}

test('another version is there: told with what to do, and read again', async () => {
  refusal = { status: 412, code: 'stale', message: 'Someone changed this since you opened it.' };
  await pressed();
  await expect.element(page.getByText(/since you opened it. You see now how it stands./)).toBeVisible();
  await expect.element(page.getByText('Approved')).toBeVisible();
});

test('it is done already: the words of the server, and read again', async () => {
  refusal = { status: 409, code: 'bom_template.approved', message: 'This version is already approved.' };
  await pressed();
  await expect.element(page.getByText('This version is already approved.')).toBeVisible();
  await expect.element(page.getByText('Approved')).toBeVisible();
});

test('a form that takes its failure keeps what it was opened with', async () => {
  refusal = { status: 412, code: 'stale', message: 'Someone changed this since you opened it.' };
  const failed = vi.fn();
  await pressed(<Template onFailure={failed} />);
  await expect.poll(() => failed.mock.calls.length).toBe(1);
  await expect.element(page.getByText('Draft')).toBeVisible();
});

const write = endpoint({ method: 'POST', path: `${path}/memos`, auth: staff('bom_template.show'), summary: '',
  response: null });
const pay = endpoint({ method: 'POST', path: `${path}/payments`, auth: staff('bom_template.show'), summary: '',
  response: null, idempotent: true });

function Memo({ calls }: { calls: typeof write | typeof pay }) {
  const [text, setText] = useState('');
  const action = useAction(calls, { onFailure: () => undefined });
  const send = () => void action.run({ params: { id: 4 }, body: { text } } as never);
  const resend = useResend(action, send);
  return (
    <>
      <TextField label="Memo" value={text} onChange={setText} />
      <Button onClick={send}>Add memo</Button>
      {resend.on && <WaitingNote onSend={send} onCallOff={resend.end} />}
      {!resend.on && action.failure && <p role="alert">Not done</p>}
    </>
  );
}

/** A network that is gone until `back()`, and the bodies and keys of what reached it. */
async function withoutConnection(calls: typeof write | typeof pay) {
  const sent: { body: unknown; key: string | undefined }[] = [];
  let online = false;
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    if (!online) return Promise.reject(new TypeError('Failed to fetch'));
    if (url === '/health/live') return Promise.resolve(new Response('ok'));
    sent.push({ body: JSON.parse(init.body as string),
      key: (init.headers as Record<string, string>)['Idempotency-Key'] });
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  await staged(<QueryClientProvider client={createQueryClient()}><Memo calls={calls} /></QueryClientProvider>);
  await page.getByLabelText('Memo').fill('Call the house');
  await page.getByRole('button', { name: 'Add memo' }).click();
  return { sent, back: () => { online = true; window.dispatchEvent(new Event('online')); } };
}
const waits = () => page.getByText(/^Waiting for the connection/);

test('words outside the form kit wait for the connection and go once, as they stand then (U28)', async () => {
  const network = await withoutConnection(write);
  await expect.element(waits()).toBeVisible();
  await page.getByLabelText('Memo').fill('Call the house today');
  network.back();
  await expect.element(waits()).not.toBeInTheDocument();
  window.dispatchEvent(new Event('online'));
  await settled();
  expect(network.sent).toEqual([
    { body: { text: 'Call the house today' }, key: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
});

test('what waits can be called off (U28)', async () => {
  const network = await withoutConnection(write);
  await page.getByRole('button', { name: 'Do not send' }).click();
  network.back();
  await settled();
  await expect.element(page.getByLabelText('Memo')).toHaveValue('Call the house');
  expect(network.sent).toEqual([]);
});

test('money without a connection is told and asked for anew (U28)', async () => {
  const network = await withoutConnection(pay);
  await expect.element(page.getByRole('alert')).toBeVisible();
  expect(waits().elements()).toHaveLength(0);
  network.back();
  await settled();
  expect(network.sent).toEqual([]);
});
