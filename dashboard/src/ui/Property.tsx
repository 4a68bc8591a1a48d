import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A name and its value in a description list. */
export function Property({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed" mb={4}>
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
