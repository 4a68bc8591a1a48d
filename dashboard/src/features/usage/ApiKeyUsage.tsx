import { Text } from '@mantine/core';

/** What one key has used lately. */
export function ApiKeyUsage({ apiKeyId }: { apiKeyId: string }) {
  return <Text>{apiKeyId}</Text>;
}
