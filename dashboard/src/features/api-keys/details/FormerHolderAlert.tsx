import { Alert, Text } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { findHolder, nameHolder } from './describe-holder.js';

/** Warns that a former member or a deleted service account knows the current secret of the key. */
export function FormerHolderAlert({ apiKey }: { apiKey: ApiKeyDetails }) {
  const holder = findHolder(apiKey, 'current');
  if (holder === undefined) return null;
  return (
    <Alert variant="light" color="orange" icon={<IconUserMinus />} role="status" style={{ overflowWrap: 'anywhere' }}>
      {/* A title would be orange, and illegible. */}
      <Text size="sm" fw={600}>
        {nameHolder(holder)} knows the secret of this key.
      </Text>
      <Text size="sm">Rotate the key, with a short period or none.</Text>
    </Alert>
  );
}
