/** Seams for operators and programs: liveness, readiness, metrics, the contract (reliability.md 6). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { refuse } from '#kit/errors.ts';
import type { Ports } from './context.ts';

export interface ReadyAnswer {
  ready: boolean;
  reasons: string[];
}
export type ReadyCheck = () => Promise<ReadyAnswer>;

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 1, 2.5, 10];

export function healthRoutes(app: FastifyInstance, ports: Ports, ready: ReadyCheck, openapi: () => unknown): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds', help: 'Requests by route template', buckets: BUCKETS,
    labelNames: ['method', 'route', 'status'], registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    duration.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });
  app.get('/health/live', async () => ({ status: 'live', uptime_seconds: process.uptime() }));
  app.get('/health/ready', async (_request, reply) => {
    const answer = await ready();
    return reply.status(answer.ready ? 200 : 503).send({ status: answer.ready ? 'ready' : 'not ready', ...answer });
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, ports.settings.metrics_token)) throw refuse('not_found');
    return reply.header('Content-Type', registry.contentType).send(await registry.metrics());
  });
  app.get('/api/openapi.json', async () => openapi());
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  if (token === null) return LOOPBACK.has(request.ip) && request.headers['x-forwarded-for'] === undefined;
  const sent = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
}
