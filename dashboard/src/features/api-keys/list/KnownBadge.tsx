import { Badge, type MantineSize, VisuallyHidden } from '@mantine/core';
import { describeHolders, type Secrets } from '../known-secrets.js';

/** Marks a key that former members or deleted service accounts know, and names them when pointed at. */
export function KnownBadge({ apiKey, size }: { apiKey: Secrets; size?: MantineSize }) {
  const text = describeHolders(apiKey);
  if (text === '') return null;
  return (
    <Badge color="gray" variant="default" size={size} title={text}>
      Known to removed members
      <VisuallyHidden>: {text}</VisuallyHidden>
    </Badge>
  );
}
