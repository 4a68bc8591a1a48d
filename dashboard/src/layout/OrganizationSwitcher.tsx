import { Button, Menu, Text } from '@mantine/core';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyComponent } from '../lib/lazy-component.js';
import { useDialog } from '../hooks/use-dialog.js';
import { organizationsQuery } from '../common/organizations/organizations.js';
import { useSwitchOrganization } from '../features/organization/use-switch-organization.js';
import { useMe } from '../session/me.js';
import classes from './OrganizationSwitcher.module.css';

const CreateOrganizationModal = lazyComponent(
  () => import('../features/organization/CreateOrganizationModal.js'),
  'CreateOrganizationModal',
);

interface OrganizationSwitcherProps {
  onNavigate: () => void;
}

/** Shows the current organization. Its menu switches to another one, or creates one if the user may. */
export function OrganizationSwitcher({ onNavigate }: OrganizationSwitcherProps) {
  const { organization } = useMe();
  const { isPending } = useSwitchOrganization();
  const creation = useDialog();
  return (
    <>
      <Menu width="target" position="bottom-start" onOpen={() => void CreateOrganizationModal.preload?.()}>
        <Menu.Target>
          <Button
            variant="default"
            fullWidth
            justify="space-between"
            rightSection={<IconSelector size={16} aria-hidden />}
            loading={isPending}
            aria-label={`Organization: ${organization.name}`}
            title={organization.name}
          >
            <Text truncate size="sm" fw={500}>
              {organization.name}
            </Text>
          </Button>
        </Menu.Target>
        <OrganizationMenu onNavigate={onNavigate} onCreate={() => creation.open()} />
      </Menu>
      {creation.wasOpened && (
        <Suspense>
          <CreateOrganizationModal isOpen={creation.isOpen} onClose={creation.close} />
        </Suspense>
      )}
    </>
  );
}

function OrganizationMenu({ onNavigate, onCreate }: OrganizationSwitcherProps & { onCreate: () => void }) {
  const { organization, canCreateOrganizations } = useMe();
  const { data, error } = useQuery(organizationsQuery);
  const { switchTo } = useSwitchOrganization();
  return (
    <Menu.Dropdown>
      <Menu.Label>Your organizations</Menu.Label>
      {data === undefined && <Menu.Item disabled>{error === null ? 'Loading…' : error.message}</Menu.Item>}
      <div className={classes.organizations}>
        {data?.organizations.map(({ id, name }) => (
          <Menu.Item
            key={id}
            fw={id === organization.id ? 600 : undefined}
            rightSection={id === organization.id && <IconCheck size={16} aria-label="current" />}
            onClick={() => {
              if (id === organization.id) return;
              switchTo({ organizationId: id });
              onNavigate();
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </div>
      {canCreateOrganizations && (
        <>
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate}>
            Create organization
          </Menu.Item>
        </>
      )}
    </Menu.Dropdown>
  );
}
