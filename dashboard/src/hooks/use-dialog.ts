import { useEffect, useRef, useState } from 'react';
import { type FocusPlace, focusPlace, isFocusLost, noteFocusPlace } from '../lib/focus-place.js';

/** A dialog of a page, and what it is about where there is more than one thing it could be about. */
export interface Dialog<Subject = void> {
  subject: Subject | undefined;
  isOpen: boolean;
  /** Whether it was ever opened: before, it need not be loaded. */
  wasOpened: boolean;
  open: (subject: Subject) => void;
  /** Closes it and gives the focus back to what it was opened from, or to what has taken its place. */
  close: () => void;
}

/** Opens a dialog from buttons and menus. While it fades, it keeps what it was about. */
export function useDialog<Subject = void>(): Dialog<Subject> {
  const [subject, setSubject] = useState<Subject>();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const origin = useRef<FocusPlace>(undefined);
  // What the dialog was opened from may be gone by now, as the row of what was deleted, and all of this with it.
  useEffect(() => {
    const keepFocus = () => {
      if (origin.current === undefined || !isFocusLost(origin.current)) return;
      focusPlace(origin.current);
      origin.current = undefined;
    };
    keepFocus();
    return keepFocus;
  });
  return {
    subject,
    isOpen,
    wasOpened,
    open: (next) => {
      origin.current = noteFocusPlace();
      setSubject(next);
      setIsOpen(true);
      setWasOpened(true);
    },
    close: () => {
      setIsOpen(false);
      if (origin.current !== undefined) focusPlace(origin.current);
    },
  };
}
