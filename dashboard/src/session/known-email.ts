import { createStore } from '../api/store.js';

/** The email last typed to sign in, or of the account whose password was reset. Kept in memory only. */
export const knownEmail = createStore('');
