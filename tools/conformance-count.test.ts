import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, many } from '#kit/endpoint.ts';
import { shapeOfCall, type CallShape } from './conformance-calls.ts';
import { callKey, countConformance, type Product, type Spec } from './conformance-count.ts';

const call = (key: string, more: Partial<CallShape> = {}): CallShape =>
  ({ key, query: new Map(), body: new Set(), upload: null, answer: new Set(), permissions: [], ...more });

const spec: Spec = {
  pages: [{ id: 'RT1', path: '/a/:id' }, { id: 'RT2', path: '/b' }, { id: 'RT3', path: '(error) root' }],
  calls: [
    { id: 'A1', method: 'GET', path: '/api/a/{id}' }, { id: 'A2', method: 'GET', path: '/api/a?x=1', variantOf: 'A3' },
    { id: 'A3', method: 'GET', path: '/api/a' }, { id: 'A4', method: 'PUT', path: '/api/a/{id}' },
  ],
  permissions: [{ id: 'P:show.list', value: 'show.list' }, { id: 'P:none', value: 'none' }],
  states: [{ id: 'S1' }, { id: 'S2' }],
  rules: [{ id: 'R1' }], constants: [{ id: 'C1' }], messages: [{ id: 'M1' }],
  pages_added: [{ id: 'XR1', path: '/new' }, { id: 'XR2', path: '/much-later', later: true }],
  calls_added: [{ id: 'X1', method: 'POST', path: '/api/new' }],
  entities: [],
};

const product: Product = {
  pagePaths: new Set(['/a/:id', '/b']), coveredPaths: new Set(['/a/:id']),
  calls: ['GET /api/a/{licenseId}', 'GET /api/a', 'POST /api/new'].map((key) => call(key)),
  entityCalls: {}, entityWords: {}, fieldNames: {}, withoutShape: new Set(),
  permissions: new Set(['show.list']), testIds: new Set(['S1', 'C1', 'RT3']),
};

it('counts what is there and names what is missing', () => {
  const counted = Object.entries(countConformance(spec, product)).filter(([list]) => list in spec)
    .map(([list, { have, want, missing }]) => [list, { have, want, missing }]);
  expect(Object.fromEntries(counted)).toEqual({
    entities: { have: 0, want: 0, missing: [] },
    pages: { have: 2, want: 3, missing: ['RT2 /b'] },
    calls: { have: 3, want: 4, missing: ['A4 PUT /api/a/{id}'] },
    permissions: { have: 1, want: 2, missing: ['P:none'] },
    states: { have: 1, want: 2, missing: ['S2'] },
    rules: { have: 0, want: 1, missing: ['R1'] },
    constants: { have: 1, want: 1, missing: [] },
    messages: { have: 0, want: 1, missing: ['M1'] },
    pages_added: { have: 0, want: 1, missing: ['XR1 /new'] },
    calls_added: { have: 1, want: 1, missing: [] },
  });
});

it('a page with a row but no derived test, or a test but no row, does not count', () => {
  const listedOnly = { ...product, pagePaths: new Set<string>(), coveredPaths: new Set(['/a/:id', '/b']) };
  expect(countConformance(spec, listedOnly).pages.have).toBe(1);
});

it('leaves out the names of parameters and the query', () => {
  expect(callKey('GET', '/api/a/{id}/b/{userId}?page=1')).toBe('GET /api/a/{}/b/{}');
});

