import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useCopy } from '../hooks/use-copy.js';

interface CopyButtonProps {
  value: string;
  /** What is copied, such as "Copy key". */
  label: string;
  onCopied?: () => void;
}

/** A button with words that copies a text and says that it did. */
export function CopyButton({ value, label, onCopied }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(value, onCopied);
  return (
    <Button variant={isCopied ? 'light' : 'filled'} leftSection={<CopyIcon isCopied={isCopied} />} onClick={copy}>
      {isCopied ? 'Copied' : label}
    </Button>
  );
}

/** The same as an icon, for where there is little room. */
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
