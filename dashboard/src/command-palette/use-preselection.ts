import { type SpotlightStore, useSpotlight } from '@mantine/spotlight';
import { type KeyboardEvent, useRef } from 'react';

const selectedAttribute = 'data-selected';

/** Props of results that Enter only runs once the user has chosen them. */
export const notPreselected = { 'data-not-preselected': true };

/**
 * Preselects the first result for Enter, even if it's found after others, until the user chooses one with the arrow keys.
 * Spotlight alone keeps the result that was first when the user typed, even if it changes the context.
 */
export function usePreselection(store: SpotlightStore) {
  // Renders the list again when Spotlight changes the selection.
  useSpotlight(store);
  const hasChosen = useRef(false);
  return {
    /** The `ref` of the list, called after each render. */
    followResults: (list: HTMLElement | null) => {
      if (list === null) return;
      const results = [...list.querySelectorAll('[data-action]')];
      const current = results.find((result) => result.hasAttribute(selectedAttribute));
      const isKept = hasChosen.current && current !== undefined;
      const wanted = isKept ? current : results.find((result) => !result.hasAttribute('data-not-preselected'));
      if (wanted !== current) {
        current?.removeAttribute(selectedAttribute);
        wanted?.setAttribute(selectedAttribute, 'true');
      }
      const selected = wanted === undefined ? -1 : results.indexOf(wanted);
      if (selected !== store.getState().selected) store.updateState((state) => ({ ...state, selected }));
    },
    keepChoice: ({ key }: KeyboardEvent) => {
      if (key === 'ArrowDown' || key === 'ArrowUp') hasChosen.current = true;
    },
    resetChoice: () => {
      hasChosen.current = false;
    },
  };
}
