import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { usePermission } from '../../session/me.js';
import { loadCreateKeyModal } from './load-dialogs.js';

interface CreateKeyButtonProps {
  label: string;
  onClick: () => void;
}

/** Leads to a new key those who may create one. */
export function CreateKeyButton({ label, onClick }: CreateKeyButtonProps) {
  const isAllowed = usePermission('create-api-keys');
  if (!isAllowed) return null;
  const preload = () => void loadCreateKeyModal();
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onMouseEnter={preload} onFocus={preload} onClick={onClick}>
      {label}
    </Button>
  );
}
