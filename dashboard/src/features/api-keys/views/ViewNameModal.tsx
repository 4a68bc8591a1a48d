import { Text } from '@mantine/core';
import { notifyDone } from '../../../lib/notify.js';
import { RenameModal } from '../../../ui/RenameModal.js';
import { isSameName, type SavedView, type ViewSearch } from './saved-views.js';
import type { SavedViews } from './use-saved-views.js';

interface ViewNameModalProps extends SavedViews {
  /** The view to rename; undefined to save another one. */
  renamed: SavedView | undefined;
  /** The present filters and order. */
  shown: ViewSearch;
  isOpen: boolean;
  onClose: () => void;
}

/** Saves the present filters under a name, or renames a view. */
export function ViewNameModal({ renamed, shown, views, store, isOpen, onClose }: ViewNameModalProps) {
  const others = views.filter((view) => view !== renamed);
  const isTaken = (name: string) => others.some((view) => isSameName(view.name, name.trim()));
  const save = (name: string) => {
    const view = { name, search: renamed?.search ?? shown };
    const next = renamed === undefined ? [...views, view] : views.map((one) => (one === renamed ? view : one));
    store(next.filter((one) => one === view || !isSameName(one.name, name)));
    notifyDone(renamed === undefined ? `View ${name} saved in this browser.` : `View renamed to ${name}.`);
    return Promise.resolve();
  };
  return (
    <RenameModal
      key={renamed?.name}
      isOpen={isOpen}
      onClose={onClose}
      title={renamed === undefined ? 'Save view' : 'Rename view'}
      submitLabel={renamed === undefined ? 'Save view' : 'Rename'}
      description={
        renamed === undefined
          ? 'Keeps the filters and the order in this browser.'
          : 'Its filters and order stay the same.'
      }
      currentName={renamed?.name ?? ''}
      nameHint={(name) => isTaken(name) && <ReplacesHint />}
      rename={save}
    />
  );
}

function ReplacesHint() {
  return (
    <Text size="xs" c="dimmed" mt={5} role="status">
      You have a view with this name. It will be replaced.
    </Text>
  );
}
