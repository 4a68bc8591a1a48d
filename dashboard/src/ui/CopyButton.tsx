import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCopy } from '../hooks/use-copy.js';

interface CopyButtonProps {
  value: string;
  /** Such as "Copy key". */
  label: string;
  onCopied?: () => void;
}

/** A button that copies a text. */
export function CopyButton({ value, label, onCopied }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(value, onCopied);
  return (
    <Button variant={isCopied ? 'light' : 'filled'} leftSection={<CopyIcon isCopied={isCopied} />} onClick={copy}>
      {isCopied ? 'Copied' : label}
    </Button>
  );
}

/** An icon button that copies a text. */
export function CopyIconButton({ value, label }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(value);
  return (
    <Tooltip label={isCopied ? 'Copied' : label}>
      <ActionIcon variant="subtle" color="gray" aria-label={isCopied ? 'Copied' : label} onClick={copy}>
        <CopyIcon isCopied={isCopied} />
      </ActionIcon>
    </Tooltip>
  );
}

function CopyIcon({ isCopied }: { isCopied: boolean }) {
  return isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />;
}
