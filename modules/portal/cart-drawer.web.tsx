/** The cart beside any page of the portal; Escape closes it. */
import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Glyph } from '#web/layout/icons.tsx';
import { CartContents } from './cart-card.web.tsx';
import styles from './cart.module.css';

export default function CartDrawer({ onClose }: { onClose: () => void }) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <aside className={styles.drawer} aria-labelledby={id} tabIndex={-1} ref={panel} data-print="hide"
      onKeyDown={(event) => { if (event.key === 'Escape') { event.stopPropagation(); onClose(); } }}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>Your cart</h2>
        <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
          <Glyph icon={X} size={18} />
        </button>
      </div>
      {/* Reached by Tab, so that the arrow keys scroll it. */}
      <div className={styles.body} role="group" aria-labelledby={id} tabIndex={0}><CartContents /></div>
    </aside>
  );
}
