import { Button, Group, Paper, Text } from '@mantine/core';
import { useNow } from '../../../hooks/use-now.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { focusHeading } from '../../../lib/restore-focus.js';
import { usePermission } from '../../../session/me.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import type { BulkAction } from '../bulk/BulkModal.js';
import { isExpired } from '../../../common/api-keys/is-expired.js';
import { liftToasts } from '../../../lib/lift-toasts.js';
import classes from './SelectionActions.module.css';

interface SelectionActionsProps {
  keys: ListedApiKey[];
  onAction: (action: BulkAction) => void;
  onClear: () => void;
}

/** Enables, disables or deletes the selected keys. Expired keys reject requests either way. */
export function SelectionActions({ keys, onAction, onClear }: SelectionActionsProps) {
  const mayUpdate = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  const now = useNow();
  const unexpiredKeys = keys.filter((key) => !isExpired(key, now));
  const disabledKeys = unexpiredKeys.filter(({ enabled }) => enabled === false);
  const enabledKeys = unexpiredKeys.filter((key) => !disabledKeys.includes(key));
  if (keys.length === 0) return null;
  const clear = () => {
    // The list stays where it is.
    focusHeading({ preventScroll: true });
    onClear();
  };
  return (
    <Paper ref={liftToasts} withBorder shadow="md" p="xs" className={classes.bar}>
      <Group gap="xs" role="group" aria-label="Selected keys">
        <Text size="sm" role="status">
          {pluralize(keys.length, 'key')} selected
        </Text>
        {mayUpdate && disabledKeys.length > 0 && (
          <Button size="xs" variant="default" onClick={() => onAction({ kind: 'enable', keys: disabledKeys })}>
            Enable
          </Button>
        )}
        {mayUpdate && enabledKeys.length > 0 && (
          <Button size="xs" variant="default" onClick={() => onAction({ kind: 'disable', keys: enabledKeys })}>
            Disable
          </Button>
        )}
        {mayDelete && (
          <Button
            size="xs"
            variant="default"
            c="var(--mantine-color-error)"
            onClick={() => onAction({ kind: 'delete', keys })}
          >
            Delete
          </Button>
        )}
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Clear selection
        </Button>
      </Group>
    </Paper>
  );
}
