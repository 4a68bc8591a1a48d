import { notifications } from '@mantine/notifications';

/** Says in a corner, for a moment, that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', withBorder: true });
}
