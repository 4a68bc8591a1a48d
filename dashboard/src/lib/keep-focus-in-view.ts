const userEvents = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'focusin'];

/**
 * Keeps the focused element in view until the user does anything, while the page scrolls to its top and a table grows.
 * Not after a click: users with a pointer want to see the start of the table.
 */
export function keepFocusInView(): void {
  const focused = document.activeElement;
  if (!focused?.matches(':focus-visible')) return;
  const show = () => focused.scrollIntoView({ block: 'nearest' });
  const observer = new ResizeObserver(show);
  const stop = () => {
    observer.disconnect();
    window.removeEventListener('scroll', show);
    for (const event of userEvents) window.removeEventListener(event, stop);
  };
  observer.observe(document.body);
  window.addEventListener('scroll', show);
  for (const event of userEvents) window.addEventListener(event, stop, { passive: true });
}
