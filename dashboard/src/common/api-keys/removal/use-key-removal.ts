import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyList } from '../../../api/schema.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { usePermission } from '../../../session/me.js';
import { keysOfCreatorQuery, rotatedKeysQuery } from '../api-keys.js';

/** What happens to the keys of a member or service account that is removed. */
export type KeyRemoval = 'keep' | 'disable' | 'delete';

/** State of `KeyRemovalFields`. */
export interface KeyRemovalState {
  /** Id of the user or service account. */
  creatorId: string;
  chosen: KeyRemoval;
  choose: (removal: KeyRemoval) => void;
  /** The newest keys, and how many there are; undefined while loading, and if the user may not see them. */
  list: ApiKeyList | undefined;
  /** Keys of others whose secrets they know, in the same way. */
  rotated: ApiKeyList | undefined;
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
  mayGetKeys: boolean;
  /** Ends the sentence about the removal, such as " and 2 keys deleted". */
  describeDone: () => string;
}

/** Finds the keys that a user or service account created or rotated, for the dialog that removes it. */
export function useKeyRemoval(creatorId: string, isOpen: boolean): KeyRemovalState {
  const [chosen, choose] = useState<KeyRemoval>('keep');
  const mayGetKeys = usePermission('get-api-keys');
  const enabled = mayGetKeys && isOpen;
  const created = useQuery({ ...keysOfCreatorQuery(creatorId), enabled });
  const rotated = useQuery({ ...rotatedKeysQuery(creatorId), enabled });
  const list = created.data;
  const describeDone = () => {
    if (chosen === 'keep' || list === undefined || list.total === 0) return '';
    return ` and ${pluralize(list.total, 'key')} ${chosen === 'disable' ? 'disabled' : 'deleted'}`;
  };
  return {
    creatorId,
    chosen,
    choose,
    list,
    rotated: rotated.data,
    isLoading: created.isLoading || rotated.isLoading,
    error: (list === undefined ? created.error : null) ?? (rotated.data === undefined ? rotated.error : null),
    retry: () => {
      if (list === undefined) void created.refetch();
      if (rotated.data === undefined) void rotated.refetch();
    },
    mayGetKeys,
    describeDone,
  };
}
