/** One page cannot be read; the message completes the sentence "Page 3 …". */
export class PageFailure extends Error {
  override name = 'PageFailure';
}
