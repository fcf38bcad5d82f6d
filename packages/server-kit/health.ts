/** Seams for operators and programs: liveness, readiness, metrics, the contract (reliability.md 6). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { refuse } from '#kit/errors.ts';
import type { Ports } from './context.ts';
import type { Settings } from './settings.ts';

export interface ReadyAnswer {
  ready: boolean;
  reasons: string[];
}
export type ReadyCheck = () => Promise<ReadyAnswer>;

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 1, 2.5, 10];

/** The declared route, never the address that was asked for: what strangers make up becomes no series of its own. */
function routeLabels(request: FastifyRequest): { method: string; route: string } {
  const route = request.routeOptions.url;
  return route === undefined ? { method: 'any', route: 'none' } : { method: request.method, route };
}

export function healthRoutes(app: FastifyInstance, ports: Ports, ready: ReadyCheck, openapi: () => unknown): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds', help: 'Requests by route template', buckets: BUCKETS,
    labelNames: ['method', 'route', 'status_class'], registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    duration.observe({ ...routeLabels(request), status_class: `${Math.floor(reply.statusCode / 100)}xx` },
      reply.elapsedTime / 1000);
  });
  app.get('/health/live', async () => ({ status: 'live', uptime_seconds: process.uptime() }));
  app.get('/health/ready', async (_request, reply) => {
    const answer = await ready();
    return reply.status(answer.ready ? 200 : 503).send({ status: answer.ready ? 'ready' : 'not ready', ...answer });
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, ports.settings)) throw refuse('not_found');
    return reply.header('Content-Type', registry.contentType).send(await registry.metrics());
  });
  app.get('/api/openapi.json', async () => openapi());
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** A proxy adds one of these; behind it everybody comes from loopback. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];
const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether the request comes from this machine itself. With a proxy in the settings nobody can be told from it. */
function isDirectFromHere(request: FastifyRequest, proxies: readonly string[]): boolean {
  return proxies.length === 0 && LOOPBACK.has(request.socket.remoteAddress ?? '')
    && LOOPBACK_NAMES.has(request.hostname) && FORWARDING.every((name) => request.headers[name] === undefined);
}

/** With a token everybody needs it, loopback included: a proxy on this machine comes from there as well. */
function mayReadMetrics(
  request: FastifyRequest, { metrics_token: token, trust_proxy }: Pick<Settings, 'metrics_token' | 'trust_proxy'>,
): boolean {
  if (token === null) return isDirectFromHere(request, trust_proxy);
  const sent = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
