/**
 * Writing: `const issue = useAction(licenseEndpoints.issue, {refresh: [licenseEndpoints.show]})`, then
 * `issue.run({params: {id}, body})`. Never optimistic (frontend.md 3.4): the button is pending until the answer.
 *
 * One idempotency key per opened form: it is made at the first press and kept until the server has accepted the
 * command, so a lost answer or a double press never books twice (reliability.md 5.2).
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { ApiError, call, type CallArgs, type CallOptions } from '#kit/client.ts';
import type { AnyEndpoint, ResponseOf } from '#kit/endpoint.ts';
import type { FieldErrors } from '#kit/errors.ts';
import { toast } from '#web/data/toast.tsx';
import { rereadAfterRefusal } from './current-user.ts';

/** Kinds of refusal, by their meaning for the screen. */
export type FailureKind =
  | 'fields' | 'conflict' | 'stale' | 'signed_out' | 'forbidden' | 'waiting' | 'offline' | 'other';

export interface Failure {
  kind: FailureKind;
  /** The server's words, else the catalogue's. */
  message: string;
  code: string;
  /** 422: texts at their fields, keys in dot notation. */
  fields: FieldErrors;
  status: number;
  /** Data in the refusal besides its message, such as a new total. */
  facts: Readonly<Record<string, unknown>>;
  /** No connection, and sent again it cannot run twice (use-resend.ts). */
  repeatable: boolean;
}

/** Sorts a failed call by what the person can do about it: statuses of reliability.md 1.2. */
export function readFailure(error: unknown): Failure {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : 'Something went wrong.';
    return { kind: 'other', message, code: '', fields: {}, status: 0, facts: {}, repeatable: false };
  }
  const kinds: Record<number, FailureKind> = {
    0: 'offline', 401: 'signed_out', 403: 'forbidden', 409: 'conflict', 412: 'stale', 419: 'signed_out', 422: 'fields',
    428: 'stale', 429: 'waiting', 503: 'offline',
  };
  const hasFields = Object.keys(error.errors).length > 0;
  const kind = error.status === 422 && !hasFields ? 'conflict' : (kinds[error.status] ?? 'other');
  return { kind, message: error.message, code: error.code, fields: error.errors, status: error.status,
    facts: error.body,
    repeatable: error.repeatable === 'key' };
}

export interface ActionOptions<E extends AnyEndpoint> {
  /** Reads that are stale afterwards; the family of the endpoint's own path is always among them. */
  refresh?: readonly AnyEndpoint[];
  /** Words of the toast after success; none shows none. */
  done?: string | ((answer: ResponseOf<E>) => string);
  onDone?: (answer: ResponseOf<E>) => void;
  /**
   * Takes the failure; without it, it is told in a toast, except field errors, and where somebody was faster the
   * screen reads again: a button alone has nothing typed that could be lost.
   */
  onFailure?: (failure: Failure) => void;
}

export interface Action<E extends AnyEndpoint> {
  pending: boolean;
  failure: Failure | null;
  /** Answers the response, or null where the server refused (see `failure`). */
  run: (args: CallArgs<E>, options?: CallOptions) => Promise<ResponseOf<E> | null>;
  /** Forgets the failure and starts a new command with a new key. */
  reset: () => void;
}

/** '/api/admin/staff/venues/{id}/close' belongs to the family '/api/admin/staff/venues'. */
export function familyOf(path: string): string {
  return path.split('/{')[0] ?? path;
}

/** Gone, moved on or changed meanwhile: what the screen shows is not so any more. */
const OVERTAKEN: readonly number[] = [404, 409, 412];

/** Reads again what belongs to the families of these endpoints. */
function reread(client: QueryClient, endpoints: readonly AnyEndpoint[]): Promise<void> {
  const families = endpoints.map((stale) => familyOf(stale.path));
  return client.invalidateQueries({
    predicate: (query) => {
      const path = String(query.queryKey[0]).split(' ')[1] ?? '';
      return families.some((family) => path === family || path.startsWith(`${family}/`));
    },
  });
}

/** A button's refusal has no form beside it that would say what to do. */
function tell(failure: Failure): void {
  if (failure.kind === 'fields') return;
  const more = failure.kind === 'stale' ? ' You see now how it stands.' : '';
  toast(`${failure.message}${more}`, { tone: 'error' });
}

export function useAction<E extends AnyEndpoint>(endpoint: E, options: ActionOptions<E> = {}): Action<E> {
  const client = useQueryClient();
  const key = useRef<string | null>(null);
  const running = useRef(false);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const latest = useRef(options);
  latest.current = options;

  const run = useCallback(async (args: CallArgs<E>, callOptions: CallOptions = {}) => {
    if (running.current) return null;
    running.current = true;
    setPending(true);
    setFailure(null);
    key.current ??= crypto.randomUUID();
    try {
      const answer = await call(endpoint, args, { idempotencyKey: key.current, ...callOptions });
      key.current = null;
      await reread(client, [endpoint, ...(latest.current.refresh ?? [])]);
      const { done, onDone } = latest.current;
      if (done) toast(typeof done === 'function' ? done(answer) : done);
      onDone?.(answer);
      return answer;
    } catch (error) {
      const read = readFailure(error);
      // The server answered: a corrected form is another command. Without an answer the same key asks again.
      if (read.status >= 400 && read.status < 500 && read.code !== 'in_progress') key.current = null;
      setFailure(read);
      rereadAfterRefusal(client, error);
      const { onFailure, refresh = [] } = latest.current;
      if (onFailure) {
        onFailure(read);
        return null;
      }
      if (OVERTAKEN.includes(read.status)) void reread(client, [endpoint, ...refresh]);
      tell(read);
      return null;
    } finally {
      running.current = false;
      setPending(false);
    }
  }, [client, endpoint]);

  const reset = useCallback(() => {
    key.current = null;
    setFailure(null);
  }, []);
  return { pending, failure, run, reset };
}
