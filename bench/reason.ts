const maxLength = 200;

/** Why something is left out, in one line; only the beginning of what a program such as npm has printed. */
export function reasonOf(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ').trim();
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
