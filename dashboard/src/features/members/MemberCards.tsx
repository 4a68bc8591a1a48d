import { Group, Stack, Text } from '@mantine/core';
import type { Member } from '../../api/schema.js';
import { Time } from '../../ui/Time.js';
import { MemberName } from './MemberName.js';
import { MemberRole } from './MemberRole.js';
import { RemoveMemberButton } from './RemoveMemberButton.js';
import classes from './MemberCards.module.css';

/** Members as a list of cards, for small screens. */
export function MemberCards({ members }: { members: Member[] }) {
  return (
    <ul aria-label="Members" className={classes.list}>
      {members.map((member) => (
        <Stack component="li" key={member.id} gap="xs" className={classes.card}>
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <MemberName member={member} />
            <RemoveMemberButton member={member} />
          </Group>
          <MemberRole member={member} />
          <Text size="xs" c="dimmed">
            Joined <Time at={member.joinedAt} />
          </Text>
        </Stack>
      ))}
    </ul>
  );
}
