import { Button, Checkbox, Group } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import { useRef } from 'react';
import { DialogFooter } from './DialogFooter.js';

interface SavedConfirmationProps {
  /** Such as "I've saved this key". */
  label: string;
  isSaved: boolean;
  onChange: (isSaved: boolean) => void;
  onDone: () => void;
}

/**
 * The footer of a dialog that shows a secret once. The page can't be left until the user confirms having saved it. Escape
 * moves the focus to that confirmation instead of closing the dialog.
 */
export function SavedConfirmation({ label, isSaved, onChange, onDone }: SavedConfirmationProps) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, disabled: isSaved });
  const confirmation = useRef<HTMLInputElement>(null);
  useHotkeys([['Escape', () => confirmation.current?.focus()]], []);
  return (
    <DialogFooter>
      <Group justify="space-between">
        <Checkbox
          ref={confirmation}
          label={label}
          checked={isSaved}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <Button onClick={onDone} disabled={!isSaved}>
          Done
        </Button>
      </Group>
    </DialogFooter>
  );
}
