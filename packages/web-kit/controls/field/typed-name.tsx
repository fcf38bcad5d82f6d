/**
 * The name that has to be typed before what cannot be taken back: purge, void, the close of a period (U12).
 * `field` stands above the button, `held` is why the button waits; both are nothing where no name is asked for.
 */
import { useEffect, useState, type ReactNode } from 'react';
import { TextField } from './text-field.tsx';

/** Typed anew each time `open` changes: a name that was typed for one question does not answer the next. */
export function useTypedName(name: string | undefined, open: boolean): { field: ReactNode; held: string | undefined } {
  const [entry, setEntry] = useState('');
  useEffect(() => setEntry(''), [open]);
  if (name === undefined) return { field: null, held: undefined };
  return { field: <TextField label={`Type ${name} to confirm`} value={entry} onChange={setEntry} />,
    held: entry === name ? undefined : `Type ${name} first` };
}
