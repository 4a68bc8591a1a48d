import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { maxLimitModels } from '@rules/limit-rules.js';
import { maxModelIdLength } from '@rules/text-rules.js';
import { fieldLength } from '../../lib/text-rules.js';
import { servedModelsQuery } from '../models/models.js';

interface LimitModelsInputProps {
  value: string[];
  error: ReactNode;
  onChange: (models: string[]) => void;
}

/** Selects the models whose requests count. Models that are no longer served stay selectable. */
export function LimitModelsInput({ value, error, onChange }: LimitModelsInputProps) {
  const { data } = useQuery(servedModelsQuery);
  const ids = new Set([...(data?.models.map(({ id }) => id) ?? []), ...value]);
  return (
    <MultiSelect
      label="Only for these models"
      description="Only requests to these models count. Empty means all."
      placeholder={value.length === 0 ? 'All models' : ''}
      data={[...ids]}
      maxValues={maxLimitModels}
      maxLength={fieldLength(maxModelIdLength)}
      searchable
      hidePickedOptions
      nothingFoundMessage="No match"
      openOnFocus={false}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}
