import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';

interface UnsavedChangesOptions {
  isDirty: boolean;
  /** Closes the form and discards its changes. */
  onClose: () => void;
}

/** State of the confirmation before unsaved changes are discarded. */
export interface UnsavedChanges {
  isAsking: boolean;
  /** Whether the user chose to discard the changes. */
  isDiscarded: boolean;
  /** Closes the form, after a confirmation if it has unsaved changes. */
  tryToClose: () => void;
  stay: () => void;
  discard: () => void;
}

/** Asks for confirmation before a form with unsaved changes is closed or its page is left. */
export function useUnsavedChanges({ isDirty, onClose }: UnsavedChangesOptions): UnsavedChanges {
  const [choice, setChoice] = useState<'none' | 'pending' | 'stay' | 'discard'>('none');
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return {
    isDiscarded: choice === 'discard',
    isAsking: choice === 'pending' || blocker.status === 'blocked',
    tryToClose: () => {
      // Deferred, or the same Escape key press would also close the confirmation.
      if (isDirty) setTimeout(() => setChoice('pending'));
      else onClose();
    },
    stay: () => {
      setChoice('stay');
      blocker.reset?.();
    },
    discard: () => {
      setChoice('discard');
      onClose();
      blocker.proceed?.();
    },
  };
}
