import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChosenType, eventTypesQuery } from './webhooks.js';

interface EventTypesInputProps {
  value: ChosenType[];
  onChange: (types: ChosenType[]) => void;
}

/** Chooses types of events; none means all. */
export function EventTypesInput({ value, onChange }: EventTypesInputProps) {
  const { data } = useQuery(eventTypesQuery);
  const types = (data?.eventTypes ?? [])
    .map(({ name }) => name)
    .filter((name): name is ChosenType => name !== 'webhook.test');
  const groups = [...new Set(types.map(subjectOf))].map((group) => ({
    group,
    items: types.filter((type) => subjectOf(type) === group),
  }));
  return (
    <MultiSelect
      label="Events"
      description="Leave empty to get all events, including those of later releases."
      placeholder={value.length === 0 ? 'All events' : ''}
      data={groups}
      value={value}
      onChange={(chosen) => onChange(types.filter((type) => chosen.includes(type)))}
      maxLength={100}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage="No matching events"
    />
  );
}

/** `api_key.created` is about `api key`. */
const subjectOf = (type: ChosenType): string => (type.split('.')[0] ?? '').replaceAll('_', ' ');
