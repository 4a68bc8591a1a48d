import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';

interface UnsavedChangesOptions {
  /** Whether there is anything to lose. */
  isDirty: boolean;
  /** Closes the form, and with it what is not saved. */
  onClose: () => void;
}

/** What has to be known to ask before changes are lost that are not saved yet. */
export interface UnsavedChanges {
  isAsking: boolean;
  /** Whether the last question was answered by leaving. */
  isDiscarded: boolean;
  /** Closes the form, or asks first. */
  tryToClose: () => void;
  stay: () => void;
  discard: () => void;
}

/** Keeps a form from being closed, and its page from being left, before the person has said that this is meant. */
export function useUnsavedChanges({ isDirty, onClose }: UnsavedChangesOptions): UnsavedChanges {
  const [answer, setAnswer] = useState<'none' | 'awaited' | 'stay' | 'discard'>('none');
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return {
    isDiscarded: answer === 'discard',
    isAsking: answer === 'awaited' || blocker.status === 'blocked',
    tryToClose: () => {
      // Later, or the same press of Escape would answer the question, too.
      if (isDirty) setTimeout(() => setAnswer('awaited'));
      else onClose();
    },
    stay: () => {
      setAnswer('stay');
      blocker.reset?.();
    },
    discard: () => {
      setAnswer('discard');
      onClose();
      blocker.proceed?.();
    },
  };
}
