import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { type OnLeak, onLeakPolicies } from '@rules/leak-rules.js';

const labels: Record<OnLeak, string> = {
  notify: 'Only record it',
  disable: 'Disable the key',
  delete: 'Delete the key',
};

const options = onLeakPolicies.map((value) => ({ value, label: labels[value] }));

/** Selects what happens to leaked keys. */
export function OnLeakField({ isReadOnly, ...props }: NativeSelectProps & { isReadOnly: boolean }) {
  return (
    <NativeSelect
      label="When a key is reported as leaked"
      description="Applies to the next request. If only the previous secret of a rotated key leaked, that secret is revoked."
      data={options}
      disabled={isReadOnly}
      {...props}
    />
  );
}
