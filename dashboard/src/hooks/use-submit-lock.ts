import { useRef } from 'react';

interface SubmitLock {
  /** Runs the action, unless locked, and locks. */
  run: (action: () => void) => void;
  release: () => void;
}

/** Prevents double submissions. A second click can arrive before React rerenders the disabled button. */
export function useSubmitLock(): SubmitLock {
  const isLocked = useRef(false);
  return {
    run: (action) => {
      if (isLocked.current) return;
      isLocked.current = true;
      action();
    },
    release: () => {
      isLocked.current = false;
    },
  };
}
