/** The `ref` of a bar at the bottom of the window. Keeps toasts above it, for as long as it's shown. */
export function liftToasts(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const { style } = document.documentElement;
  // The height depends on the width of the window, and on errors in the bar.
  const observer = new ResizeObserver(() =>
    style.setProperty('--toasts-lift', `calc(${bar.offsetHeight}px + var(--mantine-spacing-xs))`),
  );
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty('--toasts-lift');
  };
}
