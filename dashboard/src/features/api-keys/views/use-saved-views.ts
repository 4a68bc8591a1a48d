import { useMemo, useSyncExternalStore } from 'react';
import { useMe } from '../../../session/me.js';
import { maxViews, parseViews, type SavedView } from './saved-views.js';

/** The views of the current organization in this browser, and how to change them. */
export interface SavedViews {
  views: readonly SavedView[];
  /**
   * Stores the views. All tabs show them.
   *
   * @throws Error with a message for the user if the browser doesn't store them, or there are too many
   */
  store: (views: readonly SavedView[]) => void;
}

export function useSavedViews(): SavedViews {
  const key = `keycard.key-views.${useMe().organization.id}`;
  const text = useSyncExternalStore(subscribe, () => read(key));
  const views = useMemo(() => parseViews(text), [text]);
  return { views, store: (next) => write(key, next) };
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Sent by other tabs.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Null without views, and if the browser blocks its storage. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, views: readonly SavedView[]): void {
  if (views.length > maxViews) throw new Error(`You have ${maxViews} views. Delete one first.`);
  try {
    localStorage.setItem(key, JSON.stringify(views));
  } catch {
    throw new Error("Your browser didn't store the view. Its storage for this site is full or blocked.");
  }
  listeners.forEach((listener) => listener());
}
