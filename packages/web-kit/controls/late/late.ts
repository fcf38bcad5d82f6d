/** Lazy loading on hover, focus or press: a first visit goes without the code, and a press finds it loaded. */
import { useEffect, useId, useRef, useState } from 'react';
import { toast } from '#web/data/toast.tsx';
import { isServerUp } from '../failure/connection.ts';

export interface Late<Part extends object> {
  /** Somebody is near: the pointer or the focus is on what opens it. */
  near: () => void;
  load: () => Promise<Part | null>;
  loaded: () => Part | null;
}

/**
 * Chromium 150 remembers an import that failed and never asks again, so none is tried without a connection. A machine
 * without a network may still run its own server: that is asked.
 */
const mayImport = async (): Promise<boolean> => window.navigator.onLine || isServerUp();

export function late<Part extends object>(fetchPart: () => Promise<Part>): Late<Part> {
  let part: Part | null = null;
  const load = async (): Promise<Part | null> => {
    part ??= await mayImport() ? await fetchPart().catch(() => null) : null;
    return part;
  };
  return { load, near: () => void load(), loaded: () => part };
}

/** Null until it is there; 'missing' where it cannot be had, until it is wanted again. */
export function useLate<Part extends object>(of: Late<Part>, wanted: boolean): Part | 'missing' | null {
  const [part, setPart] = useState<Part | 'missing' | null>(of.loaded);
  useEffect(() => {
    if (!wanted) return undefined;
    let over = false;
    void of.load().then((found) => { if (!over) setPart(found ?? 'missing'); });
    return () => { over = true; setPart(of.loaded()); };
  }, [of, wanted]);
  // Another one of its kind may have fetched it since.
  return part ?? of.loaded();
}

/** As `useLate` for what a press opens: where it cannot be had that is said, and the next press asks anew. */
export function useLateOpen<Part extends object>(of: Late<Part>, open: boolean, onClose: () => void): Part | null {
  const part = useLate(of, open);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (part !== 'missing') return;
    toast('This did not load. Open it again.', { tone: 'error' });
    close.current();
  }, [part]);
  return part === 'missing' ? null : part;
}

/**
 * A button and what it opens: `props` are the button's, `opener` and `id` are for the part, whose own id ends in
 * '-dropdown'. A press that was faster than the part waits for it, and is taken back by leaving.
 */
export function useLateOpener<Part extends object>(of: Late<Part>, popup: 'dialog' | 'menu', open: boolean,
  onOpen: (open: boolean) => void) {
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const part = useLateOpen(of, open, () => onOpen(false));
  const isWaiting = open && part === null;
  const isShown = open && part !== null;
  const props = {
    ref: opener, id, 'aria-haspopup': popup, 'aria-expanded': isShown,
    'aria-controls': isShown ? `${id}-dropdown` : undefined, 'aria-busy': isWaiting || undefined,
    onPointerEnter: of.near, onFocus: of.near, onBlur: () => { if (isWaiting) onOpen(false); },
    onClick: () => { opener.current?.focus(); onOpen(!open); },
  };
  return { part, opener, id, props };
}
