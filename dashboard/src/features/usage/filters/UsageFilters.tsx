import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxTagLength } from '@rules/tag-rules.js';
import { maxModelIdLength } from '@rules/text-rules.js';
import { tagsQuery } from '../../../common/api-keys/api-keys.js';
import { focusHeading } from '../../../lib/restore-focus.js';
import { usePermission } from '../../../session/me.js';
import { isFiltered, noFilters, type UsageSearch } from '../search.js';
import { usedQuery } from '../usage.js';
import { toModelOptions, withSelected } from './filter-options.js';
import { KeyFilter } from './KeyFilter.js';
import { ManySelect } from './ManySelect.js';
import { PersonFilter } from './PersonFilter.js';

interface UsageFiltersProps {
  search: UsageSearch;
  onChange: (change: Partial<UsageSearch>) => void;
}

/** Selects keys, models, tags and people. */
export function UsageFilters({ search, onChange }: UsageFiltersProps) {
  return (
    <Group gap="xs">
      <KeyFilter {...{ search, onChange }} />
      <ModelFilter {...{ search, onChange }} />
      <TagFilter {...{ search, onChange }} />
      <PersonFilter creatorId={search.creatorId} onChange={onChange} />
      {isFiltered(search) && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => {
            // The button disappears with the filters.
            focusHeading();
            onChange(noFilters);
          }}
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}

function ModelFilter({ search, onChange }: UsageFiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { data = [] } = useQuery({ ...usedQuery('model', search), enabled: isOpen });
  const selected = (search.model ?? []).map((model) => ({ value: model, label: model }));
  return (
    <ManySelect
      aria-label="Models"
      placeholder="All models"
      data={withSelected(toModelOptions(data), selected)}
      maxLength={maxModelIdLength}
      value={search.model}
      onChange={(model) => onChange({ model })}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
    />
  );
}

/** Hidden from organizations that don't use tags. */
function TagFilter({ search: { tag }, onChange }: UsageFiltersProps) {
  const { data = [] } = useQuery({ ...tagsQuery, enabled: usePermission('get-api-keys') });
  // Tags in the URL may no longer be in use.
  const tags = [...new Set([...(tag ?? []), ...data])].sort();
  if (tags.length === 0) return null;
  return (
    <ManySelect
      aria-label="Tags"
      placeholder="All tags"
      data={tags}
      maxLength={maxTagLength}
      value={tag}
      onChange={(chosen) => onChange({ tag: chosen })}
    />
  );
}
