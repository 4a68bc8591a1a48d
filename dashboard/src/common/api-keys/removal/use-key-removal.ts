import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyList } from '../../../api/schema.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { usePermission } from '../../../session/me.js';
import { keysOfCreatorQuery } from '../api-keys.js';

/** What happens to the keys of a member or service account that is removed. */
export type KeyRemoval = 'keep' | 'disable' | 'delete';

/** State of `KeyRemovalFields`. */
export interface KeyRemovalState {
  chosen: KeyRemoval;
  choose: (removal: KeyRemoval) => void;
  /** The newest keys, and how many there are; undefined while loading, and if the user may not see them. */
  list: ApiKeyList | undefined;
  isLoading: boolean;
  mayGetKeys: boolean;
  /** Ends the sentence about the removal, such as " and 2 keys deleted". */
  describeDone: () => string;
}

/** Finds the keys that a user or service account created, for the dialog that removes it. */
export function useKeyRemoval(creatorId: string, isOpen: boolean): KeyRemovalState {
  const [chosen, choose] = useState<KeyRemoval>('keep');
  const mayGetKeys = usePermission('get-api-keys');
  const { data: list, isLoading } = useQuery({ ...keysOfCreatorQuery(creatorId), enabled: mayGetKeys && isOpen });
  const describeDone = () => {
    if (chosen === 'keep' || list === undefined || list.total === 0) return '';
    return ` and ${pluralize(list.total, 'key')} ${chosen === 'disable' ? 'disabled' : 'deleted'}`;
  };
  return { chosen, choose, list, isLoading, mayGetKeys, describeDone };
}
