import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { showKeptMessage } from '../lib/notify.js';
import classes from './Toasts.module.css';

/** Shows the messages of `notifyDone` and others. */
export function Toasts() {
  useEffect(showKeptMessage, []);
  return <Notifications position="bottom-right" className={classes.toasts} />;
}
