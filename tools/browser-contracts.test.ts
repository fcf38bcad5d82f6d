import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { asBrowserReads } from './browser-contracts.ts';

const read = (code: string): string => asBrowserReads(code, parseAst(code).body as never);

it('an endpoint keeps its address and loses its schemas, with every line where it was', () => {
  const code = [
    'const one = endpoint({ method: "POST", path: "/a/{id}", body: z.strictObject({', '  name,', '}),',
    '  response: many(row) });', 'last();',
  ].join('\n');
  expect(read(code)).toBe([
    'const one = /* @__PURE__ */ (() => (endpoint({ method: "POST", path: "/a/{id}", body: undefined', '', ',',
    '  response: undefined })))();', 'last();',
  ].join('\n'));
});

it('keeps that an answer is a file or empty: the client reads it', () => {
  expect(read('endpoint({ response: "file" }); endpoint({ response: null });'))
    .toBe('endpoint({ response: "file" }); endpoint({ response: null });');
});

it('a schema named as its property goes as well', () => {
  expect(read('f(endpoint({ path, query, body }));')).toBe('f(endpoint({ path, query: undefined, body: undefined }));');
});

it('what is declared may be left out where nothing asks for it; functions and texts are left alone', () => {
  expect(read('export const row = z.object({ id });'))
    .toBe('export const row = /* @__PURE__ */ (() => (z.object({ id })))();');
  expect(read("const path = '/a', make = (x) => x; let count = f();"))
    .toBe("const path = '/a', make = (x) => x; let count = f();");
});
