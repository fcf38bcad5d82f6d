/** Two writers of one record (U27): the form that comes second merges instead of overwriting or losing. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as z from 'zod';
import { signedIn } from '#kit/auth.ts';
import { call } from '#kit/client.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { Button } from '../button/button.tsx';
import { FormFrame } from './form-frame.tsx';
import { settled, staged } from '../stage.tsx';
import { TextField } from '../field/text-field.tsx';
import { LOOK_MS } from './use-record-merge.ts';
import { useResourceForm } from './use-resource-form.ts';

const row = z.object({ id: z.int(), version: z.int(), name: z.string(), phone: z.string(), city: z.string() });
type Row = z.output<typeof row>;
const path = '/api/admin/staff/houses/{id}';
const show = endpoint({ method: 'GET', path, auth: signedIn, summary: 'House', response: one(row) });
const update = endpoint({ method: 'PUT', path, auth: signedIn, summary: 'Change', response: one(row),
  body: row.omit({ id: true }) });

/** The record as the server has it; the other writer changes it directly. */
let record: Row;
let sent: Omit<Row, 'id'>[] = [];
const other = (changes: Partial<Row>) => { record = { ...record, ...changes, version: record.version + 1 }; };

function serve(url: string, init: RequestInit = {}): Promise<Response> {
  if (url.startsWith('/api/admin/staff/activity')) {
    return Promise.resolve(Response.json({ data: [{ actor: 'Eleanor Vance', created_at: '2026-11-12T14:05:00Z' }] }));
  }
  if (init.method !== 'PUT') return Promise.resolve(Response.json({ data: record }));
  const body = JSON.parse(String(init.body)) as Omit<Row, 'id'>;
  sent.push(body);
  if (body.version !== record.version) {
    return Promise.resolve(Response.json({ code: 'stale', message: 'Someone changed this.' }, { status: 412 }));
  }
  record = { ...record, ...body, version: record.version + 1 };
  return Promise.resolve(Response.json({ data: record }));
}

function House({ of }: { of: Row }) {
  const { id, version, ...initial } = of;
  const form = useResourceForm({
    initial, draftKey: `house/${id}`, record: { entity: 'venue', id, version, read: show },
    submit: (values) => call(update, { params: { id }, body: { ...values, version } }),
  });
  return (
    <FormFrame form={form} labels={{ name: 'Name', phone: 'Phone' }}>
      <TextField label="Name" {...form.field('name')} />
      <TextField label="Phone" {...form.field('phone')} />
      <Button type="submit" variant="primary">Save house</Button>
      <p>{form.dirty ? 'unsaved' : 'clean'}</p>
    </FormFrame>
  );
}

function Screen() {
  const read = useEndpoint(show, { params: { id: 5 } });
  return read.data ? <House of={read.data.data} /> : null;
}

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });
const staging = (queries = client()) => staged(<QueryClientProvider client={queries}><Screen /></QueryClientProvider>);
const field = (name: string) => page.getByRole('textbox', { name });
const save = () => page.getByRole('button', { name: 'Save house' }).click();
const panel = () => page.getByRole('region');

beforeEach(() => {
  sessionStorage.removeItem('gr-draft:house/5');
  sent = [];
  record = { id: 5, version: 1, name: 'Savoy', phone: '1', city: 'London' };
  vi.stubGlobal('fetch', vi.fn(serve));
});
afterEach(() => { vi.unstubAllGlobals(); vi.useRealTimers(); });

test('changes of other fields come together by themselves and are saved with the new version', async () => {
  await staging();
  await userEvent.fill(field('Name'), 'Savoy Theatre');
  other({ phone: '2' });
  await save();
  await expect.element(page.getByText('clean')).toBeVisible();
  expect(record).toEqual({ id: 5, version: 3, name: 'Savoy Theatre', phone: '2', city: 'London' });
  expect(sent.map(({ version }) => version)).toEqual([1, 2]);
  await expect.element(field('Phone')).toHaveValue('2');
});

test('a field both changed is asked for, nothing is sent until somebody chose', async () => {
  await staging();
  await userEvent.fill(field('Name'), 'Savoy Theatre');
  other({ name: 'The Savoy', phone: '2' });
  await save();
  await expect.element(panel()).toHaveAccessibleName('Eleanor Vance changed this on Nov 12, 2026, 2:05 PM');
  await expect.element(page.getByText(/One field was changed by both of you/)).toBeVisible();
  await expect.element(page.getByRole('cell', { name: 'Savoy', exact: true })).toBeVisible();
  await expect.element(field('Name')).toHaveValue('Savoy Theatre');
  await expect.element(page.getByRole('radio', { name: 'Name: keep theirs, The Savoy' })).toHaveFocus();
  await save();
  expect(sent).toHaveLength(1);
  await page.getByRole('radio', { name: 'Name: keep theirs, The Savoy' }).click();
  await expect.element(field('Name')).toHaveValue('The Savoy');
  await page.getByRole('radio', { name: 'Name: keep yours, Savoy Theatre' }).click();
  await page.getByRole('button', { name: 'Save both' }).click();
  await expect.element(page.getByText('clean')).toBeVisible();
  expect(record).toMatchObject({ version: 3, name: 'Savoy Theatre', phone: '2' });
  await expect.element(panel()).not.toBeInTheDocument();
});

test('what another changes meanwhile is told and taken over, typing in a contested field chooses', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await staging();
  await userEvent.fill(field('Name'), 'Savoy Theatre');
  await settled();
  other({ name: 'The Savoy', phone: '2' });
  vi.advanceTimersByTime(LOOK_MS);
  await expect.element(field('Phone')).toHaveValue('2');
  await expect.element(panel()).toBeVisible();
  await userEvent.fill(field('Name'), 'Savoy House');
  await expect.element(page.getByText(/You have chosen/)).toBeVisible();
  await save();
  await expect.element(page.getByText('clean')).toBeVisible();
  expect(record).toMatchObject({ name: 'Savoy House', phone: '2' });
  expect(sent.map(({ version }) => version)).toEqual([2]);
});

test('a form nobody has typed in follows the record and says so', async () => {
  const queries = client();
  await staging(queries);
  await expect.element(field('Name')).toHaveValue('Savoy');
  other({ name: 'The Savoy' });
  await queries.invalidateQueries();
  await expect.element(field('Name')).toHaveValue('The Savoy');
  await expect.element(page.getByText(/The form shows the record as it is now/)).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.element(panel()).not.toBeInTheDocument();
});

test('the own save is no news', async () => {
  const queries = client();
  await staging(queries);
  await userEvent.fill(field('Name'), 'Savoy Theatre');
  await save();
  await expect.element(page.getByText('clean')).toBeVisible();
  await queries.invalidateQueries();
  await settled();
  await expect.element(panel()).not.toBeInTheDocument();
});

test('a draft of an older state is merged with what the record became', async () => {
  const draft = { loaded: { name: 'Savoy', phone: '1', city: 'London' },
    values: { name: 'Savoy Theatre', phone: '1', city: 'London' } };
  sessionStorage.setItem('gr-draft:house/5', JSON.stringify(draft));
  other({ phone: '2' });
  await staging();
  await page.getByRole('button', { name: 'Restore draft' }).click();
  await expect.element(field('Name')).toHaveValue('Savoy Theatre');
  await expect.element(field('Phone')).toHaveValue('2');
});
