import { getDefaultZIndex, Modal, VisuallyHidden } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { useDialog } from '../hooks/use-dialog.js';
import { focusMain, type FocusOrigin, getFocusOrigin, restoreFocus } from '../lib/restore-focus.js';
import { type CommandDialog, CommandDialogs } from './commands.js';
import classes from './CommandPalette.module.css';
import { SearchBox } from './SearchBox.js';

interface CommandPaletteProps {
  /** The text in the field. */
  query: string;
  onQuery: (query: string) => void;
  isOpen: boolean;
  onClose: () => void;
  onNavigate: () => void;
}

/**
 * Finds pages, actions, keys, tags, members, service accounts, roles, models and organizations by name, also removed members and
 * deleted keys, and keys by their first characters.
 */
export function CommandPalette({ query, onQuery, isOpen, onClose, onNavigate }: CommandPaletteProps) {
  const dialog = useDialog<CommandDialog>();
  // Opened once the search is closed.
  const nextDialog = useRef<CommandDialog>(undefined);
  const origin = useRef<FocusOrigin>(undefined);
  const startPath = useRef('');
  const content = useRef<HTMLDivElement>(null);
  // The search may fade out before or after the next page is shown, and has the focus until then. A dialog that asks about
  // unsaved changes takes it.
  const isFocusFree = () => {
    const focused = document.activeElement;
    const isInSearch = content.current?.contains(focused) === true;
    return isInSearch || focused === document.body || focused === origin.current?.element;
  };
  const focusNextPage = () => {
    if (isFocusFree()) focusMain();
  };
  const hasNavigated = () => window.location.pathname !== startPath.current;
  const finishNavigation = () => {
    onNavigate();
    if (hasNavigated()) focusNextPage();
  };
  const finishClosing = () => {
    onQuery('');
    if (hasNavigated() && nextDialog.current === undefined) return focusNextPage();
    if (origin.current !== undefined && isFocusFree()) restoreFocus(origin.current);
    // The dialog restores the focus again.
    if (nextDialog.current !== undefined) dialog.open(nextDialog.current);
  };
  // Before the field takes the focus.
  useLayoutEffect(() => {
    if (!isOpen) return;
    origin.current = getFocusOrigin();
    nextDialog.current = undefined;
    startPath.current = window.location.pathname;
  }, [isOpen]);
  return (
    <>
      <Modal
        opened={isOpen}
        onClose={onClose}
        onExitTransitionEnd={finishClosing}
        // Only once the next page is known; see `finishClosing`.
        returnFocus={false}
        title={<VisuallyHidden>Search</VisuallyHidden>}
        withCloseButton={false}
        size={600}
        yOffset={80}
        padding={0}
        zIndex={getDefaultZIndex('max')}
        overlayProps={{ backgroundOpacity: 0.35, blur: 7 }}
        transitionProps={{ duration: 200, transition: 'pop' }}
        classNames={{ content: classes.content, header: classes.header, body: classes.body }}
      >
        <div ref={content} className={classes.body}>
          <SearchBox
            query={query}
            onQuery={onQuery}
            onClose={onClose}
            onNavigate={finishNavigation}
            openDialog={(chosen) => {
              nextDialog.current = chosen;
            }}
          />
        </div>
      </Modal>
      <CommandDialogs dialog={dialog} />
    </>
  );
}
