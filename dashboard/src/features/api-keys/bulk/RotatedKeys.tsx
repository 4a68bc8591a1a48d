import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { csvLine } from '@rules/csv-line.js';
import type { BulkRotatedApiKeys } from '../../../api/schema.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { saveFile } from '../../../lib/save-file.js';
import { CopyButton } from '../../../ui/CopyButton.js';
import { SavedConfirmation } from '../../../ui/SavedConfirmation.js';
import classes from './KeyNames.module.css';

interface RotatedKeysProps {
  /** The keys that were to be rotated, for their names. */
  keys: readonly ListedApiKey[];
  rotated: BulkRotatedApiKeys;
  onSaved: () => void;
}

/** Shows the new secrets of keys once, to be copied or saved as a CSV file. */
export function RotatedKeys({ keys, rotated: { apiKeys, notFoundIds }, onSaved }: RotatedKeysProps) {
  const [isSaved, setIsSaved] = useState(false);
  const list = useRef<HTMLElement>(null);
  // The form that had the focus is no longer there.
  useEffect(() => list.current?.focus(), []);
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const rows = apiKeys.map(({ id, key }) => [names.get(id) ?? id, id, key] as const);
  const csv = [['name', 'id', 'key'], ...rows].map((row) => csvLine(row)).join('');
  const text = rows.map(([name, , key]) => `${name}  ${key}`).join('\n');
  return (
    <Stack>
      <Text size="sm">
        Copy these keys to where they&apos;re used, or save them as a file. You won&apos;t see them again.
        {notFoundIds.length > 0 && ` ${pluralize(notFoundIds.length, 'key')} no longer existed.`}
      </Text>
      <Code
        block
        ref={list}
        className={classes.secrets}
        tabIndex={0}
        role="region"
        aria-label="Your new keys"
        onCopy={() => setIsSaved(true)}
      >
        {text}
      </Code>
      <Group>
        <CopyButton value={text} label="Copy keys" onCopied={() => setIsSaved(true)} />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => {
            saveFile('api-keys.csv', new Blob([csv], { type: 'text/csv' }));
            setIsSaved(true);
          }}
        >
          Save as CSV
        </Button>
      </Group>
      <SavedConfirmation label="I've saved these keys" isSaved={isSaved} onChange={setIsSaved} onDone={onSaved} />
    </Stack>
  );
}
