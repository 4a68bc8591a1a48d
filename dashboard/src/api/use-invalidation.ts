import { useQueryClient } from '@tanstack/react-query';

/** Reads anew, where it is shown, what a change has made outdated: all queries whose key begins with one of these. */
export function useInvalidation(...names: string[]): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () => Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}
