import { useLayoutEffect, useRef } from 'react';
import { focusContent, type FocusOrigin, getFocusOrigin, restoreFocus } from '../lib/restore-focus.js';

/**
 * Returns the focus to the button that started a request: buttons are disabled while they're loading, and browsers take
 * the focus from disabled elements. If the button stays disabled, the heading of its section gets the focus.
 *
 * @returns a function to call when the request starts, while the button has the focus
 */
export function usePendingFocus(isPending: boolean): () => void {
  const origin = useRef<FocusOrigin>(undefined);
  useLayoutEffect(() => {
    if (isPending || origin.current === undefined) return;
    const { element } = origin.current;
    const isLost = document.activeElement === document.body || document.activeElement === element;
    if (isLost) restoreFocus(origin.current);
    if (isLost && element.matches(':disabled')) focusContent(element.closest('section')?.querySelector('h2') ?? null);
    origin.current = undefined;
  }, [isPending]);
  return () => {
    origin.current = getFocusOrigin();
  };
}
