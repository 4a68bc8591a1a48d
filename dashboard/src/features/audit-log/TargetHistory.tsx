import { Text } from '@mantine/core';
import type { AuditTarget } from '../../api/schema.js';

/** What the audit log tells of one thing, such as a key. */
export function TargetHistory({ kind, id }: { kind: AuditTarget['kind']; id: string }) {
  return <Text>{`${kind} ${id}`}</Text>;
}
