/** An action over many rows as a screen follows it: asked for, watched, stopped, taken back (X203, X198, X199). */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ZodType } from 'zod';
import { callName, type BulkAction, type BulkCall } from '#kit/bulk.ts';
import { call, remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import type { BulkOffer } from './bulk-offer.ts';
import { familyOf } from './use-action.ts';
import { useEndpoint } from './use-endpoint.ts';

/** Parts of a job needed here; the full type is in modules/data-exchange/jobs. */
export interface BulkJob { id: string; record_id: number; status: string; rows_done: number; rows_total: number;
  rows_refused: number; failure: string | null }
interface Wish { endpoint: string; body?: object; model_name?: string; filter?: Record<string, unknown>;
  ids?: number[]; expected?: number; undo_of?: number }

const BULK = '/api/admin/staff/bulk';
const JOB = '/api/jobs/{id}';
const starting = remote<Endpoint<typeof BULK, undefined, undefined, ZodType<Wish, Wish>,
  ZodType<{ data: { id: number; job_id: string } }>>>('POST', BULK);
type OneJob = Endpoint<typeof JOB, ZodType<{ id: string }>, undefined, undefined, ZodType<{ data: BulkJob }>>;
const jobShow = remote<OneJob>('GET', JOB);
const jobCancel = remote<OneJob>('DELETE', JOB);

/** ms between two looks where no live event comes. */
const LOOK_MS = 1000;

/** Rows that are meant: those with these ids on the page that is shown, or all that match. */
export interface BulkChoice { ids: readonly number[] | null; count: number; page: number; perPage: number }

/** `call` is what runs, or ran; `undo` takes it back and is not there for what already does. */
export interface BulkRunning { call: BulkCall; undo: BulkCall | undefined; job: string; id: number }

export interface BulkRunState {
  running: BulkRunning | null;
  /** undefined while nothing was heard of it. */
  job: BulkJob | undefined;
  over: boolean;
  start: (action: BulkAction, choice: BulkChoice, answer: unknown) => Promise<void>;
  stop: () => Promise<void>;
  takeBack: () => Promise<void>;
  forget: () => void;
}

const OVER = new Set(['done', 'failed', 'cancelled']);

/** @throws ApiError from `start` and `takeBack`: refused before anything was done. */
export function useBulkRun({ list, source }: BulkOffer, onOver: (running: BulkRunning, job: BulkJob) => void) {
  const client = useQueryClient();
  const [running, setRunning] = useState<BulkRunning | null>(null);
  const read = useEndpoint(jobShow, { params: { id: running?.job ?? '' } },
    { enabled: running !== null, refetchInterval: LOOK_MS, staleTime: 0 });
  const job = running && read.data?.data.id === running.job ? read.data.data : undefined;
  const over = job !== undefined && OVER.has(job.status);
  const told = useRef<string | null>(null);
  const tell = useRef(onOver);
  tell.current = onOver;
  useEffect(() => {
    if (!over || !running || told.current === running.job) return;
    told.current = running.job;
    const family = familyOf(list.list.path).replace(/\/trash$/, '');
    void client.invalidateQueries({ predicate: (query) => {
      const path = String(query.queryKey[0]).split(' ')[1] ?? '';
      return path === family || path.startsWith(`${family}/`);
    } });
    tell.current(running, job);
  }, [over, running, job, client, list]);

  async function send(what: BulkCall, undo: BulkCall | undefined, wish: Omit<Wish, 'endpoint'>): Promise<void> {
    const { data } = await call(starting, { body: { endpoint: callName(what.endpoint), ...wish } },
      { idempotencyKey: crypto.randomUUID() });
    setRunning({ call: what, undo, job: data.job_id, id: data.id });
  }
  const state: BulkRunState = {
    running, job, over,
    start: (action, choice, answer) => send(action, action.undo, {
      body: { ...action.body, ...(action.asks && { [action.asks.field]: answer }) },
      model_name: source.model_name, expected: choice.count,
      filter: choice.ids ? { ...source.filter, page: choice.page, per_page: choice.perPage } : { ...source.filter },
      ...(choice.ids && { ids: [...choice.ids] }),
    }),
    stop: async () => {
      if (running === null) return;
      // If it had already finished, the next read gives the result.
      await call(jobCancel, { params: { id: running.job } }).catch(() => undefined);
      await read.refetch();
    },
    takeBack: async () => {
      if (running?.undo) await send(running.undo, undefined, { undo_of: running.id });
    },
    forget: () => setRunning(null),
  };
  return state;
}
