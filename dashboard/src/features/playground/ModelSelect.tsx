import { NativeSelect } from '@mantine/core';

interface ModelSelectProps {
  models: string[];
  value: string | undefined;
  onChange: (model: string) => void;
}

/** Selects the model to try. */
export function ModelSelect({ models, value, onChange }: ModelSelectProps) {
  return (
    <NativeSelect
      label="Model"
      maw={480}
      value={value ?? ''}
      data={value === undefined ? [{ value: '', label: 'Select a key first' }] : models}
      disabled={value === undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
