import { Input } from '@mantine/core';
import { type KeyboardEvent, type ReactElement, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import classes from './IdleSelect.module.css';

interface IdleSelectProps {
  /** Accessible name. */
  label: string;
  /** Name of the selected option. */
  value: string;
  /** Sets the width. */
  className?: string | undefined;
  isDisabled?: boolean;
  /** The `SearchableSelect`, with the same name and value. */
  children: ReactElement;
}

/**
 * Looks and reads like a `SearchableSelect`, which replaces it at the first click or key. Tables have many rows, and a
 * select takes longer to render than the rest of its row.
 */
export function IdleSelect({ label, value, className, isDisabled = false, children }: IdleSelectProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [isUsed, setIsUsed] = useState(false);
  const showSelect = () => {
    flushSync(() => setIsUsed(true));
    const input = frame.current?.querySelector('input');
    input?.focus();
    return input;
  };
  const passOnKey = (event: KeyboardEvent) => {
    if (keysThatPass.has(event.key)) return;
    // The select gets a copy. It has the focus now, so what the browser does next, such as typing a letter, happens there.
    event.stopPropagation();
    const isHandled = showSelect()?.dispatchEvent(new window.KeyboardEvent('keydown', event.nativeEvent)) === false;
    if (isHandled) event.preventDefault();
  };
  return (
    <div ref={frame} className={className}>
      {isUsed ? (
        children
      ) : (
        <div
          className={`${Input.classes.wrapper} mantine-Input-wrapper ${classes.select}`}
          data-variant="default"
          data-disabled={isDisabled || undefined}
          data-with-right-section
        >
          <input
            className={`${Input.classes.input} mantine-Input-input`}
            data-variant="default"
            data-disabled={isDisabled || undefined}
            role="combobox"
            aria-haspopup="listbox"
            aria-expanded={false}
            aria-label={label}
            autoComplete="off"
            inputMode="none"
            disabled={isDisabled}
            value={value}
            // Text that was pasted or dictated, which isn't a choice.
            onChange={showSelect}
            onClick={() => showSelect()?.click()}
            onKeyDown={passOnKey}
          />
          <div className={Input.classes.section} data-position="right">
            <svg viewBox="0 0 16 16" className={classes.chevron}>
              <path d="m5 6 3-3 3 3M5 10l3 3 3-3" />
            </svg>
          </div>
        </div>
      )}
    </div>
  );
}

/** Moving the focus across a table doesn't use its selects. */
const keysThatPass = new Set(['Tab', 'Shift']);
