import { Button } from '@mantine/core';
import { focusHeading } from '../lib/restore-focus.js';

/** A button in an empty list. It disappears with the filters, so the heading gets the focus. */
export function ClearFiltersButton({ onClear }: { onClear: () => void }) {
  const clear = () => {
    focusHeading();
    onClear();
  };
  return (
    <Button variant="light" mt="xs" onClick={clear}>
      Clear filters
    </Button>
  );
}
