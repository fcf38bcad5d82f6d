/** Inputs and outputs of a call, read from its schemas: names of query and body, of its upload, of its answer. */
import * as z from 'zod';
import type { AnyEndpoint } from '#kit/endpoint.ts';

export interface CallShape {
  /** `METHOD path`. */
  key: string;
  /** Names of the query, each with a test of one value. */
  query: ReadonlyMap<string, (value: string) => boolean>;
  body: ReadonlySet<string>;
  upload: string | null;
  answer: ReadonlySet<string>;
  permissions: readonly string[];
}

interface Definition {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
  options?: readonly z.ZodType[];
  shape?: Record<string, z.ZodType>;
}

const WRAPPERS = new Set(['optional', 'nullable', 'default', 'prefault', 'readonly', 'catch']);
const definitionOf = (schema: z.ZodType): Definition => schema._zod.def as unknown as Definition;

/** The object inside wrappers, lists and unions: its fields by name. */
export function fieldsOf(schema: unknown): ReadonlyMap<string, z.ZodType> {
  if (!(schema instanceof z.ZodType)) return new Map();
  const definition = definitionOf(schema);
  if (WRAPPERS.has(definition.type)) return fieldsOf(definition.innerType);
  if (definition.type === 'pipe') return fieldsOf(definition.in);
  if (definition.type === 'array') return fieldsOf(definition.element);
  if (definition.type === 'union') return new Map((definition.options ?? []).flatMap((one) => [...fieldsOf(one)]));
  return new Map(Object.entries(definition.shape ?? {}));
}

/** Fields of the row in `{data}`, or of the answer itself where it has no `data`. */
function answerOf(response: unknown): ReadonlySet<string> {
  const outer = fieldsOf(response);
  return new Set((outer.has('data') ? fieldsOf(outer.get('data')) : outer).keys());
}

export function shapeOfCall({ method, path, query, body, upload, response, auth }: AnyEndpoint): CallShape {
  const permission = 'permission' in auth ? auth.permission : null;
  return {
    key: `${method} ${path}`,
    query: new Map([...fieldsOf(query)].map(([name, schema]) => [name, (value) => schema.safeParse(value).success])),
    body: new Set(fieldsOf(body).keys()), upload: upload?.field ?? null, answer: answerOf(response),
    permissions: permission === null ? [] : [permission].flat(),
  };
}
