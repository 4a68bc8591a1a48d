import { Button, Group, Input, Text, TextInput } from '@mantine/core';
import { useId } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useNow } from '../../hooks/use-now.js';
import { localTimeZone } from '../../lib/time-zone.js';
import { AmountInput } from './AmountInput.js';
import { describeIncrease } from './describe-increase.js';
import type { LimitRow } from './limit-rows.js';

interface IncreaseFieldsProps {
  row: LimitRow;
  currency: string | undefined;
  byError: ReactNode;
  untilError: ReactNode;
  onChange: (increase: LimitRow['increase']) => void;
}

/** By how much a limit is raised, and until when. */
export function IncreaseFields({ row, currency, byError, untilError, onChange }: IncreaseFieldsProps) {
  const labelId = useId();
  const { metric, increase } = row;
  const { by, until } = increase;
  const isSet = by !== '' || until !== '';
  const effect = describeIncrease(row, currency, useNow());
  return (
    <div role="group" aria-labelledby={labelId}>
      <Input.Label labelElement="div" id={labelId}>
        Temporary increase
      </Input.Label>
      <Input.Description mb={4}>Raises the limit until a time in your time zone ({localTimeZone()}).</Input.Description>
      <Group gap="xs" align="flex-start">
        <AmountInput
          label="Increase by"
          flex="1 1 130px"
          metric={metric}
          currency={currency}
          value={by}
          onChange={(value) => onChange({ ...increase, by: value })}
          error={byError}
        />
        <TextInput
          type="datetime-local"
          label="Until"
          flex="1 1 190px"
          max="9999-12-31T23:59"
          value={until}
          onChange={({ currentTarget }) => onChange({ ...increase, until: currentTarget.value })}
          error={untilError}
        />
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          // Next to the fields, below their labels.
          mt={28}
          disabled={!isSet}
          onClick={() => onChange({ by: '', until: '' })}
        >
          Clear
        </Button>
      </Group>
      {effect !== undefined && (
        <Text size="xs" mt={4} role="status">
          {`${effect.charAt(0).toUpperCase()}${effect.slice(1)}`}.
        </Text>
      )}
    </div>
  );
}
