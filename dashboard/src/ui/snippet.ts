/** Code in one language. */
export interface Snippet {
  language: string;
  code: string;
}
