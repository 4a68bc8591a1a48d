import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/api.js';
import { unwrap } from '../api/service-error.js';
import { organizationsQuery } from '../features/organization/organizations.js';
import { useMe } from '../session/me.js';
import { session } from '../session/session.js';

/** The current organization, and the way to the user's others. */
export function OrganizationSwitcher() {
  const { organization } = useMe();
  const { data } = useQuery(organizationsQuery);
  const { mutate: enter, isPending } = useSwitchOrganization();
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          justify="space-between"
          rightSection={<IconSelector size={16} aria-hidden />}
          loading={isPending}
          aria-label={`Organization: ${organization.name}`}
        >
          <Text truncate size="sm" fw={500}>
            {organization.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Your organizations</Menu.Label>
        {data?.organizations.map(({ id, name }) => (
          <Menu.Item
            key={id}
            disabled={id === organization.id}
            rightSection={id === organization.id && <IconCheck size={16} aria-label="current" />}
            onClick={() => enter(id)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function useSwitchOrganization() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (organizationId: string) => unwrap(api.POST('/auth/switch-organization', { body: { organizationId } })),
    onSuccess: async (token) => {
      session.accept(token);
      await navigate({ to: '/dashboard/keys' });
      // Nothing that was read for the other organization may be shown any longer.
      await queryClient.resetQueries();
    },
  });
}
