/**
 * Every amount that a call takes: whole minor units, at most 10^12 either way, refused at its field in words. Read from
 * the contract, so a new field is held to it too. Fields of amounts carry their unit in the name.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routes } from '#apps/server/src/routes.ts';

const LIMIT = 1_000_000_000_000;

/** Numbers by which a record, a version or a row is found: none fits what is not there. */
const NAMES_A_ROW = new RegExp(String.raw`[._ ](version|expected|id|\w+_ids?(\[\])?|ids\[\]|row_nos\[\]|undo_of`
  + String.raw`|ledger_header|excluded_from_customer|customer_classifications\[\])$|/system/settings \.value$`);

type Json = { properties?: Record<string, Json>; items?: Json; prefixItems?: Json[]; anyOf?: Json[]; oneOf?: Json[];
  allOf?: Json[]; additionalProperties?: Json | boolean; type?: string | string[]; maximum?: number; minimum?: number;
  enum?: number[] };

/** Of a choice of numbers the largest of them. */
const largest = (json: Json): number => json.maximum ?? Math.max(...json.enum ?? [Infinity]);

/** Numbers below a schema by their path. */
function numbers(json: Json, path: string, found: Map<string, Json>): void {
  for (const [key, inner] of Object.entries(json.properties ?? {})) numbers(inner, `${path}.${key}`, found);
  for (const inner of [...json.anyOf ?? [], ...json.oneOf ?? [], ...json.allOf ?? [], ...json.prefixItems ?? []]) {
    numbers(inner, path, found);
  }
  if (json.items) numbers(json.items, `${path}[]`, found);
  if (typeof json.additionalProperties === 'object') numbers(json.additionalProperties, `${path}{}`, found);
  if (json.type === 'integer' || json.type === 'number') found.set(path, json);
}

const amounts = routes.flatMap(({ endpoint: { method, path, query, body } }) =>
  [query, body].flatMap((schema) => {
    const found = new Map<string, Json>();
    if (schema) numbers(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json, '', found);
    return [...found].map(([at, json]) => ({ label: `${method} ${path} ${at}`, json }));
  }));

describe('amounts of calls', () => {
  it('are whole minor units of at most 10^12 either way', () => {
    const minor = amounts.filter(({ label }) => /_minor(\[\]|\{\})?$/.test(label));
    expect(minor.length).toBeGreaterThan(60);
    const wrong = minor.filter(({ json }) => json.type !== 'integer' || (json.maximum ?? Infinity) > LIMIT
      || (json.minimum ?? -Infinity) < -LIMIT);
    expect(wrong.map(({ label }) => label)).toEqual([]);
  });

  it('say so in words at their field', () => {
    const texts = new Set<string>();
    for (const { endpoint: { query, body } } of routes) {
      for (const schema of [query, body]) {
        for (const [field, inner] of Object.entries((schema as z.ZodObject | undefined)?.shape ?? {})) {
          if (!field.endsWith('_minor')) continue;
          const issues = (inner as z.ZodType).safeParse(LIMIT + 1).error?.issues ?? [];
          expect(issues.length, field).toBeGreaterThan(0);
          for (const { message } of issues) texts.add(message);
        }
      }
    }
    expect(texts.size).toBeGreaterThan(0);
    expect([...texts].filter((text) => !/(At most|larger than) 10,000,000,000\.00$/.test(text))).toEqual([]);
  });

  it('every other number has a limit that its column can hold', () => {
    const others = amounts.filter(({ label }) => !/_minor(\[\]|\{\})?$/.test(label)
      // what another call is asked with is checked by that call
      && !/ \.(filter|body)\{\}(\[\])?$/.test(label));
    expect(others.length).toBeGreaterThan(200);
    const open = others.filter(({ label, json }) => largest(json) > 2_147_483_647
      && !NAMES_A_ROW.test(label));
    expect(open.map(({ label }) => label)).toEqual([]);
  });
});
