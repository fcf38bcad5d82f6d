/**
 * The help mark of a field: a tooltip with its text and, where there is more to read, a Read More button (S98, M15).
 *
 * Pointers get it as a tooltip (700 ms, Tip's rules). A click, Enter or a touch pins it open and moves the focus to
 * Read More, so the button can be reached without a mouse; Escape or leaving it gives the focus back. Where neither a
 * callback nor an address is given, the button is absent (gap G45).
 */
import * as Tooltip from '@radix-ui/react-tooltip';
import { CircleHelp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { EnsureTipProvider } from '../tip/tip.tsx';
import styles from '../tip/tip.module.css';

export type FieldHelpContent = {
  text: string;
  /** Opens the help panel or an article. */
  onReadMore?: (() => void) | undefined;
  /** Address of the article; used where no callback is given. */
  readMoreHref?: string | undefined;
};

export function FieldHelp({ label, content }: { label: string; content: FieldHelpContent }) {
  const [hovered, setHovered] = useState(false);
  const [pinned, setPinned] = useState(false);
  const mark = useRef<HTMLButtonElement>(null);
  const more = useRef<HTMLElement | null>(null);
  const hasMore = Boolean(content.onReadMore ?? content.readMoreHref);

  useEffect(() => {
    if (pinned) more.current?.focus();
  }, [pinned]);

  function close(returnFocus: boolean) {
    setPinned(false);
    setHovered(false);
    if (returnFocus) mark.current?.focus();
  }
  function readMore() {
    content.onReadMore?.();
    close(false);
  }

  return (
    <EnsureTipProvider>
      <Tooltip.Root open={hovered || pinned} onOpenChange={setHovered}>
        <Tooltip.Trigger asChild>
          <button ref={mark} type="button" className={styles.helpButton} aria-label={`Help: ${label}`}
            aria-expanded={pinned}
            onPointerDown={(event) => event.preventDefault()}
            onClick={(event) => { event.preventDefault(); setPinned((was) => !was); }}>
            <CircleHelp size={14} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content sideOffset={6} collisionPadding={8} className={styles.content} aria-label={content.text}
            onEscapeKeyDown={() => close(pinned)}
            onPointerDownOutside={() => close(false)}>
            {content.text}
            {hasMore && (content.onReadMore
              ? <button ref={(node) => { more.current = node; }} type="button" className={styles.readMore}
                  onClick={readMore} onBlur={() => setPinned(false)}>Read More</button>
              : <a ref={(node) => { more.current = node; }} className={styles.readMore} href={content.readMoreHref}
                  onBlur={() => setPinned(false)}>Read More</a>)}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </EnsureTipProvider>
  );
}
