import { useEffect, useState } from 'react';
import { notifyFailed } from '../lib/notify.js';

const shownMilliseconds = 2000;

/** Copies text to the clipboard; `isCopied` is true for a moment afterwards. */
export function useCopy(value: string, onCopied?: () => void): { isCopied: boolean; copy: () => void } {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    void writeToClipboard(value).then(
      () => {
        setIsCopied(true);
        onCopied?.();
      },
      () => notifyFailed("Your browser doesn't allow copying. Select the text and copy it manually."),
    );
  return { isCopied, copy };
}

/** Browsers offer `navigator.clipboard` only over HTTPS and on localhost. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Otherwise, phones would open their keyboard.
  field.readOnly = true;
  // Inside an open dialog, because its focus trap would take the focus back.
  (document.querySelector('[role="dialog"]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!isCopied) throw new Error('The browser rejected the copy command.');
}
