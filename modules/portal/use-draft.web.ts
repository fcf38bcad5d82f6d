/**
 * Keeps an application saved while it is written: the first change makes the draft, later ones go to it. What found no
 * connection waits for it and goes again under its key, whole as it was; what was typed since follows (U28).
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, call } from '#kit/client.ts';
import { applicationEndpoints, type CustomerApplication,
} from '#modules/licensing/applications/application.contract.ts';
import { mayWait, useWaiting } from '#web/controls/button/use-waiting.ts';
import { bodyOf, type ApplyValues } from './apply-values.web.ts';

/** ms without a keystroke before the draft is saved. */
const PAUSE = 1200;

export interface Draft {
  saved: CustomerApplication | undefined;
  state: 'new' | 'saving' | 'saved' | 'waiting' | 'failed';
  failure: string;
  /** Saves at once; null where the server refused. */
  save: () => Promise<CustomerApplication | null>;
}

/** A write whose answer has not come: it is repeated under its key, so that it never happens twice. */
interface PendingWrite { text: string; send: () => Promise<{ data: CustomerApplication }> }

function sendingOf(
  customerId: number, showId: number, values: ApplyValues, row: CustomerApplication | undefined,
): PendingWrite {
  const body = bodyOf(values, showId, row);
  const options = { idempotencyKey: crypto.randomUUID() };
  return { text: JSON.stringify(values), send: () => row
    ? call(applicationEndpoints.customerUpdate, { params: { id: customerId, applicationId: row.id },
        body: { ...body, version: row.version } }, options)
    : call(applicationEndpoints.customerCreate, { params: { id: customerId }, body }, options) };
}

function isInProgress(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'in_progress';
}

function reasonOf(error: unknown): string {
  const fields = error instanceof ApiError ? Object.values(error.errors).flat() : [];
  return String(fields[0] ?? (error instanceof Error ? error.message : 'It could not be saved.'));
}

export function useDraft(
  customerId: number, showId: number, values: ApplyValues, found: CustomerApplication | undefined,
): Draft {
  const client = useQueryClient();
  const [saved, setSaved] = useState(found);
  const [state, setState] = useState<Draft['state']>(found ? 'saved' : 'new');
  const [failure, setFailure] = useState('');
  const row = useRef(found);
  const latest = useRef(values);
  const stored = useRef(JSON.stringify(values));
  const unanswered = useRef<PendingWrite | null>(null);
  const running = useRef<Promise<CustomerApplication | null>>(Promise.resolve(found ?? null));
  const again = useRef(() => {});
  const waiting = useWaiting(() => again.current());
  const wait = useRef(waiting);
  wait.current = waiting;
  latest.current = values;

  const write = useCallback(async (): Promise<CustomerApplication | null> => {
    wait.current.end();
    while (unanswered.current || !row.current || JSON.stringify(latest.current) !== stored.current) {
      setState('saving');
      const sending = unanswered.current ??= sendingOf(customerId, showId, latest.current, row.current);
      try {
        row.current = (await sending.send()).data;
        unanswered.current = null;
        stored.current = sending.text;
        setSaved(row.current);
        setFailure('');
        await client.invalidateQueries({ predicate: (query) =>
          String(query.queryKey[0]).includes('license-applications') });
      } catch (error) {
        const waits = mayWait(error, true);
        // Refused or broken: what is typed next is another write. Still being worked on: ask for this one again.
        if (!waits && !isInProgress(error)) unanswered.current = null;
        setFailure(reasonOf(error));
        setState(waits ? 'waiting' : 'failed');
        if (waits) wait.current.begin();
        return null;
      }
    }
    setState('saved');
    return row.current;
  }, [client, customerId, showId]);

  /** One write after the other: each needs the version of the one before. */
  const save = useCallback(() => {
    running.current = running.current.then(write, write);
    return running.current;
  }, [write]);

  again.current = () => void save();
  const leave = useRef(save);
  leave.current = save;
  // Left before the pause was over, by Back or a link: what was typed last is saved all the same.
  useEffect(() => () => {
    if (JSON.stringify(latest.current) !== stored.current) void leave.current();
  }, []);
  const text = JSON.stringify(values);
  useEffect(() => {
    if (text === stored.current) return undefined;
    const timer = setTimeout(() => void save(), PAUSE);
    return () => clearTimeout(timer);
  }, [text, save]);
  return { saved, state, failure, save };
}
