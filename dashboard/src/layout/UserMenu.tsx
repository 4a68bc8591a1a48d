import { Group, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconLogout, IconMoon, IconSun, IconSunMoon, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMe } from '../session/me.js';
import { useSignOut } from '../session/use-sign-out.js';
import { PersonAvatar } from '../ui/PersonAvatar.js';
import classes from './UserMenu.module.css';

const colorSchemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconSunMoon },
] as const;

/** Shows the signed-in user. Its menu has their account page, the appearance and sign-out. */
export function UserMenu({ onNavigate }: { onNavigate: () => void }) {
  const { user, role } = useMe();
  const { mutate: signOut } = useSignOut();
  return (
    <Menu position="top-start" width={216}>
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <VisuallyHidden>Your account: </VisuallyHidden>
          <Group gap="sm" wrap="nowrap">
            <PersonAvatar id={user.id} name={user.name} size="md" />
            <div className={classes.names}>
              <Text size="sm" fw={500} truncate title={user.name}>
                {user.name}
              </Text>
              <Text size="xs" c="dimmed" truncate title={role.name}>
                {role.name}
              </Text>
            </div>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item
          renderRoot={(props) => <Link to="/dashboard/account" {...props} />}
          leftSection={<IconUserCircle size={16} aria-hidden />}
          onClick={onNavigate}
        >
          Your account
        </Menu.Item>
        <Menu.Label>Appearance</Menu.Label>
        <ColorSchemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return colorSchemes.map(({ value, label, icon: Icon }) => (
    <Menu.Item
      key={value}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => setColorScheme(value)}
      rightSection={colorScheme === value && <IconCheck size={16} aria-hidden />}
      aria-current={colorScheme === value}
      fw={colorScheme === value ? 600 : undefined}
    >
      {label}
    </Menu.Item>
  ));
}
