import { Button, Input, Text } from '@mantine/core';
import { useId } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useNow } from '../../hooks/use-now.js';
import { localTimeZone } from '../../lib/time-zone.js';
import { describeIncrease } from './describe-increase.js';
import { IncreaseInputs } from './IncreaseInputs.js';
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
      <IncreaseInputs
        metric={metric}
        currency={currency}
        value={increase}
        byError={byError}
        untilError={untilError}
        onChange={onChange}
      >
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
      </IncreaseInputs>
      {effect !== undefined && (
        <Text size="xs" mt={4} role="status">
          {`${effect.charAt(0).toUpperCase()}${effect.slice(1)}`}.
        </Text>
      )}
    </div>
  );
}
