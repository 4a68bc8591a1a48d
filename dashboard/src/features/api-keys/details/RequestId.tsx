import { Code, Group } from '@mantine/core';
import { CopyIconButton } from '../../../ui/CopyButton.js';

/** The id of a request, to be copied. */
export function RequestId({ id, hasLabel = false }: { id: string; hasLabel?: boolean }) {
  return (
    <>
      {hasLabel && 'Request ID'}
      <Group gap={4} wrap="nowrap">
        <Code>{id}</Code>
        <CopyIconButton value={id} label="Copy request ID" />
      </Group>
    </>
  );
}
