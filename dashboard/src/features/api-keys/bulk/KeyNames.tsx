import { List } from '@mantine/core';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { StateBadge } from '../list/StateBadge.js';
import classes from './KeyNames.module.css';

/** Lines that fit without scrolling. */
const fitting = 6;

interface KeyNamesProps {
  keys: readonly ListedApiKey[];
  /** What is about to change about a key, such as its expiry. */
  describe?: ((apiKey: ListedApiKey) => string) | undefined;
}

/** The names of all selected keys with their states, which scroll. */
export function KeyNames({ keys, describe }: KeyNamesProps) {
  return (
    <div
      className={classes.scroll}
      role="group"
      aria-label="Selected keys"
      tabIndex={keys.length > fitting ? 0 : undefined}
    >
      <List size="sm">
        {keys.map((apiKey) => (
          <List.Item key={apiKey.id}>
            {apiKey.name} <span className={classes.hint}>{apiKey.hint}…</span> <StateBadge apiKey={apiKey} size="xs" />
            {describe && <span className={classes.description}>{describe(apiKey)}</span>}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
