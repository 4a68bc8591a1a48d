import { useUnsavedChanges } from '../hooks/use-unsaved-changes.js';
import { UnsavedChangesModal } from './UnsavedChangesModal.js';

/** Asks before a page is left while its form has unsaved changes. */
export function UnsavedChangesPrompt({ isDirty }: { isDirty: boolean }) {
  const { isAsking, isDiscarded, stay, discard } = useUnsavedChanges({ isDirty, onClose: () => undefined });
  return <UnsavedChangesModal {...{ isAsking, isDiscarded, stay, discard }} />;
}
