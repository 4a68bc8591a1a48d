import { Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNow } from '../../hooks/use-now.js';
import { isBudget } from '@rules/limit-rules.js';
import { AlertsInput } from './AlertsInput.js';
import { IncreaseFields } from './IncreaseFields.js';
import { describeRowOptions } from './describe-row-options.js';
import { LimitModelsInput } from './LimitModelsInput.js';
import type { LimitRow } from './limit-rows.js';

interface LimitOptionsProps {
  /** Of the limit. */
  name: string;
  row: LimitRow;
  currency: string | undefined;
  errorOf: (field: string) => ReactNode;
  onChange: (row: LimitRow) => void;
}

const fields = ['models', 'increase', 'increase.by', 'increase.until', 'notifyAt'];

/** Models, a temporary increase and alerts of a limit. While they are hidden, a text says what is set. */
export function LimitOptions({ name, row, currency, errorOf, onChange }: LimitOptionsProps) {
  const [isOpened, { toggle }] = useDisclosure();
  // A hidden field must not have an error.
  const isOpen = isOpened || fields.some((field) => errorOf(field) !== undefined);
  const sectionId = useId();
  const summary = describeRowOptions(row, currency, useNow());
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Group gap="xs" mt={4} wrap="nowrap" align="flex-start">
        <Button
          // On hover, other variants have too little contrast.
          variant="transparent"
          size="compact-sm"
          px={0}
          flex="none"
          leftSection={<Chevron size={14} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={sectionId}
          aria-label={`Options of ${name.toLowerCase()}`}
          onClick={toggle}
        >
          Options
        </Button>
        {!isOpen && summary !== '' && (
          <Text size="xs" c="dimmed" mt={5}>
            {summary}
          </Text>
        )}
      </Group>
      {/* Not animated: a hidden field can't get the focus. */}
      <Collapse expanded={isOpen} id={sectionId} transitionDuration={0}>
        {isOpen && (
          <Stack gap="sm" pt={4} pb="xs" pl="lg">
            <LimitModelsInput
              value={row.models}
              error={errorOf('models')}
              onChange={(models) => onChange({ ...row, models })}
            />
            <IncreaseFields
              row={row}
              currency={currency}
              byError={errorOf('increase.by') ?? errorOf('increase')}
              untilError={errorOf('increase.until')}
              onChange={(increase) => onChange({ ...row, increase })}
            />
            {isBudget(row) && (
              <AlertsInput
                value={row.notifyAt}
                error={errorOf('notifyAt')}
                onChange={(notifyAt) => onChange({ ...row, notifyAt })}
              />
            )}
          </Stack>
        )}
      </Collapse>
    </div>
  );
}
