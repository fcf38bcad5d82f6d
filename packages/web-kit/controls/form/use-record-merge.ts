/**
 * Merges changes others make to a record while its form is open (U27). They are detected by the screen's own read of
 * the record: it is repeated when the window gains the focus, every half minute while there is unsaved input, and when
 * a save was refused as stale. A new version then merges into the form (merge-changes.ts) instead of replacing it or
 * being overwritten.
 */
import { QueryClientContext, type QueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useRef, useState } from 'react';
import { call } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { valueAt } from '../field/field-path.ts';
import { lastChangeOf, type LastChange } from './last-change.ts';
import { mergeChanges, type FieldDifference } from './merge-changes.ts';

/** The record that a form changes: `{ entity: 'venue', id: row.id, version: row.version, read: endpoints.show }`. */
export interface OpenRecord {
  /** Its kind and id in the audit trail, which says who changed it. Left out where the reader may not know. */
  entity?: string | undefined;
  id?: number | undefined;
  /** When it was written last: said without a name where the reader may not know who it was (the portal). */
  changed_at?: string | undefined;
  version: number;
  /** The read on screen that this record comes from. */
  read: AnyEndpoint;
}

export type Side = 'theirs' | 'mine';

/** Changes another person made meanwhile. */
export interface FoundChanges {
  both: (FieldDifference & { choice: Side | null })[];
  theirs: FieldDifference[];
  mine: FieldDifference[];
  /** undefined: not known yet; null: not to be known. */
  by: LastChange | null | undefined;
}

/** ms between two looks at the record while something is typed. */
export const LOOK_MS = 30_000;

/** The part of the form that a merge needs. */
interface Editable<Values> {
  values: Values;
  dirty: boolean;
  /** Values as the record has them now, and as they stand in the form. */
  take: (record: Values, shown: Values) => void;
  put: (path: string, value: unknown) => void;
}

export interface RecordMerge<Values> {
  found: FoundChanges | null;
  /** The record's values that the form builds on. */
  loaded: Values;
  /** Somebody has to choose first. */
  open: boolean;
  choose: (path: string, side: Side) => void;
  /** A field was typed in: whoever types has chosen. */
  typed: (path: string) => void;
  close: () => void;
  /** Reads the record again; true where it had moved on, and what changed is merged then. */
  reread: () => Promise<boolean>;
  /** A save of this form is on its way: nothing is merged until its answer. */
  saving: (on: boolean) => void;
  /** This form saved: `values` are the record's now, under the version of the answer. */
  saved: (answer: unknown, values: Values) => void;
  /** Merges values typed on an older state of the record (a draft): `loaded` is what they started from. */
  resume: (loaded: Values, typed: Values) => void;
}

interface Base<Values> { version: number | undefined; values: Values }

export function useRecordMerge<Values extends object>(
  record: OpenRecord | null | undefined, initial: Values, form: Editable<Values>,
): RecordMerge<Values> {
  const client = useContext(QueryClientContext);
  const [found, setFound] = useState<FoundChanges | null>(null);
  const base = useRef<Base<Values>>({ version: record?.version, values: initial });
  const own = useRef<number | 'next' | null>(null);
  const busy = useRef(false);
  const latest = useRef({ record, initial, form, found });
  latest.current = { record, initial, form, found };

  function merge(loaded: Values, typed: Values, told: boolean) {
    const now = latest.current;
    const merged = mergeChanges(loaded, now.initial, typed);
    const waiting = told ? stillOpen(now.found, now.initial, merged.both) : [];
    now.form.take(now.initial, merged.values);
    const both = [...waiting, ...merged.both.map((one) => ({ ...one, choice: null }))];
    if (!told || both.length + merged.theirs.length === 0) return;
    setFound({ both, theirs: merged.theirs, mine: merged.mine, by: undefined });
    void lastChangeOf(now.record).then((by) => setFound((shown) => shown && { ...shown, by }));
  }
  function look() {
    const now = latest.current;
    if (busy.current || now.record?.version === base.current.version) return;
    const before = base.current;
    base.current = { version: now.record?.version, values: now.initial };
    if (before.version === undefined || now.record?.version === undefined) return;
    const mine = own.current === 'next' || own.current === now.record.version;
    own.current = null;
    merge(before.values, now.form.values, !mine);
  }
  useEffect(look);
  useWatch(client, record, form.dirty);

  function choose(path: string, side: Side) {
    form.put(path, found?.both.find((each) => each.path === path)?.[side]);
    mark(path, side);
  }
  function mark(path: string, side: Side) {
    setFound((shown) => shown && { ...shown,
      both: shown.both.map((one) => one.path === path ? { ...one, choice: side } : one) });
  }
  return {
    found, choose, loaded: base.current.values,
    open: found?.both.some(({ choice }) => choice === null) ?? false,
    typed: (path) => {
      const hit = found?.both.find((one) => path === one.path || path.startsWith(`${one.path}.`));
      if (hit && hit.choice !== 'mine') mark(hit.path, 'mine');
    },
    close: () => setFound(null),
    saving: (on) => { busy.current = on; },
    reread: async () => {
      const moved = await movedOn(client, () => latest.current.record);
      busy.current = false;
      look();
      return moved;
    },
    saved: (answer, values) => {
      const version = (answer as { data?: { version?: unknown } } | null | undefined)?.data?.version;
      own.current = typeof version === 'number' ? version : 'next';
      base.current = { ...base.current, values };
      setFound(null);
    },
    resume: (loaded, typed) => {
      if (latest.current.record) merge(loaded, typed, true);
      else form.take(latest.current.initial, typed);
    },
  };
}

/** Questions nobody has answered yet, with what the record says by now. */
function stillOpen(found: FoundChanges | null, now: object, again: readonly FieldDifference[]): FoundChanges['both'] {
  return (found?.both ?? []).filter((one) => one.choice === null && !again.some(({ path }) => path === one.path))
    .map((one) => ({ ...one, theirs: valueAt(now, one.path) }));
}

const pause = () => new Promise((resolve) => { setTimeout(resolve, 25); });

/** Reads the record again, and waits for the screen to render with the answer. */
async function movedOn(client: QueryClient | undefined, now: () => OpenRecord | null | undefined): Promise<boolean> {
  const sent = now();
  if (!client || !sent) return false;
  await readAgain(client, sent.read);
  for (let round = 0; round < 40 && now()?.version === sent.version; round += 1) await pause();
  return now()?.version !== sent.version;
}

/** Asks in the background, so that a form left open does not keep its session alive. */
async function readAgain(client: QueryClient, read: AnyEndpoint): Promise<void> {
  const shown = client.getQueryCache().findAll({ queryKey: [`${read.method} ${read.path}`], type: 'active' });
  await Promise.all(shown.map(async ({ queryKey: key }) => {
    const args = { ...(key[1] ? { params: key[1] } : {}), ...(key[2] ? { query: key[2] } : {}) };
    // The endpoint is that of the form's record, its arguments those the page asked with.
    const answer = await call(read, args as never, { background: true });
    client.setQueryData(key, answer);
  }));
}

function useWatch(client: QueryClient | undefined, record: OpenRecord | null | undefined, on: boolean): void {
  const read = record?.read;
  useEffect(() => {
    if (!client || !read || !on) return undefined;
    const timer = setInterval(() => {
      // Without a connection nothing is known; the save itself will tell.
      if (document.visibilityState === 'visible') readAgain(client, read).catch(() => {});
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [client, read, on]);
}
