/**
 * The button at the end of a date field and the calendar it opens: weeks start on Sunday, English (US) (S105, C79,
 * C80). The focus moves into the calendar and back; arrow keys walk the days, Escape closes.
 */
import { Popover } from '@mantine/core';
import { CalendarDays } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { focusBack } from '../focus-back.ts';
import { late, useLate } from '../late/late.ts';
import styles from '../field/calendar.module.css';

/** 0 is Sunday (C79). */
export const WEEK_STARTS_ON = 0 as const;

/** Common settings of every calendar of the house. */
export const calendarProps = {
  firstDayOfWeek: WEEK_STARTS_ON,
  locale: 'en',
  size: 'sm' as const,
  weekdayFormat: 'dd',
  classNames: {
    day: styles.day ?? '', weekday: styles.weekday ?? '', calendarHeaderLevel: styles.level ?? '',
    calendarHeaderControl: styles.control ?? '', monthsListControl: styles.cell ?? '',
    yearsListControl: styles.cell ?? '',
  },
  // The button above the days is named by what it shows, the month and year (WCAG 2.5.3).
  ariaLabels: { previousMonth: 'Previous month', nextMonth: 'Next month', previousYear: 'Previous year',
    nextYear: 'Next year', previousDecade: 'Previous decade', nextDecade: 'Next decade' },
};

type Calendar = typeof import('../field/calendar.ts');

const calendarPart = late(() => import('../field/calendar.ts'));

type CalendarButtonProps = {
  label: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  disabled?: boolean | undefined;
  children: (calendar: Calendar) => ReactNode;
};

export function CalendarButton({ label, open, onOpen, disabled, children }: CalendarButtonProps) {
  // A popover that opened before its calendar is there would hold the focus over nothing.
  const calendar = useLate(calendarPart, open);
  const opener = useRef<HTMLButtonElement>(null);
  const dropdown = useRef<HTMLDivElement>(null);
  return (
    <Popover opened={open && calendar !== null} onChange={onOpen} trapFocus returnFocus withRoles position="bottom-end"
      offset={12} shadow="none" classNames={{ dropdown: styles.dropdown ?? '' }}
      onExitTransitionEnd={() => focusBack(opener.current, dropdown.current)}>
      <Popover.Target>
        <button ref={opener} type="button" className={styles.button} disabled={disabled}
          aria-label={`Calendar: ${label}`} title="Open calendar" onPointerEnter={calendarPart.near}
          onFocus={calendarPart.near} onClick={() => onOpen(!open)} onKeyDown={(event) => {
            // Until the calendar has the focus, Escape comes here, and is not for the dialog around.
            if (!open || event.key !== 'Escape') return;
            event.stopPropagation();
            onOpen(false);
          }}>
          <CalendarDays size={15} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown ref={dropdown} aria-label={`Calendar: ${label}`}>
        {calendar === 'missing' ? (
          <p role="alert" tabIndex={-1} data-autofocus className={styles.missing}>
            <strong>The calendar did not load</strong>
            Type the day, or open this again.
          </p>
        ) : calendar && children(calendar)}
      </Popover.Dropdown>
    </Popover>
  );
}
