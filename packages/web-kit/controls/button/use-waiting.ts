/**
 * A save that found no connection waits for it and is sent by itself when it is back (U28). Only what cannot run twice:
 * the change of a record by its version, anything else by the key of its form. Money, signatures and what a person
 * confirms are never sent without that person (client.ts).
 */
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '#kit/client.ts';
import { untilConnected } from '../failure/connection.ts';

export interface WaitingState {
  on: boolean;
  begin: () => void;
  /** Called off, or overtaken by a press. */
  end: () => void;
}

export function useWaiting(send: () => void): WaitingState {
  const [on, setOn] = useState(false);
  const wait = useRef<AbortController | null>(null);
  const latest = useRef(send);
  latest.current = send;
  const end = () => {
    wait.current?.abort();
    wait.current = null;
    setOn(false);
  };
  useEffect(() => () => wait.current?.abort(), []);
  return {
    on, end,
    begin: () => {
      const mine = new AbortController();
      wait.current = mine;
      setOn(true);
      void untilConnected(mine.signal).then((back) => { if (back) latest.current(); });
    },
  };
}

/** Whether a failed save may wait. `changes`: the form changes a record, no act of its own (approve, void). */
export function mayWait(caught: unknown, changes: boolean): boolean {
  return caught instanceof ApiError && (caught.repeatable === 'key' || (caught.repeatable === 'version' && changes));
}

/** The first try arrived, only its answer was lost; the second says something else. */
export const KEY_REUSED = 'idempotency_key_reused';
export const SAVED_AFTER_ALL =
  'Your last change before the connection was lost was saved. Check it first.';

/** Words of a failure that a person has to try again. */
export function tryAgain(caught: unknown, text: string): string {
  if (!(caught instanceof ApiError)) return text;
  if (caught.code === KEY_REUSED) return SAVED_AFTER_ALL;
  return caught.status === 0 ? `${text}. Everything is still here: try again when the connection is back.` : text;
}

/** The server answered: a corrected form is another command. Without an answer the same key asks again. */
export function isAnswered(caught: unknown): boolean {
  return caught instanceof ApiError && caught.status >= 400 && caught.status < 500 && caught.code !== 'in_progress';
}
