/** Keeps an application saved while it is written: the first change makes the draft, later ones go to it. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, call } from '#kit/client.ts';
import { applicationEndpoints, type CustomerApplication,
} from '#modules/licensing/applications/application.contract.ts';
import { bodyOf, type ApplyValues } from './apply-values.web.ts';

/** ms without a keystroke before the draft is saved. */
const PAUSE = 1200;

export interface Draft {
  saved: CustomerApplication | undefined;
  state: 'new' | 'saving' | 'saved' | 'failed';
  failure: string;
  /** Saves at once; null where the server refused. */
  save: () => Promise<CustomerApplication | null>;
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
  const running = useRef<Promise<CustomerApplication | null>>(Promise.resolve(found ?? null));
  latest.current = values;

  const write = useCallback(async (): Promise<CustomerApplication | null> => {
    const text = JSON.stringify(latest.current);
    if (row.current && text === stored.current) return row.current;
    setState('saving');
    try {
      const body = bodyOf(latest.current, row.current);
      const answer = row.current
        ? await call(applicationEndpoints.customerUpdate, {
            params: { id: customerId, applicationId: row.current.id },
              body: { ...body, version: row.current.version } })
        : await call(applicationEndpoints.customerCreate, {
            params: { id: customerId }, body: { ...body, show_ids: [showId] } });
      row.current = answer.data;
      stored.current = text;
      setSaved(answer.data);
      setState('saved');
      setFailure('');
      await client.invalidateQueries({ predicate: (query) =>
        String(query.queryKey[0]).includes('license-applications') });
      return answer.data;
    } catch (error) {
      setState('failed');
      const fields = error instanceof ApiError ? Object.values(error.errors).flat() : [];
      setFailure(String(fields[0] ?? (error instanceof Error ? error.message : 'It could not be saved.')));
      return null;
    }
  }, [client, customerId, showId]);

  /** One write after the other: each needs the version of the one before. */
  const save = useCallback(() => {
    running.current = running.current.then(write, write);
    return running.current;
  }, [write]);

  const text = JSON.stringify(values);
  useEffect(() => {
    if (text === stored.current) return undefined;
    const timer = setTimeout(() => void save(), PAUSE);
    return () => clearTimeout(timer);
  }, [text, save]);
  return { saved, state, failure, save };
}
