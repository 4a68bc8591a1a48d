import { Anchor, Code } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiKeyList } from '../../../api/schema.js';
import { formatCount } from '../../../lib/format-numbers.js';
import { relativeTime } from '../../../lib/format-time.js';
import { useNow } from '../../../hooks/use-now.js';
import classes from './KeyLinks.module.css';

/** Links to keys, with their last uses. */
export function KeyLinks({ list: { apiKeys, total }, label }: { list: ApiKeyList; label: string }) {
  const now = useNow();
  return (
    <ul className={classes.keys} aria-label={label} tabIndex={0}>
      {apiKeys.map(({ id, name, hint, enabled, lastUsedAt }) => (
        <li key={id} className={classes.key}>
          <span className={classes.name}>
            <Anchor inherit renderRoot={(props) => <Link to="/dashboard/keys/$id" params={{ id }} {...props} />}>
              {name}
            </Anchor>
            {enabled === false && ' (disabled)'}
          </span>
          <span className={classes.use}>
            {lastUsedAt === undefined ? 'never used' : `used ${relativeTime(lastUsedAt, now)}`}
          </span>
          <Code className={classes.hint}>{hint}…</Code>
        </li>
      ))}
      {total > apiKeys.length && <li className={classes.key}>and {formatCount(total - apiKeys.length)} more</li>}
    </ul>
  );
}
