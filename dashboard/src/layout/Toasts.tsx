import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Shows the messages of `notifyDone` and `notifyFailed`. */
export function Toasts() {
  return <Notifications position="bottom-right" />;
}
