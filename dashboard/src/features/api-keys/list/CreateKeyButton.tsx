import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { usePermission } from '../../../session/me.js';

interface CreateKeyButtonProps {
  label: string;
  onClick: () => void;
  /** Called when it is likely to be pressed soon. */
  onIntent: () => void;
}

/** Leads to a new key those who may create one. */
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
