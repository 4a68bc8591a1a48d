import { createContext, use, useLayoutEffect } from 'react';

interface FormDialog {
  /** Closes the dialog, after a confirmation if its form has unsaved changes. */
  tryToClose: () => void;
  setIsDirty: (isDirty: boolean) => void;
}

/** Provided by `UnsavedChangesGuard`. */
export const FormDialogContext = createContext<FormDialog | undefined>(undefined);

/** The dialog around a form. */
export function useFormDialog(): FormDialog | undefined {
  return use(FormDialogContext);
}

/** Reports unsaved changes to the dialog around a form, until the form is removed. */
export function useReportUnsavedChanges(isDirty: boolean): void {
  const setIsDirty = useFormDialog()?.setIsDirty;
  // Not an ordinary effect: React may run what that changes only after the next key press.
  useLayoutEffect(() => {
    setIsDirty?.(isDirty);
    return () => setIsDirty?.(false);
  }, [setIsDirty, isDirty]);
}
