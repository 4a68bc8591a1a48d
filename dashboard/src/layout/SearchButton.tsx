import { Button, Kbd } from '@mantine/core';
import { useHotkeys, useOs, useWindowEvent } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../lib/lazy-component.js';

// Lazy, because most visits don't search.
const CommandPalette = lazyComponent(() => import('../command-palette/CommandPalette.js'), 'CommandPalette');

const preload = () => void CommandPalette.preload?.();

/** Opens the search for pages, actions, keys and members, also with Ctrl-K. */
export function SearchButton({ onNavigate }: { onNavigate: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const [query, setQuery] = useState('');
  const os = useOs();
  const isApple = os === 'macos' || os === 'ios';
  const open = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  const openUnlessCovered = () => {
    // An action of the search could open another dialog over it, or leave its form.
    // Dialogs are outside of the root; one that fades out has returned the focus to it.
    const hasModal = document.querySelector('[aria-modal="true"]') !== null;
    if (!hasModal || document.activeElement?.closest('#root')) open();
  };
  // By the time K is pressed, the first letters aren't lost.
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Control' || key === 'Meta') preload();
  });
  // What is typed before the field is loaded and has the focus.
  useWindowEvent('keydown', (event) => {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    const isInSearch = event.target instanceof Element && event.target.closest('[aria-modal="true"]') !== null;
    if (!isOpen || !isText || isInSearch) return;
    event.preventDefault();
    setQuery((typed) => typed + event.key);
  });
  // Works even while a field has the focus.
  useHotkeys([['mod+K', openUnlessCovered]], []);
  return (
    <>
      <Button
        variant="default"
        fullWidth
        mt="xs"
        c="dimmed"
        fw={400}
        justify="space-between"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            {isApple ? '⌘ K' : 'Ctrl K'}
          </Kbd>
        }
        onMouseEnter={preload}
        onClick={open}
        aria-keyshortcuts="Control+K Meta+K"
        styles={{ label: { flex: 1 } }}
      >
        Search
      </Button>
      {wasOpened && (
        <Suspense>
          <CommandPalette {...{ query, isOpen, onNavigate }} onQuery={setQuery} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
