// Loaded when they are needed: most visits only look at the keys.

/** Loads the dialog that creates a key. */
export const loadCreateKeyModal = () => import('./CreateKeyModal.js');

/** Loads the dialog that renames a key. */
export const loadRenameKeyModal = () => import('./RenameKeyModal.js');

/** Loads the dialog that rotates a key. */
export const loadRotateKeyModal = () => import('./RotateKeyModal.js');

/** Loads the dialog that deletes a key. */
export const loadDeleteKeyModal = () => import('./DeleteKeyModal.js');
