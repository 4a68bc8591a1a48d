import type { UseFormReturnType } from '@mantine/form';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { ServiceError } from '../api/service-error.js';
import { useOnce } from './use-once.js';

interface FormSubmission<Values extends object, Answer> {
  form: UseFormReturnType<Values>;
  send: (values: Values) => Promise<Answer>;
  onDone?: (answer: Answer) => void | Promise<unknown>;
}

/**
 * Sends a form, once at a time. What the service says of a field is shown next to it; what it says of anything else is
 * `formError`, for an alert above the buttons.
 */
export function useFormSubmission<Values extends object, Answer>({
  form,
  send,
  onDone,
}: FormSubmission<Values, Answer>) {
  const once = useOnce();
  const mutation: UseMutationResult<Answer, Error, Values> = useMutation({
    mutationFn: send,
    // What was sent and answered, such as passwords and keys, is not kept once the form is gone.
    gcTime: 0,
    onSuccess: onDone,
    onSettled: once.allowAgain,
    onError: (error) => {
      const fields = error instanceof ServiceError ? error.fields : [];
      for (const { field, message } of fields) if (field in form.values) form.setFieldError(field, message);
    },
  });
  const { error, isPending } = mutation;
  return {
    isPending,
    formError: error === null || isAllOfFields(error, form.values) ? null : error,
    submit: form.onSubmit((values) => once.run(() => mutation.mutate(values))),
  };
}

/** Whether the fields of the form show all that the service says. */
function isAllOfFields(error: Error, values: object): boolean {
  return error instanceof ServiceError && error.fields.length > 0 && error.fields.every(({ field }) => field in values);
}
