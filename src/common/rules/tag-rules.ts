// Rules for tags of API keys. Shared with the dashboard, so no dependencies but other rules.
import { countCodePoints, isVisible } from './text-rules.js';

/** Tags of a key. */
export const maxTags = 10;
export const maxTagLength = 50;

/** Completes a sentence that starts with the field, such as "tags". */
export const tagsRule = `must be a list of at most ${maxTags} tags of 1 to ${maxTagLength} characters, without commas or invisible characters, each once`;

/** The form in which tags are stored and compared: in lower case, with single spaces, and none around them. */
export function normalizeTag(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/gu, ' ');
}

/** Whether the normalized text is a valid tag. Commas separate tags where they are entered. */
export function isTag(text: string): boolean {
  // A few characters change again when they are normalized twice.
  return (
    text !== '' &&
    countCodePoints(text) <= maxTagLength &&
    !text.includes(',') &&
    isVisible(text) &&
    normalizeTag(text) === text
  );
}
