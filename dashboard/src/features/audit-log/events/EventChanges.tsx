import { Group, Table, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { Change } from './describe-changes.js';
import classes from './EventChanges.module.css';

/** The old and new value of each changed field. */
export function EventChanges({ changes }: { changes: Change[] }) {
  return (
    <Table aria-label="Changes" withRowBorders={false} verticalSpacing={4} horizontalSpacing={0}>
      <Table.Tbody>
        {changes.map(({ field, before, after }) => (
          <Table.Tr key={field}>
            <Table.Th className={classes.field} fw={400}>
              {field}
            </Table.Th>
            <Table.Td className={classes.values}>
              <Group gap={6} wrap="wrap">
                {before.map((value) => (
                  <Text key={value} component="del" size="sm" c="dimmed" td="line-through">
                    {value}
                  </Text>
                ))}
                {before.length > 0 && after.length > 0 && <IconArrowRight size={14} aria-label="changed to" />}
                {after.map((value) => (
                  <Text key={value} component="ins" size="sm" td="none" fw={500}>
                    {value}
                  </Text>
                ))}
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
