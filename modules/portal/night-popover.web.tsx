/** A night that is not free: why, until when, and two ways on (LOOK.md 9). */
import { CalendarSearch, Lock } from 'lucide-react';
import { useRef } from 'react';
import { addDays } from '#kernel/calendar/calendar.ts';
import { Button } from '#web/controls/button/button.tsx';
import { PopoverWindow } from '#web/controls/select/popover-window.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useRunCheck, type Place } from './use-live.web.ts';
import calendar from './calendar.module.css';

export interface NightPopoverProps {
  customerId: number;
  base: string;
  showId: number;
  place: Place;
  day: string;
  stretch: { from: string; to: string; reason_public: string };
  anchor: HTMLElement;
  onClose: () => void;
  /** Shows that day in the calendar. */
  onShow: (day: string) => void;
}

export function NightPopover({ customerId, base, showId, place, day, stretch, anchor, onClose, onShow,
}: NightPopoverProps) {
  const at = useRef<HTMLElement | null>(anchor);
  at.current = anchor;
  const check = useRunCheck(customerId, showId, day, day, place);
  const free = check.isPlaceholderData ? undefined : check.data?.data.alternatives[0]?.from;
  const next = free ?? addDays(stretch.to, 1);
  const title = `Not available, ${daySpan(stretch.from, stretch.to)}`;
  return (
    <PopoverWindow anchor={at} id="night-not-free" open onOpen={(open) => { if (!open) onClose(); }} label={title}
      position="bottom-start" width={330} className={calendar.why}>
      <h4><Glyph icon={Lock} size={16} />{title}</h4>
      <p>{stretch.reason_public}</p>
      <div>
        <Button size="large" icon={<Glyph icon={CalendarSearch} />} pending={check.isPending || check.isPlaceholderData}
          onClick={() => onShow(next)}>
          {free === undefined ? 'See the days after' : `See ${daySpan(free, free)}`}</Button>
        <AppLink className="gr-link" href={`${base}/shows?night=${day}`}>Other titles for these dates</AppLink>
      </div>
    </PopoverWindow>
  );
}
