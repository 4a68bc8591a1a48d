import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';
import classes from './Toasts.module.css';

/** Shows the messages of `notifyDone` and `notifyFailed`. */
export function Toasts() {
  return <Notifications position="bottom-right" className={classes.toasts} />;
}
