/** The open part of a LatePopover, with all that places it beside its button. */
import { Popover } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Anchor } from '../button/anchor.tsx';
import { focusBack } from '../focus-back.ts';

export interface PopoverWindowProps {
  anchor: RefObject<HTMLElement | null>;
  /** Of the button; the open part has the same with '-dropdown'. */
  id: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  label: string;
  position: 'bottom-start' | 'bottom-end';
  /** px */
  width: number;
  className: string | undefined;
  children: ReactNode;
}

export function PopoverWindow(props: PopoverWindowProps) {
  const { open } = props;
  // Opened where it stands: only then does it know from where the focus came.
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => setIsOpen(open), [open]);
  const dropdown = useRef<HTMLDivElement>(null);
  return (
    <Popover opened={isOpen} onChange={props.onOpen} id={props.id} position={props.position} width={props.width}
      trapFocus returnFocus classNames={{ dropdown: props.className ?? '' }}
      onExitTransitionEnd={() => focusBack(props.anchor.current, dropdown.current)}>
      <Popover.Target><Anchor of={props.anchor} /></Popover.Target>
      <Popover.Dropdown ref={dropdown} aria-label={props.label}>{props.children}</Popover.Dropdown>
    </Popover>
  );
}
