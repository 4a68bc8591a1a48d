import { Anchor, Badge, Box, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiKeyRequest } from '../../../api/schema.js';
import { failedRequestsSection } from '../../../common/failures/failed-requests.js';
import { formatDuration } from '../../../lib/format-numbers.js';
import { type Column, NoValue } from '../../../ui/DataTable.js';
import { Time } from '../../../ui/Time.js';
import { RequestId } from '../details/RequestId.js';
import { describeCost } from './request-cost.js';
import { describeUsage } from './request-usage.js';

const costColumn = (currency: string | undefined): Column<ApiKeyRequest> => ({
  key: 'cost',
  header: 'Cost',
  render: (request) => {
    const { text, hasCost } = describeCost(request, currency);
    return hasCost ? text : <NoValue>{text}</NoValue>;
  },
  align: 'right',
  visibleFrom: 'md',
  whenHidden: (request) => {
    const { text, hasCost } = describeCost(request, currency);
    return hasCost && text;
  },
});

/**
 * The columns of the latest requests of a key.
 *
 * @param hasCosts whether any request on the page has a cost
 */
export function requestColumns(currency: string | undefined, hasCosts: boolean): Column<ApiKeyRequest>[] {
  return [
    {
      key: 'occurredAt',
      header: 'Time',
      render: ({ occurredAt }) => <Time at={occurredAt} />,
      visibleFrom: 'sm',
      whenHidden: ({ occurredAt }) => <Time at={occurredAt} />,
    },
    {
      key: 'route',
      header: 'Request',
      render: ({ route, model, requestId }) => (
        <>
          <Text size="sm">{route}</Text>
          {model !== null && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {model}
            </Text>
          )}
          {/* Its column needs a wider window, and only narrower ones have a second line. */}
          <Box visibleFrom="lg" hiddenFrom="xl">
            <RequestId id={requestId} />
          </Box>
        </>
      ),
      isName: true,
    },
    { key: 'status', header: 'Status', render: (request) => <Status {...request} /> },
    {
      key: 'usage',
      header: 'Usage',
      render: (request) => describeUsage(request) ?? <NoValue>None</NoValue>,
      visibleFrom: 'md',
      whenHidden: describeUsage,
    },
    ...(hasCosts ? [costColumn(currency)] : []),
    {
      key: 'milliseconds',
      header: 'Latency',
      render: ({ milliseconds }) => formatDuration(milliseconds),
      align: 'right',
      visibleFrom: 'sm',
      whenHidden: ({ milliseconds }) => formatDuration(milliseconds),
    },
    {
      key: 'address',
      header: 'IP address',
      render: ({ address }) => address ?? <NoValue>Unknown</NoValue>,
      visibleFrom: 'lg',
      whenHidden: ({ address }) => address,
    },
    {
      key: 'requestId',
      header: 'Request ID',
      render: ({ requestId }) => <RequestId id={requestId} />,
      breaksWords: true,
      visibleFrom: 'xl',
      whenHidden: ({ requestId }) => <RequestId id={requestId} hasLabel />,
    },
  ];
}

/** The status. That of a failure links to the list of failed requests, which says why. */
function Status({ status, outcome }: ApiKeyRequest) {
  if (outcome === 'success') {
    return (
      <Badge color="gray" variant="default">
        {status}
      </Badge>
    );
  }
  const label = outcome === 'limited' ? `${status} limited` : status < 400 ? `${status} incomplete` : status;
  return (
    <Anchor
      underline="never"
      aria-label={`${label}, see failed requests`}
      renderRoot={(props) => <Link to="." hash={failedRequestsSection} {...props} />}
    >
      <Badge color="red" variant="light" style={{ cursor: 'pointer' }}>
        {label}
      </Badge>
    </Anchor>
  );
}
