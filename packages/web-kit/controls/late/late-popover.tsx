/**
 * A button and what it opens beside it: the first paint needs the button only, the rest comes when the pointer or the
 * focus is on it.
 */
import type { ReactNode } from 'react';
import { late, useLateOpener } from './late.ts';
import type { PopoverWindowProps } from '../select/popover-window.tsx';

const windowPart = late(() => import('../select/popover-window.tsx'));

export interface LatePopoverProps extends Omit<PopoverWindowProps, 'anchor' | 'id'> {
  /** Content of the button, and its style. */
  opener: ReactNode;
  openerClass: string | undefined;
}

export function LatePopover({ opener, openerClass, ...rest }: LatePopoverProps) {
  const { part, id, opener: button, props } = useLateOpener(windowPart, 'dialog', rest.open, rest.onOpen);
  return (
    <>
      <button {...props} type="button" className={openerClass}>{opener}</button>
      {part && <part.PopoverWindow {...rest} anchor={button} id={id} />}
    </>
  );
}
