/** Fewer cannot be compared. */
export const fewestTexts = 2;

/** More make a table that nobody reads. */
export const mostTexts = 8;

/** Two pairs that say the same in other words, so that the first comparison shows something. */
export const exampleTexts = [
  'How do I reset my password?',
  'I cannot remember my login details.',
  'When does the invoice have to be paid?',
  'What is the due date of this bill?',
];

/** What is wrong with which text, as the service would find. */
export function findTextProblems({ texts }: { texts: string[] }): Record<string, string> {
  const empty = texts.flatMap((text, index) => (text.trim() === '' ? [index] : []));
  return Object.fromEntries(empty.map((index) => [`texts.${index}`, 'Write a text, or remove the field.']));
}

/** The beginning of a text, cut between words where that loses little. */
export function shorten(text: string, longest: number): string {
  const line = text.trim().replace(/\s+/g, ' ');
  const characters = [...line];
  if (characters.length <= longest) return line;
  const start = characters.slice(0, longest - 1).join('');
  const lastSpace = start.lastIndexOf(' ');
  return `${lastSpace > longest / 2 ? start.slice(0, lastSpace) : start}…`;
}
