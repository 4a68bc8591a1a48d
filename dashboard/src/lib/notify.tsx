import { Button, Group } from '@mantine/core';
import { type NotificationData, notifications } from '@mantine/notifications';
import type { FocusEvent } from 'react';
import { focusMain, type FocusOrigin, getFocusOrigin, restoreFocus } from './restore-focus.js';

/** Long enough to notice a mistake. */
const undoMilliseconds = 15_000;

/** The element that had the focus before it moved to a message. */
let originOfMessages: FocusOrigin | undefined;

function rememberOrigin({ relatedTarget }: FocusEvent): void {
  const isInMessage = relatedTarget?.closest('.mantine-Notification-root');
  if (!isInMessage) originOfMessages = relatedTarget === null ? undefined : getFocusOrigin(relatedTarget);
}

/** Moves the focus out of a message that closes, back to where it came from. */
function returnFocus({ id = '' }: NotificationData): void {
  const hasFocus = () => document.getElementById(id)?.contains(document.activeElement);
  if (hasFocus() && originOfMessages !== undefined) restoreFocus(originOfMessages);
  // The element may be disabled, or the message was the first element that had the focus.
  if (hasFocus()) focusMain();
}

const common = {
  withBorder: true,
  closeButtonProps: { 'aria-label': 'Close message' },
  onFocusCapture: rememberOrigin,
  onClose: returnFocus,
};

/** Shows a temporary success message. */
export function notifyDone(message: string): void {
  notifications.show({ ...common, message, color: 'teal' });
}

interface UndoableChange {
  undo: () => void;
  /** Gets the focus after Undo, because the message disappears. */
  origin: FocusOrigin | undefined;
}

/** Shows a success message with a button that reverts the change. */
export function notifyUndoable(message: string, { undo, origin }: UndoableChange): void {
  const id = notifications.show({
    ...common,
    color: 'teal',
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
  notifications.show({ ...common, message, color: 'red' });
}
