import { useRef, useState } from 'react';

export interface Dialog<Subject> {
  /** What the dialog is about; `undefined` until it is opened for the first time, so that it can be loaded then. */
  subject: Subject | undefined;
  isOpen: boolean;
  open: (subject: Subject) => void;
  /** Closes it and gives the focus back to what it was opened from. */
  close: () => void;
}

/** A dialog of the page, opened from buttons and menus. */
export function useDialog<Subject>(): Dialog<Subject> {
  const [subject, setSubject] = useState<Subject>();
  const [isOpen, setIsOpen] = useState(false);
  const origin = useRef<HTMLElement | null>(null);
  return {
    subject,
    isOpen,
    open: (next) => {
      origin.current = findOrigin();
      setSubject(next);
      setIsOpen(true);
    },
    close: () => {
      setIsOpen(false);
      origin.current?.focus();
    },
  };
}

/** What has the focus; of an item of a menu, which is about to close, the button of the menu. */
function findOrigin(): HTMLElement | null {
  const focused = document.activeElement;
  const menuButton = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const origin = typeof menuButton === 'string' ? document.getElementById(menuButton) : focused;
  return origin instanceof HTMLElement ? origin : null;
}
