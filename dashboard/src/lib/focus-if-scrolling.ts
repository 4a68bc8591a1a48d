/** The `ref` of an area that may scroll sideways. The Tab key stops at it only while it does, for the arrow keys. */
export function focusIfScrolling(area: HTMLElement | null): (() => void) | undefined {
  if (area === null) return undefined;
  const observer = new ResizeObserver(() => {
    if (area.scrollWidth > area.clientWidth) area.tabIndex = 0;
    else area.removeAttribute('tabindex');
  });
  for (const element of [area, ...area.children]) observer.observe(element);
  return () => observer.disconnect();
}
