import { Button, Group, Text } from '@mantine/core';
import { pluralize } from '../../../lib/format-numbers.js';
import { usePermission } from '../../../session/me.js';
import type { ListedApiKey } from '../api-keys.js';
import type { BulkAction } from '../bulk/BulkModal.js';

interface SelectionActionsProps {
  keys: ListedApiKey[];
  onAction: (action: BulkAction) => void;
  onClear: () => void;
}

/** Disables or deletes the selected keys. */
export function SelectionActions({ keys, onAction, onClear }: SelectionActionsProps) {
  const mayDisable = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  if (keys.length === 0) return null;
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Selected keys">
      <Text size="sm" role="status">
        {pluralize(keys.length, 'key')} selected
      </Text>
      {mayDisable && (
        <Button size="xs" variant="default" onClick={() => onAction({ kind: 'disable', keys })}>
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
      <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  );
}
