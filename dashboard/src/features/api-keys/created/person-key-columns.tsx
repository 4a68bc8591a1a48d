import type { ListedApiKey as ApiKey } from '../../../api/schema.js';
import type { Column } from '../../../ui/DataTable.js';
import { createdColumn, hintColumn, KeyName, lastUsedColumn } from '../list/key-columns.js';

/** In the tables of keys that someone created or rotated. */
export const personKeyColumns: Column<ApiKey>[] = [
  { key: 'name', header: 'Name', render: (apiKey) => <KeyName apiKey={apiKey} />, isName: true },
  hintColumn,
  { ...createdColumn, visibleFrom: 'sm' },
  { ...lastUsedColumn, visibleFrom: 'xs' },
];
