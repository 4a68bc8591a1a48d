import { Button, Checkbox, Group } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { DialogFooter } from './DialogFooter.js';

interface SavedConfirmationProps {
  /** Such as "I've saved this key". */
  label: string;
  isSaved: boolean;
  onChange: (isSaved: boolean) => void;
  onDone: () => void;
}

/** The footer of a dialog that shows a secret once. The page can't be left until the user confirms having saved it. */
export function SavedConfirmation({ label, isSaved, onChange, onDone }: SavedConfirmationProps) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, disabled: isSaved });
  return (
    <DialogFooter>
      <Group justify="space-between">
        <Checkbox label={label} checked={isSaved} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
        <Button onClick={onDone} disabled={!isSaved}>
          Done
        </Button>
      </Group>
    </DialogFooter>
  );
}
