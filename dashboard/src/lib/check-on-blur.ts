import type { UseFormInput } from '@mantine/form';

type Enhancement<Values> = NonNullable<UseFormInput<Values>['enhanceGetInputProps']>;

/**
 * The `enhanceGetInputProps` of a form: checks a field when the user leaves it. Unlike Mantine's `validateInputOnBlur`, not
 * a field that they only passed on their way to another.
 */
export function checkOnBlur<Values>({
  field,
  form,
}: Parameters<Enhancement<Values>>[0]): ReturnType<Enhancement<Values>> {
  return {
    onBlur: () => {
      if (form.isDirty(field)) void form.validateField(field);
    },
  };
}
