/** Endpoints with their handlers, as modules hand them to the composition root. */
import type { AnyEndpoint, BodyOf, Endpoint, ParamsOf, QueryOf } from '#kit/endpoint.ts';
import type * as z from 'zod';
import type { Ctx, FileAnswer } from './context.ts';

type Answer<E> = E extends { response: 'file' } ? FileAnswer
  : E extends { response: 'events' } ? NodeJS.ReadableStream
  : E extends { response: null } ? void
    : E extends { response: infer RS extends z.ZodType } ? z.input<RS> : never;

export type Handler<E> = (
  ctx: Ctx, request: { params: ParamsOf<E>; query: QueryOf<E>; body: BodyOf<E> },
) => Promise<Answer<E>>;

/** One handler for each endpoint: leave one out and the compiler says which. */
export type Handlers<T extends Record<string, AnyEndpoint>> = { [K in keyof T]: Handler<T[K]> };

export interface Route {
  endpoint: Endpoint;
  handler: (ctx: Ctx, request: { params: unknown; query: unknown; body: unknown }) => Promise<unknown>;
}

export function serve<T extends Record<string, AnyEndpoint>>(endpoints: T, handlers: Handlers<T>): Route[] {
  return Object.entries(endpoints).map(([key, endpoint]) => {
    const handler = handlers[key as keyof T] as Route['handler'] | undefined;
    if (!handler) throw new Error(`no handler for ${endpoint.method} ${endpoint.path}`);
    return { endpoint, handler };
  });
}
