/** A row beside its list as a list with more to say than its columns tells it, and while it is under way. */
import { Badge, PhaseBadge } from '#web/data/badge.tsx';
import { PeekChecks, PeekEvents } from '#web/data/peek-record.tsx';
import { PeekDays, PeekLines, PeekNote, PeekSection, PeekView, PeekWait } from '#web/data/peek-view.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import styles from './gallery.module.css';

export function Peek() {
  return (
    <div className={styles.page} style={{ width: 'min(360px, 100%)', background: 'var(--gr-sunken)' }}>
      <PeekView code="Q-US-2026-001207" title="The Importance of Being Earnest" under="Larimer Street Stage, Denver"
        badges={<><PhaseBadge phase="sent" /><Badge tone="outline">Version 1</Badge></>}
        foot={<ButtonLink href="/gallery">Price</ButtonLink>}>
        <PeekSection title="Price">
          <PeekLines label="Price of the quote"
            lines={[{ key: 1, label: 'Royalty', note: '450.00 × 4', minor: 180_000 },
              { key: 2, label: 'Shipping', minor: 2_400 }]}
            totals={[{ key: 'total', label: 'Total USD', minor: 182_400 }]} />
        </PeekSection>
        <PeekSection title="Performances">
          <PeekDays days={['2027-03-12', '2027-03-13'].map((day) => ({ key: day, day }))} />
          <PeekNote>7:30 PM, The Foundry</PeekNote>
        </PeekSection>
        <PeekSection title="Before it can be accepted">
          <PeekChecks items={[{ key: 1, label: 'Rights clear', status: 'done' },
            { key: 2, label: 'Signature of Dana Whitlock', status: 'open', note: 'Customer, 5 days' }]} />
        </PeekSection>
        <PeekEvents events={[{ id: 1, who: 'Eleanor Marsh', what: 'sent the offer', when: '2026-11-10T15:00:00Z' }]} />
        <PeekWait title="Documents" lines={2} />
      </PeekView>
    </div>
  );
}
