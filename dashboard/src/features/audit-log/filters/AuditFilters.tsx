import { Button, Pill, SimpleGrid } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconFilter } from '@tabler/icons-react';
import { nameLength } from '@rules/text-rules.js';
import type { AuditEvent } from '../../../api/schema.js';
import { useNarrowerThan } from '../../../hooks/use-narrower-than.js';
import { focusHeading } from '../../../lib/restore-focus.js';
import { actionChoices, readAction, readTargetKind, targetKindChoices } from '../events/actions.js';
import type { AuditLogSearch } from '../search.js';
import { ActorField } from './ActorField.js';
import { DateFields } from './DateFields.js';
import { FilterSelect } from './FilterSelect.js';
import { KeyField } from './KeyField.js';

interface AuditFiltersProps {
  search: AuditLogSearch;
  /** The loaded events, whose targets the filters name. */
  events: readonly AuditEvent[];
  onChange: (change: AuditLogSearch) => void;
}

/** Filters the audit log by actor, action, target, key and date. On phones, a button shows them. */
export function AuditFilters({ search, events, onChange }: AuditFiltersProps) {
  const { actorEmail, actorId, action, targetKind, targetId, targetHint, targetEmail, requestId } = search;
  const isPhone = useNarrowerThan('xs');
  const count = [actorId ?? actorEmail, action, targetKind, targetHint, search.from].filter(
    (set) => set !== undefined,
  ).length;
  const [isOpen, { toggle }] = useDisclosure(count > 0);
  const filtersId = useId();
  const keyId = targetKind === 'api-key' ? targetId : undefined;
  const targetName = events.find(({ target }) => target.id === targetId)?.target.name ?? undefined;
  return (
    <>
      {isPhone && (
        <Button
          variant="default"
          mb="md"
          leftSection={<IconFilter size={16} aria-hidden />}
          rightSection={isOpen ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={filtersId}
          onClick={toggle}
        >
          {count === 0 ? 'Filters' : `Filters (${count})`}
        </Button>
      )}
      <SimpleGrid
        id={filtersId}
        cols={{ base: 1, xs: 2, lg: 3 }}
        spacing="sm"
        mb="md"
        display={isPhone && !isOpen ? 'none' : undefined}
      >
        <ActorField actorEmail={actorEmail} actorId={actorId} onChange={onChange} />
        <FilterSelect
          noun="action"
          data={actionChoices}
          value={action ?? null}
          onChange={(value) => onChange({ action: readAction(value) })}
          inputMode="search"
          maxLength={nameLength.max}
        />
        <FilterSelect
          noun="target"
          data={targetKindChoices}
          value={targetKind ?? null}
          onChange={(value) => onChange({ targetKind: readTargetKind(value), targetId: undefined })}
        />
        <KeyField keyId={keyId} targetHint={targetHint} onChange={onChange} />
        <DateFields {...search} onChange={onChange} />
      </SimpleGrid>
      {targetId !== undefined && keyId === undefined && (
        <LinkPill
          text={`Only ${targetName ?? targetId}`}
          removeLabel="Show all targets"
          onRemove={() => onChange({ targetId: undefined })}
        />
      )}
      {targetEmail !== undefined && (
        <LinkPill
          text={`Only about ${targetEmail}`}
          removeLabel="Show all targets"
          onRemove={() => onChange({ targetEmail: undefined })}
        />
      )}
      {requestId !== undefined && (
        <LinkPill
          text={`Only request ${requestId}`}
          removeLabel="Show all requests"
          onRemove={() => onChange({ requestId: undefined })}
        />
      )}
    </>
  );
}

interface LinkPillProps {
  text: string;
  removeLabel: string;
  onRemove: () => void;
}

/** A filter of a link, which can only be removed. */
function LinkPill({ text, removeLabel, onRemove }: LinkPillProps) {
  const remove = () => {
    focusHeading();
    onRemove();
  };
  return (
    <Pill
      size="md"
      mb="md"
      mr="xs"
      maw="100%"
      bg="var(--mantine-color-default-hover)"
      withRemoveButton
      onRemove={remove}
      removeButtonProps={{ 'aria-label': removeLabel, tabIndex: 0, 'aria-hidden': false }}
    >
      {text}
    </Pill>
  );
}
