import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconListDetails } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ApiKey } from '../../api/schema.js';

/** What can be done with a key. */
export function ApiKeyMenu({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconListDetails size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/dashboard/keys/$id" params={{ id }} {...props} />}
        >
          Details
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
