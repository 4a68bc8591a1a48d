import { NativeSelect } from '@mantine/core';

interface ModelSelectProps {
  models: string[];
  value: string | undefined;
  onChange: (model: string) => void;
  description?: string | undefined;
}

/** Selects the model to try. */
export function ModelSelect({ models, value, onChange, description }: ModelSelectProps) {
  return (
    <NativeSelect
      label="Model"
      description={description}
      maw={480}
      value={value ?? ''}
      data={value === undefined ? [{ value: '', label: 'Enter a key first' }] : models}
      disabled={value === undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
