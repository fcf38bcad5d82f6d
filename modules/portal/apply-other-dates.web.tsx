/** Other dates of an application: where the first choice is taken, the run moves as a whole. */
import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import type { StepProps } from './apply-step.web.ts';
import apply from './apply.module.css';
import styles from './portal.module.css';

/** Days to which the whole run may move instead. */
export function OtherDates({ values, set }: StepProps) {
  const { alternatives } = values;
  return (
    <div className={styles.tight}>
      {alternatives.map((day, at) => (
        <div key={at} className={apply.otherDate}>
          <DateField label={`Other dates ${at + 1}: first performance`} value={day}
            caption={at === 0 ? 'If the dates above are not available, the whole run moves to this day.' : undefined}
            onChange={(next) => set({ alternatives: alternatives.map((one, k) => (k === at ? next : one)) })} />
          <IconButton size="large" label={`Remove other dates ${at + 1}`} icon={<Glyph icon={X} size={16} />}
            onClick={() => set({ alternatives: alternatives.filter((_, k) => k !== at) })} />
        </div>
      ))}
      {alternatives.length < 3 && (
        <div><Button variant="quiet" icon={<Glyph icon={Plus} />}
          onClick={() => set({ alternatives: [...alternatives, null] })}>Add other dates</Button></div>
      )}
    </div>
  );
}
