import { List } from '@mantine/core';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import classes from './KeyNames.module.css';

/** Lines that fit without scrolling. */
const fitting = 6;

/** The names of all selected keys, which scroll. */
export function KeyNames({ keys }: { keys: readonly ListedApiKey[] }) {
  return (
    <div
      className={classes.scroll}
      role="group"
      aria-label="Selected keys"
      tabIndex={keys.length > fitting ? 0 : undefined}
    >
      <List size="sm">
        {keys.map(({ id, name, hint }) => (
          <List.Item key={id}>
            {name} <span className={classes.hint}>{hint}…</span>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
