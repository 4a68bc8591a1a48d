import type { IconKey } from '@tabler/icons-react';

/** Called once the page has changed. */
export type OnNavigate = () => void;

/** Something that a search found. */
export interface Result {
  /** Distinguishes it from all other results. */
  key: string;
  label: string;
  description?: string;
  icon: typeof IconKey;
  /** Whether Enter only runs it once the user has chosen it with the arrow keys. */
  needsChoice: boolean;
  run: () => void;
}

/** Results under one heading. */
export interface ResultGroup {
  label: string;
  results: Result[];
}
