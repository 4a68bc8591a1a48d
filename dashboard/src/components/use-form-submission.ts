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
 * Sends a form, once at a time. What the service says of a field is shown next to it; `formError` is what it says of
 * none, for an alert above the buttons.
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
      for (const { field, message } of fieldErrors(error, form.values)) form.setFieldError(field, message);
    },
  });
  const { error, isPending } = mutation;
  return {
    isPending,
    formError: error !== null && fieldErrors(error, form.values).length === 0 ? error : null,
    submit: form.onSubmit((values) => once.run(() => mutation.mutate(values))),
  };
}

function fieldErrors(error: Error, values: object) {
  return error instanceof ServiceError ? error.fields.filter(({ field }) => field in values) : [];
}
