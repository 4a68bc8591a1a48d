import { Text } from '@mantine/core';
import { hasRoundedCosts } from '../../lib/format-numbers.js';

interface RoundingNoteProps {
  /** All costs of the table, also its totals. */
  amounts: readonly number[];
  currency: string | undefined;
}

/** Explains why the costs of a table may differ from their total by a cent, if they do not have all of their decimals. */
export function RoundingNote({ amounts, currency }: RoundingNoteProps) {
  if (!hasRoundedCosts(amounts, currency)) return null;
  return (
    <Text size="xs" c="dimmed" mt="xs">
      Rows are rounded, so they may not add up to the total exactly. The CSV file has exact costs.
    </Text>
  );
}
