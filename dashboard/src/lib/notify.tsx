import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FocusOrigin, restoreFocus } from './restore-focus.js';

/** Long enough to notice a mistake. */
const undoMilliseconds = 15_000;

const closeButtonProps = { 'aria-label': 'Close message' };

/** Shows a temporary success message. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', withBorder: true, closeButtonProps });
}

interface UndoableChange {
  undo: () => void;
  /** Gets the focus after Undo, because the message disappears. */
  origin: FocusOrigin | undefined;
}

/** Shows a success message with a button that reverts the change. */
export function notifyUndoable(message: string, { undo, origin }: UndoableChange): void {
  const id = notifications.show({
    color: 'teal',
    withBorder: true,
    closeButtonProps,
    autoClose: undoMilliseconds,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          variant="default"
          size="compact-sm"
          flex="none"
          onClick={() => {
            notifications.hide(id);
            if (origin !== undefined) restoreFocus(origin);
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Removes all messages. */
export function clearNotifications(): void {
  notifications.clean();
}

/** Shows a temporary error message. */
export function notifyFailed(message: string): void {
  notifications.show({ message, color: 'red', withBorder: true, closeButtonProps });
}
