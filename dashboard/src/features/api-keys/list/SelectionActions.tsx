import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import { IconChevronUp } from '@tabler/icons-react';
import { useNow } from '../../../hooks/use-now.js';
import { formatCount, pluralize } from '../../../lib/format-numbers.js';
import { focusHeading } from '../../../lib/restore-focus.js';
import { usePermission } from '../../../session/me.js';
import { type ListedApiKey, maxBulkKeys } from '../../../common/api-keys/api-keys.js';
import type { BulkEdit } from '../bulk/BulkEditModal.js';
import type { BulkAction } from '../bulk/BulkModal.js';
import { isExpired } from '../../../common/api-keys/is-expired.js';
import { liftToasts } from '../../../lib/lift-toasts.js';
import classes from './SelectionActions.module.css';

interface SelectionActionsProps {
  keys: ListedApiKey[];
  /** Number of keys that match the filters. */
  total: number;
  /** Number of selected keys that the page shows. */
  onPage: number;
  /** Whether all keys of the page are selected. */
  isPageSelected: boolean;
  isSelectingAll: boolean;
  onSelectAll: () => void;
  onAction: (action: BulkAction) => void;
  onEdit: (edit: BulkEdit) => void;
  onRotate: (keys: ListedApiKey[]) => void;
  onClear: () => void;
}

/**
 * Enables, disables, changes, rotates or deletes the selected keys, or revokes their previous secrets. Expired keys reject requests
 * either way.
 */
export function SelectionActions(props: SelectionActionsProps) {
  const { keys, total, onPage, isPageSelected, isSelectingAll, onSelectAll, onAction, onEdit, onRotate, onClear } =
    props;
  const mayUpdate = usePermission('update-api-keys');
  const mayDelete = usePermission('delete-api-keys');
  const now = useNow();
  const unexpiredKeys = keys.filter((key) => !isExpired(key, now));
  const disabledKeys = unexpiredKeys.filter(({ enabled }) => enabled === false);
  const enabledKeys = unexpiredKeys.filter((key) => !disabledKeys.includes(key));
  const rotatedKeys = keys.filter(({ previousSecretExpiresAt }) => previousSecretExpiresAt !== undefined);
  if (keys.length === 0) return null;
  const isTooMany = keys.length > maxBulkKeys;
  const clear = () => {
    // The list stays where it is.
    focusHeading({ preventScroll: true });
    onClear();
  };
  return (
    <Paper ref={liftToasts} withBorder shadow="md" p="xs" className={classes.bar}>
      <Group gap="xs" role="group" aria-label="Selected keys" data-keeps-focus>
        <Text size="sm" role="status">
          {pluralize(keys.length, 'key')} selected
          {isTooMany
            ? `, but only ${formatCount(maxBulkKeys)} can change at once`
            : onPage < keys.length && `, ${formatCount(keys.length - onPage)} not on this page`}
        </Text>
        {isPageSelected && keys.length < Math.min(total, maxBulkKeys) && (
          <Button size="xs" variant="subtle" loading={isSelectingAll} onClick={onSelectAll}>
            {total > maxBulkKeys ? `Select the first ${formatCount(maxBulkKeys)}` : `Select all ${formatCount(total)}`}
          </Button>
        )}
        {mayUpdate && !isTooMany && disabledKeys.length > 0 && (
          <Button size="xs" variant="default" onClick={() => onAction({ kind: 'enable', keys: disabledKeys })}>
            Enable
          </Button>
        )}
        {mayUpdate && !isTooMany && enabledKeys.length > 0 && (
          <Button size="xs" variant="default" onClick={() => onAction({ kind: 'disable', keys: enabledKeys })}>
            Disable
          </Button>
        )}
        {mayUpdate && !isTooMany && (
          <Menu position="top-start" width={180}>
            <Menu.Target>
              <Button size="xs" variant="default" rightSection={<IconChevronUp size={14} aria-hidden />}>
                Change
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => onEdit({ kind: 'expiry', keys })}>Expiry</Menu.Item>
              <Menu.Item onClick={() => onEdit({ kind: 'tags', keys })}>Tags</Menu.Item>
              <Menu.Item onClick={() => onEdit({ kind: 'limits', keys })}>Limits</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        {mayUpdate && !isTooMany && unexpiredKeys.length > 0 && (
          <Button size="xs" variant="default" onClick={() => onRotate(unexpiredKeys)}>
            Rotate
          </Button>
        )}
        {mayUpdate && !isTooMany && rotatedKeys.length > 0 && (
          <Button size="xs" variant="default" onClick={() => onAction({ kind: 'revoke', keys: rotatedKeys })}>
            Revoke previous secrets
          </Button>
        )}
        {mayDelete && !isTooMany && (
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
