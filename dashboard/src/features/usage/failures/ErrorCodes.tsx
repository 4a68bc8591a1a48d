import { Text } from '@mantine/core';
import type { FailureCount } from '../../../api/schema.js';

/** The status and code that the client received, and the code in the list of errors. */
export function ErrorCodes({ status, code, clientCode }: Pick<FailureCount, 'status' | 'code' | 'clientCode'>) {
  return (
    <Text size="xs" c="dimmed">
      {[`${status} ${clientCode ?? ''}`.trim(), code].join(' · ')}
    </Text>
  );
}
