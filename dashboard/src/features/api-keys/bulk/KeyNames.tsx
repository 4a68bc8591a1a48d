import { List } from '@mantine/core';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { useScrollOverflow } from '../../../hooks/use-scroll-overflow.js';
import { StateBadge } from '../list/StateBadge.js';
import classes from './KeyNames.module.css';

interface KeyNamesProps {
  keys: readonly ListedApiKey[];
  /** The current setting that is about to change, such as the expiry. */
  describe?: ((apiKey: ListedApiKey) => string) | undefined;
}

/** The names of all selected keys with their states, which scroll. */
export function KeyNames({ keys, describe }: KeyNamesProps) {
  const { ref, hasMoreBelow } = useScrollOverflow();
  return (
    <div
      ref={ref}
      className={classes.scroll}
      role="group"
      aria-label="Selected keys"
      tabIndex={hasMoreBelow ? 0 : undefined}
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
