import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { foldText } from '../../../lib/fold-text.js';
import { checkName } from '../../../lib/text-rules.js';
import { usePermission } from '../../../session/me.js';
import { apiKeysQuery, type ListedApiKey } from '../../../common/api-keys/api-keys.js';

const delayMilliseconds = 300;
/** Enough to know whether other keys, next to the renamed one, are one or several. */
const perPage = 3;

interface SameNameHintProps {
  /** As typed. */
  name: string;
  /** Id of the key that is being renamed. */
  id?: string;
}

/** Says that other keys have the same name, which is allowed but confusing. */
export function SameNameHint({ name, id }: SameNameHintProps) {
  const others = useSameNamedKeys(name.trim()).filter((key) => key.id !== id);
  const [first] = others;
  return (
    <div role="status">
      {first !== undefined && (
        <Text size="xs" c="dimmed" mt={5}>
          {others.length === 1 ? `The key ${first.hint}… already has this name.` : 'Other keys already have this name.'}
        </Text>
      )}
    </div>
  );
}

/** Finds keys by their whole name, once the user stops typing. */
function useSameNamedKeys(name: string): ListedApiKey[] {
  const [searched] = useDebouncedValue(name, delayMilliseconds);
  const mayGet = usePermission('get-api-keys');
  const { data } = useQuery({
    ...apiKeysQuery({ page: 1, perPage, orderBy: 'name', order: 'ASC', exactName: searched }),
    enabled: mayGet && checkName(searched) === undefined,
    // Keys of another name.
    placeholderData: undefined,
    refetchInterval: false,
  });
  // Until the search follows, they are of the previous name.
  return data?.apiKeys.filter((key) => foldText(key.name) === foldText(name)) ?? [];
}
