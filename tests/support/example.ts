/** A smallest valid value of a schema: what the matrices send where a call must get past its fields. */
import * as z from 'zod';

interface Json {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
  properties?: Record<string, Json>;
  required?: string[];
  items?: Json;
  minItems?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  format?: string;
  pattern?: string;
  $ref?: string;
  $defs?: Record<string, Json>;
}

/** Texts that have to look like something; the first that fits is taken. */
const WORDS = ['2026-12-01', '19:30', '2026-12', 'USD', 'US', 'en-US', 'NY', 'someone@example.org', '123456', '1.25',
  'ABC', 'abc', 'example', 'America/New_York', 'https://example.org/', '2026-12-01T19:30:00Z', '#aabbcc',
  '00000000-0000-4000-8000-000000000000'];

/** Values required by a rule beyond the fields. */
const KNOWN: Record<string, unknown> = {
  page_key: '/admin/shows', changes: { dates: { first_performance_on: '2026-12-01' } },
};
/** Names of days: their rule, a day that exists, cannot be read from the schema. */
const DAY = /(^|_)(on|at|by|from|to|date)$|_date_/;

/** `fill` gives values to fields by their name: ids, mostly. */
export function exampleOf(schema: z.ZodType, fill: (name: string) => unknown = () => undefined): unknown {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
  return valueOf(json, json, fill, '', 0);
}

function valueOf(json: Json, root: Json, fill: (name: string) => unknown, name: string, depth: number): unknown {
  if (json.$ref !== undefined) {
    const found = root.$defs?.[json.$ref.split('/').at(-1) ?? ''] ?? root;
    return depth > 8 ? null : valueOf(found, root, fill, name, depth + 1);
  }
  const given = fill(name) ?? KNOWN[name];
  if (given !== undefined) return given;
  if (json.const !== undefined) return json.const;
  if (json.enum) return json.enum[0];
  const choice = json.anyOf ?? json.oneOf;
  if (choice) return valueOf(choice[0]!, root, fill, name, depth + 1);
  if (json.allOf) return valueOf(Object.assign({}, ...json.allOf) as Json, root, fill, name, depth + 1);
  const type = [json.type ?? 'object'].flat()[0];
  switch (type) {
    case 'integer': case 'number': return Math.max(1, json.minimum ?? 0, (json.exclusiveMinimum ?? 0) + 1);
    case 'boolean': return true;
    case 'null': return null;
    case 'string': return textOf(json, name);
    case 'array': return Array.from({ length: json.minItems ?? (name.endsWith('_ids') ? 1 : 0) },
      () => valueOf(json.items ?? {}, root, fill, name.replace(/s$/, ''), depth + 1));
    default: return Object.fromEntries((json.required ?? []).map((key) =>
      [key, valueOf(json.properties?.[key] ?? {}, root, fill, key, depth + 1)]));
  }
}

function textOf(json: Json, name: string): string {
  if (json.pattern !== undefined) {
    const pattern = new RegExp(json.pattern, 'u');
    const fits = WORDS.find((word) => pattern.test(word));
    if (fits !== undefined) return fits;
  }
  if (json.format === 'email' || name === 'email') return 'someone@example.org';
  if (json.format === 'date' || DAY.test(name)) return '2026-12-01';
  if (json.format === 'date-time') return '2026-12-01T19:30:00Z';
  return 'example'.padEnd(json.minLength ?? 0, '-').slice(0, json.maxLength);
}
