import { notifications } from '@mantine/notifications';

/** Says in a corner, for a moment, that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', withBorder: true });
}

/** Says in a corner that something could not be done, and what to do instead. */
export function notifyFailed(message: string): void {
  notifications.show({ message, color: 'red', withBorder: true });
}
