import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { usePendingFocus } from '../../../hooks/use-pending-focus.js';
import { notifyFailed } from '../../../lib/notify.js';
import { saveFile } from '../../../lib/save-file.js';
import type { UsageSearch } from '../search.js';

/** Downloads what the page shows as CSV, with all groups, meters and costs. */
export function ExportButton({ search }: { search: UsageSearch }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => (await import('./export-usage.js')).exportUsage(search),
    onSuccess: ({ name, csv }) => saveFile(name, new Blob([csv], { type: 'text/csv' })),
    onError: ({ message }) => notifyFailed(`Export failed. ${message}`),
  });
  const keepFocus = usePendingFocus(isPending);
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isPending}
      onClick={() => {
        keepFocus();
        mutate();
      }}
    >
      Export CSV
    </Button>
  );
}
