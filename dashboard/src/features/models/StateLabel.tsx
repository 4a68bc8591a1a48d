import { Group, Text } from '@mantine/core';
import type { State } from './describe-state.js';
import classes from './Models.module.css';

/** A state and a dot in its color. */
export function StateLabel({ label, color }: State) {
  return (
    <Group gap={8} wrap="nowrap">
      <span className={classes.dot} data-color={color} aria-hidden />
      <Text size="sm">{label}</Text>
    </Group>
  );
}
