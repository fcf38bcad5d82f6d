/** Every contract, as the server reads it and as the browser does: what a screen takes from it is the same. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

const root = fileURLToPath(new URL('../../', import.meta.url));
const contracts = globSync('modules/**/*.contract.ts', { cwd: root }).toSorted();

interface Readable { shape?: Record<string, unknown>; options?: readonly unknown[] }

/** The names of an object and the choices of an enum; nothing where a screen can ask for neither. */
function readOf(schema: Readable): unknown {
  const names = Object.keys(schema.shape ?? {});
  const choices = (schema.options ?? []).filter((one) => typeof one === 'string');
  return { names, choices };
}

/** Exports, with each schema as the browser could read it. Functions are the same code on both sides. */
function seen(value: unknown, isSchema: (one: object) => boolean): unknown {
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null) return value;
  if (isSchema(value)) return readOf(value as Readable);
  if (value instanceof RegExp || value instanceof Set || value instanceof Map) return value;
  if (Array.isArray(value)) return value.map((one) => seen(one, isSchema));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, seen(one, isSchema)]));
}

async function inBrowser<T>(read: () => Promise<T>): Promise<T> {
  vi.resetModules();
  vi.doMock('zod', () => import('./zod-in-browser.ts'));
  try {
    return await read();
  } finally {
    vi.doUnmock('zod');
    vi.resetModules();
  }
}

afterAll(() => { vi.resetModules(); });

describe('a contract in the browser', () => {
  it('is there to be read', () => { expect(contracts.length).toBeGreaterThan(80); });

  it.each(contracts)('%s says the same', async (file) => {
    const known = seen(await import(`${root}${file}`), (one) => one instanceof z.ZodType);
    const stripped = await inBrowser(async () => {
      const { ZodObject } = await import('./zod-in-browser.ts');
      return seen(await import(`${root}${file}`), (one) => one instanceof ZodObject);
    });
    expect(stripped).toEqual(known);
  });
});

describe('defaults of an empty form', () => {
  const schemaOf = (kit: typeof z) => kit.strictObject({ share: kit.int().min(0).default(1), note: kit.string().trim()
    .nullable().default(null), tags: kit.array(kit.string()).max(3).default([]), name: kit.string() });

  it('are those of the schema, and what is given stays', async () => {
    const stub = await import('./zod-in-browser.ts') as unknown as typeof z;
    const given = { name: 'Ensemble', share: 0 };
    expect(schemaOf(stub).parse(given)).toEqual(schemaOf(z).parse(given));
    expect(schemaOf(stub).parse({ name: '' })).toEqual({ share: 1, note: null, tags: [], name: '' });
  });

  it('come along where a schema is extended or cut', async () => {
    const stub = await import('./zod-in-browser.ts') as unknown as typeof z;
    const cut = (kit: typeof z) => schemaOf(kit).omit({ name: true }).extend({ on: kit.string().default('today') });
    expect(cut(stub).parse({})).toEqual(cut(z).parse({}));
    expect(Object.keys(schemaOf(stub).pick({ name: true }).shape)).toEqual(['name']);
  });
});
