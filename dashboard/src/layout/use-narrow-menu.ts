import { useDisclosure } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef } from 'react';

/** The menu of pages as narrow windows have it: over the page, with the focus while it is open. */
export function useNarrowMenu() {
  const openButton = useRef<HTMLButtonElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const [isOpen, { open, close }] = useDisclosure(false, { onClose: () => openButton.current?.focus() });
  useEffect(() => {
    if (isOpen) closeButton.current?.focus();
  }, [isOpen]);
  const closeByEscape = ({ key, target, currentTarget }: KeyboardEvent) => {
    // Those who close a menu within it mean that one, which lies elsewhere on the page.
    if (key === 'Escape' && target instanceof Node && currentTarget.contains(target)) close();
  };
  return { isOpen, open, close, closeByEscape, openButton, closeButton };
}
