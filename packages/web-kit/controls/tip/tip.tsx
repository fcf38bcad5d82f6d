/**
 * Tooltip: opens 700 ms after the pointer rests, at once when another tooltip closed less than 300 ms ago, at most
 * 192 px wide. The two times are the defaults of Radix and stand here by name because the product owns them.
 * Source: SPEC.md 9, states S99, S100, constants C52-C54. A tooltip never carries what is needed to use the control.
 */
import * as Tooltip from '@radix-ui/react-tooltip';
import { createContext, use, type ReactElement, type ReactNode } from 'react';
import styles from './tip.module.css';

/** ms the pointer rests before a tooltip opens (C52). */
export const TOOLTIP_OPEN_DELAY = 700;
/** ms after a tooltip closed in which the next opens at once (C53). */
export const TOOLTIP_SKIP_DELAY = 300;

const InsideProvider = createContext(false);

/** One per application, around the shell: tooltips share the skip delay only below one provider. */
export function TipProvider({ children }: { children: ReactNode }) {
  return (
    <InsideProvider value={true}>
      <Tooltip.Provider delayDuration={TOOLTIP_OPEN_DELAY} skipDelayDuration={TOOLTIP_SKIP_DELAY}>
        {children}
      </Tooltip.Provider>
    </InsideProvider>
  );
}

/** Lets a tooltip stand on a page without the application's provider (error pages, a single control in a test). */
export function EnsureTipProvider({ children }: { children: ReactNode }) {
  return use(InsideProvider) ? children : <TipProvider>{children}</TipProvider>;
}

export type TipProps = {
  text: ReactNode;
  /** Key of the same action, shown beside the text: 'E', 'mod+K'. */
  shortcut?: string | undefined;
  side?: 'top' | 'right' | 'bottom' | 'left' | undefined;
  /** The target: one element that takes a ref and pointer events. */
  children: ReactElement;
};

/** `<Tip text="Remove" shortcut="X"><IconButton .../></Tip>` */
export function Tip({ text, shortcut, side = 'top', children }: TipProps) {
  return (
    <EnsureTipProvider>
      <Tooltip.Root>
        <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content side={side} sideOffset={6} collisionPadding={8} className={styles.content}>
            {text}
            {shortcut && <kbd className={styles.shortcut}>{shortcut}</kbd>}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </EnsureTipProvider>
  );
}
