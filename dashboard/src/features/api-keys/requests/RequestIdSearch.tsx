import { maxRequestIdLength } from '@rules/text-rules.js';
import { SearchField } from '../../../ui/SearchField.js';

/** Fits a UUID. */
const widthPixels = 320;

interface RequestIdSearchProps {
  requestId: string | undefined;
  onSearch: (requestId: string | undefined) => void;
}

/** Finds a request by the ID that a client reports. Spaces around a pasted ID are removed. */
export function RequestIdSearch({ requestId, onSearch }: RequestIdSearchProps) {
  const search = (text = '') => {
    const trimmed = text.trim();
    onSearch(trimmed === '' ? undefined : trimmed);
  };
  return (
    <SearchField
      label="Request ID"
      size="xs"
      width={widthPixels}
      maxLength={maxRequestIdLength}
      value={requestId}
      onSearch={search}
    />
  );
}
