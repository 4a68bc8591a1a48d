import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { MyOrganization } from '../../api/schema.js';
import { LeaveModal } from '../../common/organizations/LeaveModal.js';
import { type Column, DataTable } from '../../ui/DataTable.js';
import { Time } from '../../ui/Time.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { useMe } from '../../session/me.js';
import { CreateOrganizationModal } from './CreateOrganizationModal.js';
import { LeaveButton } from './LeaveButton.js';
import { useSwitchOrganization } from './use-switch-organization.js';

const organizationColumns = (onLeave: () => void): Column<MyOrganization>[] => [
  {
    key: 'name',
    header: 'Name',
    render: ({ name }) => (
      <Text size="sm" fw={500}>
        {name}
      </Text>
    ),
    breaksWords: true,
  },
  { key: 'role', header: 'Your role', render: ({ role }) => role.name, breaksWords: true },
  { key: 'createdAt', header: 'Created', render: ({ createdAt }) => <Time at={createdAt} />, visibleFrom: 'sm' },
  {
    key: 'actions',
    header: 'Actions',
    hidesHeader: true,
    render: (organization) => <Actions organization={organization} onLeave={onLeave} />,
    align: 'right',
  },
];

/** Lists the user's organizations, to switch between them, leave the current one, or create one if the user may. */
export function MyOrganizations({ organizations }: { organizations: MyOrganization[] }) {
  const { canCreateOrganizations } = useMe();
  const creation = useDialog();
  const leaving = useDialog();
  return (
    <Paper withBorder py="lg" px={{ base: 'xs', sm: 'lg' }} component="section" aria-labelledby="my-organizations">
      <Group justify="space-between" mb="md" px={{ base: 'xs', sm: 0 }}>
        <Title order={2} size="h4" id="my-organizations">
          Your organizations
        </Title>
        {canCreateOrganizations && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => creation.open()}>
            Create organization
          </Button>
        )}
      </Group>
      <DataTable
        label="Your organizations"
        columns={organizationColumns(() => leaving.open())}
        rows={organizations}
        rowKey={({ id }) => id}
        empty={<Text c="dimmed">You don't belong to any organization.</Text>}
      />
      <CreateOrganizationModal isOpen={creation.isOpen} onClose={creation.close} />
      <LeaveModal isOpen={leaving.isOpen} onClose={leaving.close} />
    </Paper>
  );
}

interface ActionsProps {
  organization: MyOrganization;
  /** Asks before the user leaves the current organization. */
  onLeave: () => void;
}

function Actions({ organization: { id, name }, onLeave }: ActionsProps) {
  const { switchTo, isPending } = useSwitchOrganization();
  if (useMe().organization.id === id) {
    return (
      <Group gap="xs" justify="flex-end">
        <Badge variant="light">Current</Badge>
        <LeaveButton onClick={onLeave} />
      </Group>
    );
  }
  return (
    <Button
      size="xs"
      variant="default"
      disabled={isPending}
      aria-label={`Switch to ${name}`}
      onClick={() => switchTo({ organizationId: id })}
    >
      Switch
    </Button>
  );
}
