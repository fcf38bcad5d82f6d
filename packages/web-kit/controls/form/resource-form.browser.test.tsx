/** The form hook and its frame: U17, U18, U28, frontend.md 3.6. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ApiError, call } from '#kit/client.ts';
import { endpoint, type AnyEndpoint } from '#kit/endpoint.ts';
import { signedIn } from '#kit/auth.ts';
import { Button } from '../button/button.tsx';
import { FormActions, FormFrame } from './form-frame.tsx';
import { claimDrafts, DRAFT_DELAY, dropDrafts, keepDraft, readDraft } from './form-draft.ts';
import { settled, staged } from '../stage.tsx';
import { TextField } from '../field/text-field.tsx';
import { valueAt } from '../field/field-path.ts';
import { useResourceForm, type FieldBinding } from './use-resource-form.ts';
import { Modal } from '#web/layout/overlay.tsx';

type Values = { name: string; lines: { amount: string }[] };
const initial: Values = { name: '', lines: [{ amount: '5' }] };

type VenueFormProps = { submit: (values: Values) => Promise<unknown>; draftKey?: string; onSaved?: () => void };
function VenueForm({ submit, draftKey, onSaved }: VenueFormProps) {
  const form = useResourceForm({ initial, submit, draftKey, onSaved });
  return (
    <FormFrame form={form} labels={{ name: 'Name' }}>
      <TextField label="Name" required {...form.field('name')} />
      <TextField label="Amount" {...form.field('lines.0.amount')} />
      <Button type="submit" variant="primary" pending={form.pending}>Save venue</Button>
      <output>{form.dirty ? 'unsaved' : 'clean'}</output>
    </FormFrame>
  );
}

const nameField = () => page.getByRole('textbox', { name: 'Name' });
const amountField = () => page.getByRole('textbox', { name: 'Amount' });
const save = () => page.getByRole('button', { name: 'Save venue' }).click();

// Files that run beside this one share the storage.
const draft = () => sessionStorage.getItem('gr-draft:venue/new');
beforeEach(() => { sessionStorage.removeItem('gr-draft:venue/new'); });
afterEach(() => { vi.useRealTimers(); vi.unstubAllGlobals(); });

test('what is missing stands at the first wrong field, which gets the focus, until it is sent again', async () => {
  const text = 'Name is required';
  const submit = vi.fn().mockRejectedValueOnce({ status: 422, message: text, errors: { name: [text] } });
  await staged(<VenueForm submit={submit} />);
  await save();
  await expect.element(nameField()).toHaveAccessibleDescription('Name is required');
  await expect.element(nameField()).toHaveFocus();
  await expect.element(page.getByRole('alert')).toHaveTextContent(
    'One field needs your attentionName: Name is required',
  );
  await userEvent.fill(nameField(), 'Savoy');
  await save();
  await expect.element(page.getByText('clean')).toBeVisible();
  await expect.element(nameField()).not.toHaveAccessibleDescription(text);
});

test('a 422 puts its messages at the fields in dot notation and keeps what was typed', async () => {
  const text = 'The amount is too high.';
  const refusal = { status: 422, message: text, errors: { 'lines.0.amount': [text] } };
  await staged(<VenueForm submit={() => Promise.reject(refusal)} />);
  await userEvent.fill(nameField(), 'Savoy');
  await userEvent.fill(amountField(), '900');
  await save();
  await expect.element(amountField()).toHaveAccessibleDescription('The amount is too high.');
  await expect.element(amountField()).toHaveFocus();
  await expect.element(nameField()).toHaveValue('Savoy');
  await nameField().click();
  await page.getByRole('button', { name: 'The amount is too high.' }).click();
  await expect.element(amountField()).toHaveFocus();
});

test('a failure without fields stands in words above the form', async () => {
  await staged(<VenueForm submit={() => Promise.reject(new Error('Network Error'))} />);
  await userEvent.fill(nameField(), 'Savoy');
  await save();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Network Error');
  await expect.element(nameField()).toHaveValue('Savoy');
});

test('two presses send once; after the save the form is clean', async () => {
  let answer: () => void = () => {};
  const submit = vi.fn(() => new Promise<void>((resolve) => { answer = resolve; }));
  const onSaved = vi.fn();
  await staged(<VenueForm submit={submit} onSaved={onSaved} />);
  await userEvent.fill(nameField(), 'Savoy');
  await expect.element(page.getByText('unsaved')).toBeVisible();
  await save();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Save venue' })).toHaveAttribute('aria-busy', 'true');
  answer();
  await expect.element(page.getByText('clean')).toBeVisible();
  expect(submit).toHaveBeenCalledTimes(1);
  expect(submit).toHaveBeenCalledWith({ name: 'Savoy', lines: [{ amount: '5' }] }, expect.anything());
  expect(onSaved).toHaveBeenCalledOnce();
});

test('leaving with unsaved changes makes the browser ask', async () => {
  const leave = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await staged(<VenueForm submit={vi.fn()} />);
  expect(leave()).toBe(false);
  await userEvent.fill(nameField(), 'S');
  expect(leave()).toBe(true);
});

test('a draft is written one second after the last change', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  keepDraft('venue/new', { loaded: initial, values: initial })();
  keepDraft('venue/new', { loaded: initial, values: { ...initial, name: 'Savoy' } });
  vi.advanceTimersByTime(DRAFT_DELAY - 1);
  expect(draft()).toBeNull();
  vi.advanceTimersByTime(1);
  expect(draft()).toContain('Savoy');
});

test('the draft is kept after the last change, offered, and dropped by a save', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const first = await staged(<VenueForm submit={() => Promise.resolve()} draftKey="venue/new" />);
  expect(vi.getTimerCount()).toBe(0);
  await userEvent.fill(nameField(), 'Savoy');
  // The effect that plans the writing runs after the paint: the clock stands still until it has.
  while (vi.getTimerCount() === 0) await settled();
  vi.advanceTimersByTime(DRAFT_DELAY);
  expect(draft()).not.toBeNull();
  vi.useRealTimers();
  await first.unmount();
  await staged(<VenueForm submit={() => Promise.resolve()} draftKey="venue/new" />);
  await page.getByRole('button', { name: 'Restore draft' }).click();
  await expect.element(nameField()).toHaveValue('Savoy');
  await save();
  await expect.element(page.getByText('clean')).toBeVisible();
  expect(draft()).toBeNull();
});

test('the form of a record keeps a draft without being asked, each of its forms its own', async () => {
  const read = endpoint({ method: 'GET', path: '/api/users/{id}', auth: signedIn, summary: 'Read', response: null });
  const keys = () => Object.keys(sessionStorage).filter((key) => key.startsWith('gr-draft:user/7/'));
  const Field = ({ field }: { field: string }) => {
    const form = useResourceForm<Record<string, unknown>>({ initial: { [field]: '' }, submit: () => Promise.resolve(),
      record: { entity: 'user', id: 7, version: 1, read } });
    const bound = form.field(field) as FieldBinding<string>;
    return <FormFrame form={form}><TextField label={field} {...bound} /></FormFrame>;
  };
  await staged(<><Field field="phone" /><Field field="job_title" /></>);
  await userEvent.fill(page.getByRole('textbox', { name: 'phone' }), '1');
  await userEvent.fill(page.getByRole('textbox', { name: 'job_title' }), 'Librarian');
  await expect.poll(() => keys().toSorted(), { timeout: 5_000 }).toEqual(['gr-draft:user/7/job_title',
    'gr-draft:user/7/phone']);
  for (const key of keys()) sessionStorage.removeItem(key);
});

const making = { method: 'POST', path: '/api/venues', auth: signedIn, summary: 'Make', response: null } as const;

/** A network that is gone until `back()`; what reached it, with its keys. */
function lostNetwork() {
  const sent: { body: unknown; key: string | undefined }[] = [];
  let online = false;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!online) return Promise.reject(new TypeError('Failed to fetch'));
    if (url === '/health/live') return Promise.resolve(new Response('ok'));
    const headers = init.headers as Record<string, string>;
    sent.push({ body: JSON.parse(init.body as string), key: headers['Idempotency-Key'] });
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  return { sent, back: () => { online = true; window.dispatchEvent(new Event('online')); } };
}

