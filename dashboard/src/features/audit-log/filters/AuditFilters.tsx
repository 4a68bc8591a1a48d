import { Group, Pill, Select, SimpleGrid } from '@mantine/core';
import { nameLength } from '@rules/text-rules.js';
import { dayOf, daysBefore } from '../../../lib/calendar-day.js';
import { DayRangeInput } from '../../../ui/DayRangeInput.js';
import { actionChoices, readAction, readTargetKind, targetKindChoices } from '../events/actions.js';
import type { AuditLogSearch } from '../search.js';
import { ActorField } from './ActorField.js';

interface AuditFiltersProps {
  search: AuditLogSearch;
  /** Emails suggested in the actor field. */
  actorEmails: string[];
  /** Name of the target `search.targetId` refers to, if known. */
  targetName: string | undefined;
  onChange: (change: AuditLogSearch) => void;
}

/** Filters the audit log by actor, action, target and date. */
export function AuditFilters({ search, actorEmails, targetName, onChange }: AuditFiltersProps) {
  const { actorEmail, action, targetKind, targetId } = search;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm" mb="md">
        <ActorField
          value={actorEmail}
          suggestions={actorEmails}
          onChange={(email) => onChange({ actorEmail: email })}
        />
        <Select
          label="Action"
          placeholder="Any action"
          data={actionChoices}
          value={action ?? null}
          onChange={(value) => onChange({ action: readAction(value) })}
          searchable
          maxLength={nameLength.max}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear action' }}
        />
        <Select
          label="Target"
          placeholder="Any target"
          data={targetKindChoices}
          value={targetKind ?? null}
          onChange={(value) => onChange({ targetKind: readTargetKind(value), targetId: undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear target' }}
        />
        <DateField {...search} onChange={onChange} />
      </SimpleGrid>
      {targetId !== undefined && (
        <Group mb="md">
          <Pill
            size="md"
            withRemoveButton
            onRemove={() => onChange({ targetId: undefined })}
            removeButtonProps={{ 'aria-label': 'Show all targets', tabIndex: 0, 'aria-hidden': false }}
          >
            Only {targetName ?? targetId}
          </Pill>
        </Group>
      )}
    </>
  );
}

interface DateFieldProps extends Pick<AuditLogSearch, 'from' | 'to'> {
  onChange: (range: Pick<AuditLogSearch, 'from' | 'to'>) => void;
}

function DateField({ from, to, onChange }: DateFieldProps) {
  const now = new Date();
  const today = dayOf(now);
  return (
    <DayRangeInput
      label="Date"
      placeholder="Any time"
      from={from}
      to={to}
      onChange={onChange}
      presets={[
        { label: 'Today', value: [today, today] },
        { label: 'Last 7 days', value: [daysBefore(now, 6), today] },
        { label: 'Last 30 days', value: [daysBefore(now, 29), today] },
      ]}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear date' }}
    />
  );
}
