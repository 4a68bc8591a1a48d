import { createStore, type Store, useStore } from '../api/store.js';
import { useMe } from '../session/me.js';

/**
 * Creates a hook for a value that stays when the user visits another page, until the tab is closed or reloaded. It's
 * kept in memory only, and separately for each organization.
 */
export function createKeptState<Value>(initial: Value): () => [Value, Store<Value>] {
  const stores = new Map<string, Store<Value>>();
  return function useKeptState() {
    const { organization } = useMe();
    const store = stores.get(organization.id) ?? createStore(initial);
    stores.set(organization.id, store);
    return [useStore(store), store];
  };
}
