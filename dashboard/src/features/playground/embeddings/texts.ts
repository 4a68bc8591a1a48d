import { nameLanguages } from '../../../lib/name-languages.js';

/** A comparison needs two texts. */
export const minTexts = 2;

/** Keeps the heat map readable. */
export const maxTexts = 8;

/** More than any model reads, so that text that is cut off is still rejected as too long. */
export const maxTextLength = 100_000;

/** Two pairs of paraphrases, so the first comparison has a visible result. */
export const exampleTexts = [
  'How do I reset my password?',
  'I cannot remember my login details.',
  'When does the invoice have to be paid?',
  'What is the due date of this bill?',
];

/** Returns validation errors by field. */
export function findTextProblems({ texts }: { texts: string[] }): Record<string, string> {
  const empty = texts.flatMap((text, index) => (text.trim() === '' ? [index] : []));
  return Object.fromEntries(empty.map((index) => [`texts.${index}`, 'Enter text or remove this field.']));
}

/** Truncates text, between words if possible. */
export function shorten(text: string, maxLength: number): string {
  const line = text.trim().replace(/\s+/g, ' ');
  const characters = [...line];
  if (characters.length <= maxLength) return line;
  const start = characters.slice(0, maxLength - 1).join('');
  const lastSpace = start.lastIndexOf(' ');
  return `${lastSpace > maxLength / 2 ? start.slice(0, lastSpace) : start}…`;
}

/** Length of a passage that one vector represents well. */
export const passageWords = 200;

/** Whether a text should be split into passages. */
export function isLong(text: string): boolean {
  return text.trim().split(/\s+/).length > passageWords;
}

/**
 * Names the languages of a model.
 * @param languages ISO 639-1 codes, such as `en`
 */
export function describeLanguages(languages: readonly string[] | null | undefined): string | undefined {
  return languages ? `Trained for ${nameLanguages(languages)}` : undefined;
}
