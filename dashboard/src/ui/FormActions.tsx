import { Button, Group } from '@mantine/core';
import { ErrorAlert } from './ErrorAlert.js';

interface FormActionsProps {
  /** What the button says that sends the form, such as "Create key". */
  submitLabel: string;
  isPending: boolean;
  /** What the service says of no field in particular. */
  error: Error | null;
  onCancel: () => void;
}

/** The end of a form in a dialog: why it could not be sent, the way out, and the button that sends it. */
export function FormActions({ submitLabel, isPending, error, onCancel }: FormActionsProps) {
  return (
    <>
      {error !== null && <ErrorAlert error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} disabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {submitLabel}
        </Button>
      </Group>
    </>
  );
}
