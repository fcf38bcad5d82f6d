import { expect, it } from 'vitest';
import { callKey, countConformance, type Product, type Spec } from './conformance-count.ts';

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
};

const product: Product = {
  pagePaths: new Set(['/a/:id', '/b']), coveredPaths: new Set(['/a/:id']),
  calls: new Set(['GET /api/a/{licenseId}', 'GET /api/a', 'POST /api/new']),
  permissions: new Set(['show.list']), testIds: new Set(['S1', 'C1', 'RT3']),
};

it('counts what is there and names what is missing', () => {
  expect(countConformance(spec, product)).toEqual({
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