const waitingNote = () => page.getByText(/^Waiting for the connection/);

async function sentWithout(making: AnyEndpoint) {
  const onSaved = vi.fn();
  function Form() {
    const form = useResourceForm({ initial: { name: '' }, onSaved,
      submit: (values, sending) => call(making, { body: values } as never, sending) });
    return (
      <FormFrame form={form}>
        <TextField label="Name" {...form.field('name')} />
        <Button type="submit" pending={form.pending}>Save venue</Button>
      </FormFrame>
    );
  }
  await staged(<Form />);
  await userEvent.fill(nameField(), 'Savoy');
  await save();
  return onSaved;
}

test('a save without a connection waits, and goes once when it is back, as it stands then', async () => {
  const network = lostNetwork();
  const onSaved = await sentWithout(endpoint(making));
  await expect.element(waitingNote()).toBeVisible();
  await userEvent.fill(nameField(), 'Savoy Theatre');
  network.back();
  await expect.element(waitingNote()).not.toBeInTheDocument();
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  window.dispatchEvent(new Event('online'));
  await settled();
  expect(network.sent).toEqual([{ body: { name: 'Savoy Theatre' }, key: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
});

test('the wait can be called off: nothing is sent and the text stays', async () => {
  const network = lostNetwork();
  await sentWithout(endpoint(making));
  await page.getByRole('button', { name: 'Do not send' }).click();
  network.back();
  await settled();
  await expect.element(nameField()).toHaveValue('Savoy');
  expect([waitingNote().elements(), network.sent]).toEqual([[], []]);
});

test.for<[string, object]>([
  ['money', { idempotent: true }], ['what a person confirms', { confirm: true }], ['a secret', { secret: true }],
])('without a connection %s is not sent later, but tried again by hand', async ([, marks]) => {
  const network = lostNetwork();
  await sentWithout(endpoint({ ...making, ...marks }));
  await expect.element(page.getByRole('alert')).toHaveTextContent(
    'Network Error. Everything is still here: try again when the connection is back.',
  );
  network.back();
  await settled();
  await expect.element(nameField()).toHaveValue('Savoy');
  expect([waitingNote().elements(), network.sent]).toEqual([[], []]);
});

test('without an answer the same key asks again; an answered refusal ends it', async () => {
  const keys: string[] = [];
  const answers = [() => Promise.reject(new TypeError('lost')),
    () => Promise.reject(new ApiError(422, 'Too long', { errors: { name: ['Too long'] } })), () => Promise.resolve()];
  function Form() {
    const form = useResourceForm({ initial: { name: '' },
      submit: (_values, { idempotencyKey }) => { keys.push(idempotencyKey); return answers[keys.length - 1]!(); } });
    return <FormFrame form={form}><Button type="submit" pending={form.pending}>Save venue</Button></FormFrame>;
  }
  await staged(<Form />);
  for (const count of [1, 2, 3]) {
    await save();
    await vi.waitFor(() => expect(keys.length).toBe(count));
    await settled();
  }
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
});

test('valueAt reads dot paths and answers undefined beside them', () => {
  expect(valueAt({ lines: [{ amount: 5 }] }, 'lines.0.amount')).toBe(5);
  expect(valueAt({ lines: [] }, 'lines.3.amount')).toBeUndefined();
});

test('a draft is kept for whoever typed it and signs in again, for nobody else, and not over signing out', () => {
  const text = JSON.stringify({ loaded: initial, values: initial });
  const write = () => sessionStorage.setItem('gr-draft:venue/new', text);
  const kept = () => readDraft('venue/new') !== null;
  claimDrafts(7);
  write();
  claimDrafts(7);
  expect(kept()).toBe(true);
  claimDrafts(8);
  expect(kept()).toBe(false);
  write();
  sessionStorage.setItem('remembered-location', '/admin');
  dropDrafts();
  expect([kept(), sessionStorage.getItem('remembered-location')]).toEqual([false, '/admin']);
});

test('the foot of a form in a dialog ends with the way out, on a page it does not', async () => {
  const close = vi.fn();
  const foot = <FormActions><Button type="submit">Save</Button></FormActions>;
  await staged(<>{foot}<Modal open onClose={close} title="New rule">{foot}</Modal></>);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(close).toHaveBeenCalledOnce();
  expect(page.getByRole('button', { name: 'Cancel' }).elements()).toHaveLength(1);
});