describe('what a call takes', () => {
  const rows = (row: object): Spec => ({ ...spec, calls: [{ id: 'A1', method: 'POST', path: '/api/a', ...row }] });
  const counted = (row: object, shape: Partial<CallShape>) =>
    countConformance(rows(row), { ...product, calls: [call('POST /api/a', shape)] });
  const query: CallShape['query'] = new Map<string, (value: string) => boolean>([['status', () => true],
    ['with', (value) => value === 'entries']]);

  it('is compared by the names of its query, and by the values the specification gives', () => {
    const asked = { query: ['status', 'with=entries', 'read (optional)', 'words about it'] };
    expect(counted(asked, { query }).queries.missing).toEqual(['A1 POST /api/a: read (optional)']);
    expect(counted({ query: ['with=lines'] }, { query }).queries.missing).toEqual(['A1 POST /api/a: with=lines']);
    expect(counted({ query: ['status'] }, { query }).queries).toMatchObject({ have: 1, want: 1 });
  });

  it('is compared by the names of its body; another record may be named by its id', () => {
    const body = { name: 'string', header: 'ref', file: 'file' };
    const shape = { body: new Set(['name', 'header_id']), upload: 'file' };
    expect(counted({ body }, shape).bodies).toMatchObject({ have: 1, want: 1 });
    expect(counted({ body }, { body: new Set(['header_id']) }).bodies.missing).toEqual(['A1 POST /api/a: name, file']);
  });

  it('is compared by its content type: a form where a file comes with it', () => {
    const form = { contentType: 'multipart/form-data' };
    expect(counted(form, {}).content_types.have).toBe(0);
    expect(counted(form, { upload: 'file' }).content_types.have).toBe(1);
    expect(counted({ contentType: 'application/json' }, { upload: 'file' }).content_types.have).toBe(0);
  });

  it('that is not there is counted once more, under the area it belongs to', () => {
    const row = { path: '/api/admin/staff/banks', query: ['page'], body: { name: 'string' } };
    const { calls, queries, bodies } = counted(row, {});
    expect([calls.open, queries.open, bodies.open]).toEqual([{ banking: 1 }, { banking: 1 }, { banking: 1 }]);
  });
});

describe('an entity', () => {
  const entities = [{ id: 'E:Group', name: 'Group', fields: [
    { name: 'name', type: 'string' }, { name: 'header', type: 'Header' }, { name: 'users', type: 'User[]' },
    { name: 'token', type: 'string' }, { name: 'color', type: 'string' }] },
  { id: 'E:Tab', name: 'Tab', fields: [{ name: 'error', type: 'boolean' }] },
  { id: 'E:Sample', name: 'Sample', fields: [] }];
  const counted = (more: Partial<Product>) => countConformance({ ...spec, entities }, { ...product, ...more });

  it('counts with the call that answers it, its fields where calls, addresses or files have them', () => {
    const { entities: found, fields } = counted({ withoutShape: new Set(['Sample']),
      calls: [call('GET /api/groups/{id}', { answer: new Set(['name', 'header_id']) }),
        call('GET /api/groups/{id}/users'), call('GET /api/join/{token}')],
      entityCalls: { Group: ['GET /api/groups/{id}', 'GET /api/join/{token}'] },
      entityWords: { Tab: new Set(['text', 'error']) } });
    expect(found).toMatchObject({ have: 2, want: 2 });
    expect(fields).toMatchObject({ have: 5, want: 6, missing: ['Group.color'] });
  });

  it('does not count where no call answers it', () => {
    const { entities: found, fields } = counted({ entityCalls: { Group: ['GET /api/groups/{id}'] } });
    expect(found.missing).toEqual(['E:Group', 'E:Tab', 'E:Sample']);
    expect(fields.have).toBe(0);
  });
});

it('reads the shape of a call through lists, options and unions', () => {
  const row = z.object({ id: z.int(), lines: z.array(z.object({ sum: z.int() })) });
  const shape = shapeOfCall(endpoint({ method: 'POST', path: '/api/a', auth: staff(['show.list', 'show.show']),
    summary: 'A', query: z.strictObject({ with: z.enum(['lines']).optional() }),
    body: z.union([z.strictObject({ name: z.string() }), z.strictObject({ id: z.int() })]), response: many(row) }));
  expect([...shape.body]).toEqual(['name', 'id']);
  expect([...shape.answer]).toEqual(['id', 'lines']);
  expect(shape.permissions).toEqual(['show.list', 'show.show']);
  expect(['lines', 'sums'].map((value) => shape.query.get('with')?.(value))).toEqual([true, false]);
});
