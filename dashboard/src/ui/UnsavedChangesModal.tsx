import { Button, Group, Modal, Text } from '@mantine/core';
import type { UnsavedChanges } from '../hooks/use-unsaved-changes.js';

/** Asks whether changes that are not saved shall be lost. */
export function UnsavedChangesModal({ isAsking, isDiscarded, stay, discard }: Omit<UnsavedChanges, 'tryToClose'>) {
  return (
    // Who discards leaves the form, too, which then gives the focus back to where it was opened.
    <Modal opened={isAsking} onClose={stay} returnFocus={!isDiscarded} title="Discard your changes?" centered>
      <Text size="sm">They are not saved yet.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={stay}>
          Keep editing
        </Button>
        <Button color="red" onClick={discard}>
          Discard changes
        </Button>
      </Group>
    </Modal>
  );
}
