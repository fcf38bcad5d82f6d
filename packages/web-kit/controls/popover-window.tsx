/** The open part of a LatePopover, with all that places it beside its button. */
import { Popover } from '@mantine/core';
import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import { Anchor } from './anchor.tsx';

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
  return (
    <Popover opened={isOpen} onChange={props.onOpen} id={props.id} position={props.position} width={props.width}
      trapFocus returnFocus classNames={{ dropdown: props.className ?? '' }}>
      <Popover.Target><Anchor of={props.anchor} /></Popover.Target>
      <Popover.Dropdown aria-label={props.label}>{props.children}</Popover.Dropdown>
    </Popover>
  );
}
