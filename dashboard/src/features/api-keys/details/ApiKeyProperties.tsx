import { Box, Code, SimpleGrid, Text } from '@mantine/core';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { isExpired } from '../../../common/api-keys/is-expired.js';
import { TagList } from '../../../common/api-keys/TagList.js';
import { PersonLink } from '../../../common/people/PersonLink.js';
import { minuteTime } from '../../../lib/format-time.js';
import { NoValue } from '../../../ui/DataTable.js';
import { Property } from '../../../ui/Property.js';
import { useNow } from '../../../hooks/use-now.js';
import { Time } from '../../../ui/Time.js';

/** The properties of a key. */
export function ApiKeyProperties({ apiKey }: { apiKey: ApiKeyDetails }) {
  const { createdBy, createdByServiceAccount } = apiKey;
  const hasExpired = isExpired(apiKey, useNow());
  const { hint, rotatedAt, createdAt, lastUsedAt, lastUsedAddress, expiresAt, deleteWhenExpired } = apiKey;
  const { models, addresses, note, tags } = apiKey;
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 4 }} m={0}>
      <Property name="Key">
        <Code>{hint}…</Code>
        {rotatedAt && (
          <Text size="sm" c="dimmed">
            Rotated <Time at={rotatedAt} />
          </Text>
        )}
      </Property>
      <Property name="Created">
        <Time at={createdAt} />
        {createdBy !== null && (
          <Box mt={4}>
            <PersonLink person={createdBy} />
          </Box>
        )}
        {createdByServiceAccount !== undefined && (
          <Box mt={4}>
            <PersonLink person={createdByServiceAccount} isServiceAccount />
          </Box>
        )}
        {createdBy === null && createdByServiceAccount === undefined && (
          <Text size="sm" c="dimmed">
            by a deleted account
          </Text>
        )}
      </Property>
      <Property name="Last used">
        {lastUsedAt === undefined ? <NoValue>Never</NoValue> : <Time at={lastUsedAt} />}
        {lastUsedAddress !== undefined && (
          <Text size="sm" c="dimmed">
            from {lastUsedAddress}
          </Text>
        )}
      </Property>
      <Property name={hasExpired ? 'Expired' : 'Expires'}>
        {expiresAt === undefined ? <NoValue>Never</NoValue> : <Time at={expiresAt} />}
        {expiresAt !== undefined && (
          <Text size="sm" c="dimmed">
            {minuteTime(expiresAt)}
            {deleteWhenExpired && ', then deleted'}
          </Text>
        )}
      </Property>
      {models !== null && <Property name="Models">{models.length === 0 ? 'None' : models.join(', ')}</Property>}
      {addresses !== null && <Property name="IP addresses">{addresses.join(', ')}</Property>}
      {tags.length > 0 && (
        <Property name="Tags">
          <TagList tags={tags} areLinks />
        </Property>
      )}
      {note !== null && <Property name="Note">{note}</Property>}
    </SimpleGrid>
  );
}
