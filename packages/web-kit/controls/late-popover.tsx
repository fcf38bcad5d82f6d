/**
 * A button and what it opens beside it: the first paint needs the button only, the rest comes when the pointer or the
 * focus is on it. A press that was faster waits for it, and is taken back by leaving.
 */
import { useId, useRef, type ReactNode } from 'react';
import { late, useLateOpen } from './late.ts';
import type { PopoverWindowProps } from './popover-window.tsx';

const windowPart = late(() => import('./popover-window.tsx'));

export interface LatePopoverProps extends Omit<PopoverWindowProps, 'anchor' | 'id'> {
  /** What stands in the button, and its look. */
  opener: ReactNode;
  openerClass: string | undefined;
}

export function LatePopover({ opener, openerClass, ...rest }: LatePopoverProps) {
  const { open, onOpen } = rest;
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const part = useLateOpen(windowPart, open, () => onOpen(false));
  const isWaiting = open && part === null;
  const isShown = open && part !== null;
  return (
    <>
      <button ref={button} id={id} type="button" className={openerClass} aria-haspopup="dialog" aria-expanded={isShown}
        aria-controls={isShown ? `${id}-dropdown` : undefined} aria-busy={isWaiting || undefined}
        onPointerEnter={windowPart.near} onFocus={windowPart.near} onBlur={() => { if (isWaiting) onOpen(false); }}
        onClick={() => { button.current?.focus(); onOpen(!open); }}>
        {opener}
      </button>
      {part && <part.PopoverWindow {...rest} anchor={button} id={id} />}
    </>
  );
}
