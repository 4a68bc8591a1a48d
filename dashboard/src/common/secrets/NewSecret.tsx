import { Code, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CopyButton } from '../../ui/CopyButton.js';
import classes from './NewSecret.module.css';

interface NewSecretProps {
  secret: string;
  /** What it is, such as "key". */
  noun: string;
  instruction: string;
  onCopied: () => void;
}

/** Shows a new key or client secret, with a button to copy it. */
export function NewSecret({ secret, noun, instruction, onCopied }: NewSecretProps) {
  const field = useRef<HTMLElement>(null);
  // The form that had the focus is no longer there.
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <Text size="sm">{instruction} You won&apos;t see it again.</Text>
      <Code
        block
        ref={field}
        className={classes.secret}
        tabIndex={0}
        role="region"
        aria-label={`Your new ${noun}`}
        onCopy={onCopied}
      >
        {secret}
      </Code>
      <Group>
        <CopyButton value={secret} label={`Copy ${noun}`} onCopied={onCopied} />
      </Group>
    </>
  );
}
