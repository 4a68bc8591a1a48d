import { useState } from 'react';
import type { Result } from './results.js';

/**
 * The result that Enter runs: the first one that needs no choice, until the user chooses one with the arrow keys.
 */
export function useSelection(results: readonly Result[]) {
  const [chosenKey, setChosenKey] = useState<string>();
  const selected = results.find(({ key }) => key === chosenKey) ?? results.find(({ needsChoice }) => !needsChoice);
  const choose = (step: 1 | -1) => {
    const current = results.findIndex((result) => result === selected);
    const next = current === -1 ? 0 : (current + step + results.length) % results.length;
    setChosenKey(results[next]?.key);
  };
  return {
    selected,
    chooseNext: () => choose(1),
    choosePrevious: () => choose(-1),
    reset: () => setChosenKey(undefined),
  };
}
