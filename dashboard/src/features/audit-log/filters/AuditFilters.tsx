import { Group, Pill, Select, SimpleGrid } from '@mantine/core';
import { ActorField } from './ActorField.js';
import { actionChoices, readAction, readTargetKind, targetKindChoices } from '../events/actions.js';
import { PeriodField } from './PeriodField.js';
import type { AuditLogSearch } from '../search.js';

interface AuditFiltersProps {
  search: AuditLogSearch;
  /** Addresses of people who could be looked for. */
  people: string[];
  /** How the thing is called that the address asks for by its id, where that is known. */
  targetName: string | undefined;
  onChange: (change: AuditLogSearch) => void;
}

/** Who did what to what, and when. */
export function AuditFilters({ search, people, targetName, onChange }: AuditFiltersProps) {
  const { actorEmail, action, targetKind, targetId, from, to } = search;
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm" mb="md">
        <ActorField value={actorEmail} suggestions={people} onChange={(email) => onChange({ actorEmail: email })} />
        <Select
          label="What"
          placeholder="Anything"
          data={actionChoices}
          value={action ?? null}
          onChange={(value) => onChange({ action: readAction(value) })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Anything' }}
        />
        <Select
          label="Done to"
          placeholder="Everything"
          data={targetKindChoices}
          value={targetKind ?? null}
          onChange={(value) => onChange({ targetKind: readTargetKind(value), targetId: undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'Everything' }}
        />
        <PeriodField from={from} to={to} onChange={onChange} />
      </SimpleGrid>
      {targetId !== undefined && (
        <Group mb="md">
          <Pill
            size="md"
            withRemoveButton
            onRemove={() => onChange({ targetId: undefined })}
            removeButtonProps={{ 'aria-label': 'Show those of others, too', tabIndex: 0, 'aria-hidden': false }}
          >
            Only {targetName ?? targetId}
          </Pill>
        </Group>
      )}
    </>
  );
}
