import { useEffect, useRef, useState } from 'react';

/**
 * Returns whether a scrolling element, which gets the `ref`, has more content to the right and below. `update` is to be
 * called when it scrolls.
 */
export function useScrollOverflow() {
  const ref = useRef<HTMLDivElement>(null);
  const [hasMoreRight, setHasMoreRight] = useState(false);
  const [hasMoreBelow, setHasMoreBelow] = useState(false);
  const update = () => {
    if (ref.current === null) return;
    const { scrollLeft, clientWidth, scrollWidth, scrollTop, clientHeight, scrollHeight } = ref.current;
    setHasMoreRight(Math.ceil(scrollLeft) + clientWidth < scrollWidth);
    setHasMoreBelow(Math.ceil(scrollTop) + clientHeight < scrollHeight);
  };
  useEffect(() => {
    if (ref.current === null) return undefined;
    const observer = new ResizeObserver(update);
    for (const element of [ref.current, ...ref.current.children]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, hasMoreRight, hasMoreBelow, update };
}
