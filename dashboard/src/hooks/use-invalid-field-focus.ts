import { type RefObject, useEffect, useState } from 'react';

const invalidField = ':is(input, select, textarea)[aria-invalid="true"]';

/** Returns a function that focuses the first invalid field of the form, which may be scrolled out of view. */
export function useInvalidFieldFocus(form: RefObject<HTMLFormElement | null>): () => void {
  const [attempt, setAttempt] = useState(0);
  // Waits until the errors are rendered.
  useEffect(() => {
    if (attempt === 0) return;
    const field = form.current?.querySelector<HTMLElement>(invalidField);
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'nearest' });
  }, [attempt, form]);
  return () => setAttempt((count) => count + 1);
}
