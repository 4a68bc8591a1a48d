import { Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDialog } from '../../hooks/use-dialog.js';
import { usePermission } from '../../session/me.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { BudgetUsageLink } from '../../common/limits/BudgetUsageLink.js';
import { LimitBars } from '../../common/limits/LimitBars.js';
import { OrganizationLimitsModal } from './OrganizationLimitsModal.js';
import { currentOrganizationQuery } from '../../common/organizations/organizations.js';

/** The limits of all keys together, with a button for users who can change them. */
export function OrganizationLimits() {
  const mayUpdate = usePermission('update-organization');
  const { data, error, refetch } = useQuery(currentOrganizationQuery);
  const dialog = useDialog();
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="limits">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4" id="limits">
          Limits
        </Title>
        {data !== undefined && (
          <Group gap="md">
            <BudgetUsageLink limits={data.limits} />
            {mayUpdate && (
              <Button variant="default" size="xs" onClick={() => dialog.open()}>
                Edit limits
              </Button>
            )}
          </Group>
        )}
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={60} />}
      {data?.limits.length === 0 && (
        <Text size="sm" c="dimmed">
          No limits.{mayUpdate && ' You can also limit individual keys.'}
        </Text>
      )}
      {data !== undefined && <LimitBars limits={data.limits} />}
      {data !== undefined && (
        <OrganizationLimitsModal limits={data.limits} isOpen={dialog.isOpen} onClose={dialog.close} />
      )}
    </Paper>
  );
}
