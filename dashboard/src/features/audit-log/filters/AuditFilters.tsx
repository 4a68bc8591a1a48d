import { Group, Pill, SimpleGrid } from '@mantine/core';
import { nameLength } from '@rules/text-rules.js';
import type { ReactNode } from 'react';
import type { AuditEvent } from '../../../api/schema.js';
import { dayOf, daysBefore } from '../../../lib/calendar-day.js';
import { focusHeading } from '../../../lib/restore-focus.js';
import { useMe } from '../../../session/me.js';
import { DayRangeInput } from '../../../ui/DayRangeInput.js';
import { actionChoices, readAction, readTargetKind, targetKindChoices } from '../events/actions.js';
import type { AuditLogSearch } from '../search.js';
import { ActorField } from './ActorField.js';
import { FilterSelect } from './FilterSelect.js';

interface AuditFiltersProps {
  search: AuditLogSearch;
  /** The loaded events, whose actors and targets the filters name. */
  events: readonly AuditEvent[];
  onChange: (change: AuditLogSearch) => void;
}

/** Filters the audit log by actor, action, target and date. */
export function AuditFilters({ search, events, onChange }: AuditFiltersProps) {
  const { actorEmail, actorId, action, targetKind, targetId, targetHint } = search;
  const { user } = useMe();
  const actors = events.map(({ actor }) => actor);
  const emails = [user.email, ...actors.map(({ email }) => email)].filter((email) => email !== null);
  const targetName = events.find(({ target }) => target.id === targetId)?.target.name ?? undefined;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm" mb="md">
        <ActorField
          actorEmail={actorEmail}
          actorId={actorId}
          emails={[...new Set(emails)].sort()}
          actorsOfEvents={actors}
          onChange={onChange}
        />
        <FilterSelect
          noun="action"
          data={actionChoices}
          value={action ?? null}
          onChange={(value) => onChange({ action: readAction(value) })}
          searchable
          nothingFoundMessage="No matching action"
          maxLength={nameLength.max}
        />
        <FilterSelect
          noun="target"
          data={targetKindChoices}
          value={targetKind ?? null}
          onChange={(value) => onChange({ targetKind: readTargetKind(value), targetId: undefined })}
        />
        <DateField {...search} onChange={onChange} />
      </SimpleGrid>
      {[targetId, targetHint].some((filter) => filter !== undefined) && (
        <Group mb="md">
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
      bg="var(--mantine-color-default-hover)"
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
