import { Group, Pill, Select, SimpleGrid } from '@mantine/core';
import { nameLength } from '@rules/text-rules.js';
import type { ReactNode } from 'react';
import { dayOf, daysBefore } from '../../../lib/calendar-day.js';
import { focusHeading } from '../../../lib/restore-focus.js';
import { DayRangeInput } from '../../../ui/DayRangeInput.js';
import { actionChoices, readAction, readTargetKind, targetKindChoices } from '../events/actions.js';
import type { AuditLogSearch } from '../search.js';
import { ActorField } from './ActorField.js';

interface AuditFiltersProps {
  search: AuditLogSearch;
  /** Emails suggested in the actor field. */
  actorEmails: string[];
  /** Name of the service account `search.actorId` refers to, if known. */
  actorName: string | undefined;
  /** Name of the target `search.targetId` refers to, if known. */
  targetName: string | undefined;
  onChange: (change: AuditLogSearch) => void;
}

/** Filters the audit log by actor, action, target and date. */
export function AuditFilters({ search, actorEmails, actorName, targetName, onChange }: AuditFiltersProps) {
  const { actorEmail, actorId, action, targetKind, targetId, targetHint } = search;
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
          nothingFoundMessage="No matching action"
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
      {[actorId, targetId, targetHint].some((filter) => filter !== undefined) && (
        <Group mb="md">
          {actorId !== undefined && (
            <FilterPill removeLabel="Show all actors" onRemove={() => onChange({ actorId: undefined })}>
              Only by {actorName ?? actorId}
            </FilterPill>
          )}
          {targetId !== undefined && (
            <FilterPill removeLabel="Show all targets" onRemove={() => onChange({ targetId: undefined })}>
              Only {targetName ?? targetId}
            </FilterPill>
          )}
          {targetHint !== undefined && (
            <FilterPill removeLabel="Show all keys" onRemove={() => onChange({ targetHint: undefined })}>
              Only {targetHint}…
            </FilterPill>
          )}
        </Group>
      )}
    </>
  );
}

interface FilterPillProps {
  /** Accessible name of the button that removes the filter. */
  removeLabel: string;
  onRemove: () => void;
  children: ReactNode;
}

/** A filter set by a link, which can only be removed. */
function FilterPill({ removeLabel, onRemove, children }: FilterPillProps) {
  const remove = () => {
    focusHeading();
    onRemove();
  };
  return (
    <Pill
      size="md"
      withRemoveButton
      onRemove={remove}
      removeButtonProps={{ 'aria-label': removeLabel, tabIndex: 0, 'aria-hidden': false }}
    >
      {children}
    </Pill>
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
