import { Button, Group } from '@mantine/core';
import { DialogFooter } from './DialogFooter.js';
import { ErrorAlert } from './ErrorAlert.js';
import { useFormDialog } from '../hooks/use-form-dialog.js';

interface FormActionsProps {
  /** The text of the submit button, such as "Create key". */
  submitLabel: string;
  cancelLabel?: string;
  /** Colors the submit button red. */
  isDestructive?: boolean;
  /** Focuses the cancel button when the dialog opens, for forms without fields. */
  isCancelFocused?: boolean;
  isPending: boolean;
  /** An error that isn't about a single field. */
  error: Error | null;
}

/** The footer of a form in a dialog: an error, a cancel button and a submit button. */
export function FormActions({
  submitLabel,
  cancelLabel = 'Cancel',
  isDestructive = false,
  isCancelFocused = false,
  isPending,
  error,
}: FormActionsProps) {
  const dialog = useFormDialog();
  return (
    <DialogFooter>
      {error !== null && <ErrorAlert error={error} />}
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={dialog?.tryToClose}
          disabled={isPending}
          data-autofocus={isCancelFocused || undefined}
        >
          {cancelLabel}
        </Button>
        <Button type="submit" color={isDestructive ? 'red.9' : undefined} loading={isPending}>
          {submitLabel}
        </Button>
      </Group>
    </DialogFooter>
  );
}
