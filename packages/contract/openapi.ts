/** The contract as OpenAPI 3.1: what programs read at /api/openapi.json. Names no table, handler or file of ours. */
import * as z from 'zod';
import type { Auth } from './auth.ts';
import { namesVersion, type Endpoint } from './endpoint.ts';

export function openapi(endpoints: readonly Endpoint[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const [path = ''] = endpoint.path.split('?');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Grand Rights', version: '1', description: 'Licensing, royalties and accounting.' },
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'app_session' } },
      schemas: { Error: ERROR_SCHEMA },
    },
    security: [{ session: [] }],
    paths,
  };
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string' }, code: { type: 'string' }, error_id: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
};

/** The ETag of what was read; see reliability.md 5.2. */
const IF_MATCH = '^"v[0-9]+"$';
const CONFIRM_TEXT = ' Answers 423 until POST /api/auth/confirm-password was answered within the last 15 minutes.';

function operation(endpoint: Endpoint): Record<string, unknown> {
  return {
    summary: endpoint.summary,
    description: describeAuth(endpoint.auth) + (endpoint.confirm ? CONFIRM_TEXT : ''),
    ...(endpoint.auth.kind === 'open' ? { security: [] } : {}),
    parameters: [...pathParameters(endpoint.path), ...queryParameters(endpoint), ...headers(endpoint)],
    ...(endpoint.upload || endpoint.body ? { requestBody: requestBody(endpoint) } : {}),
    responses: {
      [String(endpoint.response === null ? 204 : endpoint.status ?? 200)]: answer(endpoint),
      default: {
        description: 'Refused', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function describeAuth(auth: Auth): string {
  switch (auth.kind) {
    case 'open': return 'No sign-in needed.';
    case 'signed_in': return 'Any signed-in person.';
    case 'staff': return auth.permission === null ? `Roles: ${auth.roles.join(', ')}.`
      : `Staff with ${[auth.permission].flat().join(' or ')}${auth.own ? '; everyone their own' : ''}.`;
    case 'customer': return `People of the customer: ${auth.roles.join(', ')}.`;
  }
}

function pathParameters(path: string): unknown[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters(endpoint: Endpoint): unknown[] {
  if (!endpoint.query) return [];
  const schema = jsonSchema(endpoint.query, 'input') as { properties?: Record<string, unknown>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    ({ name, in: 'query', required: schema.required?.includes(name) ?? false, schema: property }));
}

function headers(endpoint: Endpoint): unknown[] {
  return [
    ...(endpoint.idempotent
      ? [{ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string', maxLength: 255 } }] : []),
    ...(namesVersion(endpoint) || endpoint.conditional
      ? [{ name: 'If-Match', in: 'header', required: false, schema: { type: 'string', pattern: IF_MATCH } }] : []),
  ];
}

function requestBody(endpoint: Endpoint): unknown {
  const fields = endpoint.body
    ? jsonSchema(endpoint.body, 'input') as { properties?: object; required?: string[] } : {};
  if (!endpoint.upload) return { required: true, content: { 'application/json': { schema: fields } } };
  const file = { type: 'string', format: 'binary', description: `${endpoint.upload.types.join(', ')}` };
  return { required: true, content: { 'multipart/form-data': { schema: {
    ...fields, type: 'object', properties: { ...fields.properties, [endpoint.upload.field]: file } } } } };
}

function answer(endpoint: Endpoint): unknown {
  if (endpoint.response === null) return { description: 'Done' };
  if (endpoint.response === 'file') {
    return { description: 'File', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } };
  }
  if (endpoint.response === 'events') {
    return { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } };
  }
  return { description: 'OK', content: { 'application/json': { schema: jsonSchema(endpoint.response, 'output') } } };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  const { $schema: _ignored, ...rest } = json;
  return rest;
}
