import { useRef, useState } from 'react';

/** A dialog of a page, and what it is about where there is more than one thing it could be about. */
export interface Dialog<Subject = void> {
  subject: Subject | undefined;
  isOpen: boolean;
  /** Whether it was ever opened: before, it need not be loaded. */
  wasOpened: boolean;
  open: (subject: Subject) => void;
  /** Closes it and gives the focus back to what it was opened from. */
  close: () => void;
}

/** Opens a dialog from buttons and menus. While it fades, it keeps what it was about. */
export function useDialog<Subject = void>(): Dialog<Subject> {
  const [subject, setSubject] = useState<Subject>();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const origin = useRef<HTMLElement | null>(null);
  return {
    subject,
    isOpen,
    wasOpened,
    open: (next) => {
      origin.current = findOrigin();
      setSubject(next);
      setIsOpen(true);
      setWasOpened(true);
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
