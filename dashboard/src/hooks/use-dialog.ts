import { useEffect, useRef, useState } from 'react';
import { type FocusOrigin, getFocusOrigin, isFocusLost, restoreFocus } from '../lib/restore-focus.js';

/** State of a dialog; `Subject` is what it was opened for, such as a table row. */
export interface Dialog<Subject = void> {
  subject: Subject | undefined;
  isOpen: boolean;
  /** Whether it was opened before; until then it isn't loaded. */
  wasOpened: boolean;
  open: (subject: Subject) => void;
  /** Closes the dialog and restores the focus. */
  close: () => void;
}

/** Opens and closes a dialog. The subject stays set while the dialog fades out. */
export function useDialog<Subject = void>(): Dialog<Subject> {
  const [subject, setSubject] = useState<Subject>();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const origin = useRef<FocusOrigin>(undefined);
  // The origin may be removed later, such as the row of a deleted key, possibly together with this component.
  useEffect(() => {
    const keepFocus = () => {
      if (origin.current === undefined || !isFocusLost(origin.current)) return;
      restoreFocus(origin.current);
      // A control may disappear before its row, which then has the focus and is removed, too.
      origin.current = getFocusOrigin();
    };
    keepFocus();
    return keepFocus;
  });
  return {
    subject,
    isOpen,
    wasOpened,
    open: (next) => {
      origin.current = getFocusOrigin();
      setSubject(next);
      setIsOpen(true);
      setWasOpened(true);
    },
    close: () => {
      setIsOpen(false);
      if (origin.current !== undefined) restoreFocus(origin.current);
    },
  };
}
