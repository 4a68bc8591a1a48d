import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { Time } from '../../ui/Time.js';
import { useMe } from '../../session/me.js';
import { DeleteOrganization } from './DeleteOrganization.js';
import { MyOrganizations } from './MyOrganizations.js';
import { currentOrganizationQuery, organizationsQuery } from '../../common/organizations/organizations.js';
import { OrganizationLimits } from './OrganizationLimits.js';
import { OrganizationSettings } from './OrganizationSettings.js';

/** The settings and limits of the current organization, and a list of the user's organizations. */
export function OrganizationPage() {
  const { organization, role } = useMe();
  const { data, error, refetch } = useQuery(organizationsQuery);
  const { data: details } = useQuery(currentOrganizationQuery);
  const current = data?.organizations.find(({ id }) => id === organization.id);
  return (
    <>
      <PageHeader
        title="Organization"
        description={
          <>
            Your role: {role.name}
            {current !== undefined && (
              <>
                {' '}
                · Created <Time at={current.createdAt} />
              </>
            )}
          </>
        }
      />
      <Stack gap="lg">
        {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
        {(data === undefined || details === undefined) && error === null && <Skeleton height={320} />}
        {details !== undefined && <OrganizationSettings key={details.id} organization={details} />}
        <OrganizationLimits />
        {data !== undefined && <MyOrganizations organizations={data.organizations} />}
        {current !== undefined && (
          <DeleteOrganization organization={current} hasOthers={data !== undefined && data.organizations.length > 1} />
        )}
      </Stack>
    </>
  );
}
