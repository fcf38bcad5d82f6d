/**
 * A command outside the form kit that only keeps words (a memo, a name) and found no connection: it waits and is sent
 * once when the connection is back, with what stands there then (U28). `send` presses the button again, with the key of
 * the first try (use-action.ts). Never for money, signatures, approvals or what a person confirms.
 *
 *   const resend = useResend(action, send);
 *   {resend.on && <WaitingNote onSend={send} onCallOff={resend.end} />}
 */
import { useEffect, useRef } from 'react';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { useWaiting, type WaitingState } from '#web/controls/button/use-waiting.ts';
import type { Action } from './use-action.ts';

export function useResend(
  { failure }: Pick<Action<AnyEndpoint>, 'failure'>, send: () => void, words = true,
): WaitingState {
  const waiting = useWaiting(send);
  const latest = useRef(waiting);
  latest.current = waiting;
  useEffect(() => {
    if (words && failure?.repeatable) latest.current.begin();
    else latest.current.end();
  }, [words, failure]);
  return waiting;
}
