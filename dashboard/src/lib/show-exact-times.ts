import { rowAround } from './exact-times.js';
import { exactTime } from './format-time.js';

const gap = 6;

/**
 * Has the tooltip show exact times for hovered or tapped times, and for the times of the row that has the focus of the
 * keyboard.
 *
 * @returns a function that ends it
 */
export function showExactTimes(tooltip: HTMLElement): () => void {
  const controller = new AbortController();
  const options = { signal: controller.signal, capture: true, passive: true };
  let anchor: Element | undefined;
  let described: Element | undefined;

  const hide = () => {
    described?.removeAttribute('aria-describedby');
    anchor = described = undefined;
    tooltip.hidePopover();
  };
  const place = () => {
    if (anchor === undefined) return;
    if (!anchor.isConnected) return hide();
    const { left, width, top, bottom } = anchor.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = tooltip;
    const start = Math.min(
      left + width / 2 - offsetWidth / 2,
      document.documentElement.clientWidth - offsetWidth - gap,
    );
    tooltip.style.left = `${Math.max(gap, start)}px`;
    tooltip.style.top = `${top < offsetHeight + gap ? bottom + gap : top - offsetHeight - gap}px`;
  };
  const show = (text: string, next: Element) => {
    hide();
    anchor = next;
    tooltip.textContent = text;
    tooltip.showPopover();
    place();
  };

  const showPointed = ({ target }: Event) => {
    const time = target instanceof Element ? target.closest('time') : null;
    if (time === null) {
      // What the keyboard shows remains until the focus moves.
      if (described === undefined) hide();
    } else show(exactTime(time.dateTime), time);
  };
  const showFocused = (target: EventTarget | null) => {
    hide();
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return;
    const times = timesOf(target);
    const [first] = times;
    if (first === undefined) return;
    show(times.map(describeTime).join('\n'), first);
    if (target.hasAttribute('aria-describedby')) return;
    described = target;
    target.setAttribute('aria-describedby', tooltip.id);
  };

  document.addEventListener('pointerover', showPointed, options);
  document.addEventListener('pointerdown', showPointed, options);
  document.addEventListener('focusin', ({ target }) => showFocused(target), options);
  document.addEventListener('focusout', hide, options);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), options);
  window.addEventListener('scroll', place, options);
  window.addEventListener('resize', place, options);
  // Something may have got the focus while this was loading.
  showFocused(document.activeElement);
  return () => {
    hide();
    controller.abort();
  };
}

/** The visible times of what has the focus: the time itself, or those of its row. */
function timesOf(focused: Element): HTMLTimeElement[] {
  if (focused instanceof HTMLTimeElement) return [focused];
  const row = rowAround(focused);
  // A list may be around the rows of a group.
  const times = Array.from(row?.querySelectorAll('time') ?? []).filter((time) => rowAround(time) === row);
  return times.filter((time) => time.checkVisibility());
}

/** An exact time with what it is: the text around it, or the header of its column. */
function describeTime(time: HTMLTimeElement): string {
  const exact = exactTime(time.dateTime);
  const around = time.parentElement?.textContent ?? '';
  if (around !== time.textContent) return around.replace(time.textContent, () => exact);
  const cell = time.closest('td');
  const header = cell?.closest('table')?.tHead?.rows[0]?.cells[cell.cellIndex]?.textContent ?? '';
  return header === '' ? exact : `${header}: ${exact}`;
}
