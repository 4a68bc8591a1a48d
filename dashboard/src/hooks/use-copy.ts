import { useEffect, useState } from 'react';
import { copyText } from '../lib/copy-text.js';
import { notifyFailed } from '../lib/notify.js';

const shownMilliseconds = 2000;

/** Copies a text on demand; `isCopied` for a moment afterwards. */
export function useCopy(value: string, onCopied?: () => void): { isCopied: boolean; copy: () => void } {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    void copyText(value).then(
      () => {
        setIsCopied(true);
        onCopied?.();
      },
      () => notifyFailed('Your browser does not let this page copy. Select the text and copy it yourself.'),
    );
  return { isCopied, copy };
}
