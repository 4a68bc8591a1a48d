import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { usePermission } from '../../../session/me.js';

interface CreateKeyButtonProps {
  label: string;
  onClick: () => void;
  /** Called when the user hovers over or focuses the button. */
  onIntent: () => void;
}

/** A button to create a key, hidden from users who lack the permission. */
export function CreateKeyButton({ label, onClick, onIntent }: CreateKeyButtonProps) {
  if (!usePermission('create-api-keys')) return null;
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onMouseEnter={onIntent}
      onFocus={onIntent}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
