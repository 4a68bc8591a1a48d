import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type CalendarDay, dayAfterKey } from '../lib/calendar-day.js';

/** On a button of the calendar, they would scroll the page behind it. */
const scrollingKeys = ['PageUp', 'PageDown', 'Home', 'End'];

/**
 * Props of Mantine's calendar for keys that lead to another month, which it lacks (ARIA Authoring Practices, Date Picker
 * Dialog), and that keep the focus in the calendar when the focused button disappears or is disabled.
 *
 * @param start a day of the month that the calendar opens with
 * @param last the last day that can be selected
 */
export function useCalendarKeys(start: CalendarDay, last: CalendarDay) {
  const [date = start, setDate] = useState<CalendarDay>();
  // Also renders after a change of the level, such as from days to months.
  const [, setLevel] = useState<string>();
  const nextDay = useRef<CalendarDay>(undefined);
  useEffect(() => {
    const calendar = document.querySelector('[data-calendar]');
    if (calendar === null) return;
    if (nextDay.current !== undefined) {
      calendar.querySelector<HTMLElement>(`[data-day="${nextDay.current}"]`)?.focus();
      nextDay.current = undefined;
    }
    const focused = document.activeElement;
    const isLost = focused === document.body || focused?.matches(':disabled') === true;
    const heading = calendar.querySelector<HTMLElement>('.mantine-DatePickerInput-calendarHeaderLevel:enabled');
    if (isLost) (heading ?? calendar.querySelector<HTMLElement>('button:enabled'))?.focus();
  });
  const limitedDayAfterKey = (key: string, day: CalendarDay) => {
    const moved = dayAfterKey(key, day);
    return moved !== undefined && moved > last ? last : moved;
  };
  useEffect(() => {
    const turnPage = (event: globalThis.KeyboardEvent) => {
      const isInCalendar = event.target instanceof Element && event.target.closest('[data-dates-dropdown]') !== null;
      if (event.defaultPrevented || !isInCalendar || !scrollingKeys.includes(event.key)) return;
      event.preventDefault();
      if (event.key.startsWith('Page')) setDate(limitedDayAfterKey(event.key, date));
    };
    document.addEventListener('keydown', turnPage);
    return () => document.removeEventListener('keydown', turnPage);
  });
  const onKeyDown = (event: KeyboardEvent, day: CalendarDay) => {
    const target = limitedDayAfterKey(event.key, day);
    if (target === undefined) return;
    // Mantine moves between days of the same month by arrow keys.
    if (!scrollingKeys.includes(event.key) && target.slice(0, 7) === day.slice(0, 7)) return;
    event.preventDefault();
    nextDay.current = target;
    setDate(target);
  };
  return {
    date,
    onDateChange: setDate,
    onLevelChange: setLevel,
    getDayProps: (day: CalendarDay) => ({
      'data-day': day,
      // Instead of the first button.
      'data-autofocus': day === start || undefined,
      onKeyDown: (event: KeyboardEvent) => onKeyDown(event, day),
    }),
    /** Shows the first month again when the calendar is opened the next time. */
    reset: () => setDate(undefined),
  };
}
