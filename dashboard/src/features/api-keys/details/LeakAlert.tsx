import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { failedRequestsSection } from '../../../common/failures/failed-requests.js';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { minuteTime } from '../../../lib/format-time.js';
import { usePermission } from '../../../session/me.js';
import { usageSinceQuery } from '../key-usage.js';
import { latestRequestsSection } from '../requests/latest-requests.js';
import { describeLeak, describeUseSince, nameReporter } from './describe-leak.js';

/** Shows that a secret of the key leaked, where it was found, and how much the key was used since. */
export function LeakAlert({ apiKey }: { apiKey: ApiKeyDetails }) {
  const { id, leak } = apiKey;
  const mayGetUsage = usePermission('get-usage');
  if (leak === undefined) return null;
  const { title, advice, isOver } = describeLeak(apiKey);
  return (
    <Alert variant="light" color={isOver ? 'gray' : 'red'} icon={<IconAlertTriangle />} title={title} role="status">
      <Text size="sm">
        Reported {minuteTime(leak.reportedAt)}
        {nameReporter(leak)}
        {leak.url !== null && (
          <>
            : {/* Reporters choose the URL. */}
            <Anchor
              size="sm"
              c="inherit"
              underline="always"
              href={leak.url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              style={{ overflowWrap: 'anywhere' }}
            >
              {leak.url}
            </Anchor>
          </>
        )}
      </Text>
      {mayGetUsage && <UsageSince apiKeyId={id} reportedAt={leak.reportedAt} />}
      <Text size="sm" mt={4}>
        {advice}
      </Text>
    </Alert>
  );
}

function UsageSince({ apiKeyId, reportedAt }: { apiKeyId: string; reportedAt: string }) {
  const { data } = useQuery(usageSinceQuery(apiKeyId, reportedAt));
  if (data === undefined) return null;
  return (
    <Text size="sm">
      {describeUseSince(data, reportedAt)} Lists of models aren&apos;t counted. See the key&apos;s{' '}
      <Anchor
        size="sm"
        c="inherit"
        underline="always"
        renderRoot={(props) => (
          <Link to="/dashboard/usage" search={{ apiKeyId, range: '30d', groupBy: 'model' }} {...props} />
        )}
      >
        usage in the last 30 days
      </Anchor>
      , <SectionLink hash={failedRequestsSection}>failed requests</SectionLink> and{' '}
      <SectionLink hash={latestRequestsSection}>latest requests</SectionLink>, which include their addresses.
    </Text>
  );
}

/** Leads to a section of the page. */
function SectionLink({ hash, children }: { hash: string; children: string }) {
  return (
    <Anchor
      size="sm"
      c="inherit"
      underline="always"
      renderRoot={(props) => <Link to="." search hash={hash} {...props} />}
    >
      {children}
    </Anchor>
  );
}
