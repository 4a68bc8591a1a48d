/**
 * Returns the first characters of an API key or client secret in the text, which identify it, or undefined if it
 * contains none. The rest must not leave the page: URLs are logged by proxies.
 */
export function hintOfSecret(text: string): string | undefined {
  return /(kcs?_[0-9A-Za-z]{5})[0-9A-Za-z]{5}/.exec(text)?.[1];
}

/** Like `hintOfSecret`, for text that starts with these characters and may end there. */
export function hintAtStart(text: string): string | undefined {
  return /^\s*(kcs?_[0-9A-Za-z]{5})/.exec(text)?.[1];
}
