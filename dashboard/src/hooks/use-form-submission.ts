import type { UseFormReturnType } from '@mantine/form';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { ServiceError } from '../api/service-error.js';
import { messagesByField } from '../lib/field-messages.js';
import { useReportUnsavedChanges } from './use-form-dialog.js';
import { usePendingFocus } from './use-pending-focus.js';
import { useSubmitLock } from './use-submit-lock.js';

const invalidField = ':is(input, select, textarea)[aria-invalid="true"]';

interface FormSubmission<Values extends object, Result> {
  form: UseFormReturnType<Values>;
  /** Whether the form has unsaved changes; by default, if any value differs from the initial one. */
  isChanged?: boolean;
  send: (values: Values) => Promise<Result>;
  onDone?: (result: Result) => void | Promise<unknown>;
}

/**
 * Submits a form. Field errors are shown next to their fields, and the first invalid field gets the focus. `formError` is
 * any other error.
 */
export function useFormSubmission<Values extends object, Result>({
  form,
  isChanged = form.isDirty(),
  send,
  onDone,
}: FormSubmission<Values, Result>) {
  useReportUnsavedChanges(isChanged);
  const lock = useSubmitLock();
  const element = useRef<HTMLFormElement>(null);
  const focusInvalidField = useInvalidFieldFocus(element);
  const mutation: UseMutationResult<Result, Error, Values> = useMutation({
    mutationFn: send,
    // Drops passwords and keys from memory when the form closes.
    gcTime: 0,
    onSuccess: onDone,
    onSettled: lock.release,
    onError: (error) => {
      const fields = error instanceof ServiceError ? error.fields : [];
      for (const [field, message] of messagesByField(fields)) {
        if (hasField(form.values, field)) form.setFieldError(field, message);
      }
      if (fields.length > 0) focusInvalidField();
    },
  });
  const { error, isPending } = mutation;
  const keepFocus = usePendingFocus(isPending);
  return {
    isPending,
    formError: error === null || isShownByFields(error, form.values) ? null : error,
    submit: (event: SyntheticEvent<HTMLFormElement>) => {
      element.current = event.currentTarget;
      form.onSubmit(
        (values) =>
          lock.run(() => {
            keepFocus();
            mutation.mutate(values);
          }),
        focusInvalidField,
      )(event);
    },
  };
}

/** Returns a function that focuses the first invalid field of the form, which may be scrolled out of view. */
function useInvalidFieldFocus(form: RefObject<HTMLFormElement | null>): () => void {
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

/** Whether the form has a field for each part of the error. */
function isShownByFields(error: Error, values: object): boolean {
  return (
    error instanceof ServiceError &&
    error.fields.length > 0 &&
    error.fields.every(({ field }) => hasField(values, field))
  );
}

/** Whether the form has a field with this path. Items of a list are fields only if they're objects: `limits.1.max`. */
function hasField(values: object, path: string): boolean {
  const [field = '', ...rest] = path.split('.');
  if (!(field in values)) return false;
  if (rest.length === 0) return !Array.isArray(values);
  const value: unknown = Reflect.get(values, field);
  return typeof value === 'object' && value !== null && hasField(value, rest.join('.'));
}
