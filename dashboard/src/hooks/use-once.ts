import { useRef } from 'react';

interface Once {
  /** Does it, unless it was done before. */
  run: (action: () => void) => void;
  allowAgain: () => void;
}

/** Keeps something from being done twice by a double click, whose second half comes before the page is drawn anew. */
export function useOnce(): Once {
  const isDone = useRef(false);
  return {
    run: (action) => {
      if (isDone.current) return;
      isDone.current = true;
      action();
    },
    allowAgain: () => {
      isDone.current = false;
    },
  };
}
