import { Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, type Ref, type RefObject, useId, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { RowButton } from './RowButton.js';

interface RowMenuProps {
  /** Accessible name of the button. */
  label: string;
  width?: number;
  /** Items of the menu. */
  children: ReactNode;
}

/** A button for a row of a table that opens a menu. Tables have many rows, so a menu exists only once it's opened. */
export function RowMenu({ label, width, children }: RowMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [isMounted, setIsMounted] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const toggle = () => {
    // The menu gives focus back to the button only if it is mounted before it opens.
    flushSync(() => setIsMounted(true));
    setIsOpen(!isOpen);
  };
  return (
    <>
      <RowButton ref={button} id={id} aria-label={label} aria-haspopup="menu" aria-expanded={isOpen} onClick={toggle}>
        <IconDots size={18} />
      </RowButton>
      {isMounted && (
        <Menu position="bottom-end" width={width} opened={isOpen} onChange={setIsOpen}>
          <Menu.Target>
            <ExistingTarget element={button} />
          </Menu.Target>
          <Menu.Dropdown aria-labelledby={id}>{children}</Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

interface ExistingTargetProps {
  element: RefObject<HTMLButtonElement | null>;
  ref?: Ref<HTMLButtonElement | null>;
}

/** Lets a menu open at a button that is already rendered. */
function ExistingTarget({ element, ref }: ExistingTargetProps) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => element.current);
  return null;
}
