import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { dayOf } from '../../lib/calendar-day.js';
import { notifyFailed } from '../../lib/notify.js';
import { saveFile } from '../../lib/save-file.js';
import { exportAuditEvents } from './audit-events.js';
import type { AuditLogSearch } from './search.js';

/** Downloads all matching events as CSV, not just the loaded ones. */
export function ExportButton({ search }: { search: AuditLogSearch }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => exportAuditEvents(search),
    onSuccess: (csv) => saveFile(`audit-events-${dayOf(new Date())}.csv`, csv),
    onError: ({ message }) => notifyFailed(`Export failed. ${message}`),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Export CSV
    </Button>
  );
}
