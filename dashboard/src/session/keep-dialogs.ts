import { session } from './session.js';

// Listens before any dialog does. While the sign-in lies over one, this key would close that one below and lose what
// was typed into it.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape' && session.status.get() === 'ended') event.stopImmediatePropagation();
  },
  { capture: true },
);
