/** A venue of a tour in one line: where, when, how many. */
import { Pencil, X } from 'lucide-react';
import { IconButton } from '#web/controls/button/button.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import type { StepProps } from './apply-step.web.ts';
import { stopName } from './apply-stops.web.ts';
import { seatsOf, type Stop } from './apply-values.web.ts';
import { counted } from './portal-words.web.ts';
import apply from './apply.module.css';

export function StopLine({ stop, at, venues, onOpen, onRemove, more }: {
  stop: Stop; at: number; venues: StepProps['venues']; onOpen: () => void;
  onRemove?: (() => void) | undefined; more?: readonly string[] | undefined;
}) {
  const name = stopName(stop, venues) || `Venue ${at + 1}`;
  const days = stop.nights.map((night) => night.day).toSorted();
  const seats = seatsOf(stop.bands);
  const facts = [days.length > 0 ? daySpan(days[0]!, days.at(-1)!) : 'no dates yet',
    days.length > 0 ? counted(days.length, 'performance') : '',
    seats > 0 && !more ? `${seats.toLocaleString('en-US')} seats` : ''].filter(Boolean);
  return (
    <div className={apply.stopLine}>
      <span><strong>{name}</strong><span>{facts.join(', ')}</span>
        {more?.map((text) => <span key={text}>{text}</span>)}</span>
      <IconButton label={`Change ${name}`} icon={<Glyph icon={Pencil} size={16} />} onClick={onOpen} />
      {onRemove && <IconButton label={`Remove ${name}`} icon={<Glyph icon={X} size={16} />} onClick={onRemove} />}
    </div>
  );
}
