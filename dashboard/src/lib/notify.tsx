import { Button, Group } from '@mantine/core';
import { type NotificationData, notifications } from '@mantine/notifications';
import type { FocusEvent, PointerEvent } from 'react';
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

/** Closes a message on a tap outside its buttons. Until the next tap elsewhere, a touched message would count as hovered and stay. */
function closeOnTap({ pointerType, target, currentTarget }: PointerEvent<HTMLElement>): void {
  if (pointerType !== 'touch' || (target instanceof Element && target.closest('button') !== null)) return;
  notifications.hide(currentTarget.id);
}

const common = {
  withBorder: true,
  closeButtonProps: { 'aria-label': 'Close message' },
  onFocusCapture: rememberOrigin,
  onClose: returnFocus,
  onPointerUp: closeOnTap,
};

/** The ids of the latest messages about each subject. */
const idsBySubject = new Map<string, string>();

/** Shows a message. It replaces the previous one about this subject, which may no longer be true. */
function show(data: NotificationData, subject: string | undefined): string {
  const previous = subject === undefined ? undefined : idsBySubject.get(subject);
  if (previous !== undefined) notifications.hide(previous);
  // Always a new id, because a message that's reused would close when the previous one was due.
  const id = notifications.show({ ...common, ...data });
  if (subject !== undefined) idsBySubject.set(subject, id);
  return id;
}

/** Shows a temporary success message. With a subject, such as the role of a member, it replaces the previous one. */
export function notifyDone(message: string, subject?: string): void {
  show({ message, color: 'teal' }, subject);
}

interface UndoableChange {
  undo: () => void;
  /** Gets the focus after Undo, because the message disappears. */
  origin: FocusOrigin | undefined;
  /** See `notifyDone`. */
  subject?: string;
}

/** Shows a success message with a button that reverts the change. */
export function notifyUndoable(message: string, { undo, origin, subject }: UndoableChange): void {
  const data: NotificationData = {
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
  };
  const id = show(data, subject);
}

const keptMessageKey = 'keycard-message';
const removalMilliseconds = 1000;
let removal: ReturnType<typeof setTimeout> | undefined;

/**
 * Runs a change that ends with a reload, which then shows a success message.
 *
 * The message is kept before the change, because a concurrent request may notice the change and reload the page before the
 * response arrives.
 */
export async function notifyAfterReload<Result>(message: string, change: () => Promise<Result>): Promise<Result> {
  clearTimeout(removal);
  sessionStorage.setItem(keptMessageKey, message);
  try {
    return await change();
  } catch (error) {
    // Later, because unloading the page ends its requests with an error, too, and then its timers.
    removal = setTimeout(() => sessionStorage.removeItem(keptMessageKey), removalMilliseconds);
    throw error;
  }
}

/** Shows the message that was kept while the page loaded, if any. */
export function showKeptMessage(): void {
  const message = sessionStorage.getItem(keptMessageKey);
  sessionStorage.removeItem(keptMessageKey);
  if (message !== null) notifyDone(message);
}

/** Removes all messages. */
export function clearNotifications(): void {
  notifications.clean();
}

/** Shows a temporary error message. */
export function notifyFailed(message: string): void {
  notifications.show({ ...common, message, color: 'red' });
}
