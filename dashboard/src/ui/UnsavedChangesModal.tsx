import { Button, Group, Modal, Text } from '@mantine/core';
import type { UnsavedChanges } from '../hooks/use-unsaved-changes.js';

/** Asks for confirmation before unsaved changes are discarded. */
export function UnsavedChangesModal({ isAsking, isDiscarded, stay, discard }: Omit<UnsavedChanges, 'tryToClose'>) {
  return (
    // Discarding also closes the form, which restores the focus.
    <Modal opened={isAsking} onClose={stay} returnFocus={!isDiscarded} title="Discard unsaved changes?" centered>
      <Text size="sm">Your changes haven&apos;t been saved.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={stay} data-autofocus>
          Keep editing
        </Button>
        <Button color="red.9" onClick={discard}>
          Discard changes
        </Button>
      </Group>
    </Modal>
  );
}
