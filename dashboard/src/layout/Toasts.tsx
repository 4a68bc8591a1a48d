import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Where `notifyDone` shows what was done. */
export function Toasts() {
  return <Notifications position="bottom-right" />;
}
