import { notifications } from '@mantine/notifications';

/** Shows a temporary success message. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', withBorder: true });
}

/** Shows a temporary error message. */
export function notifyFailed(message: string): void {
  notifications.show({ message, color: 'red', withBorder: true });
}
