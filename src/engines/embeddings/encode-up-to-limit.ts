/** Upper estimate. Tokens are shorter on average, except in text unlike anything the model was trained on. */
const charactersPerToken = 32;
/** Upper estimate of the tokens that exist only because a text was cut in the middle of a word. */
const maxTokensOfCutWord = 16;

/**
 * Tokenizes only as much of a text as it takes to detect that it's over the limit. All of a huge text could take minutes.
 *
 * @param encode returns the token ids of a text
 */
export function encodeUpToLimit(
  text: string,
  maxTokens: number,
  encode: (text: string) => Int32Array<ArrayBuffer>,
): Int32Array<ArrayBuffer> {
  let length = maxTokens * charactersPerToken;
  let ids = encode(text.slice(0, length));
  while (length < text.length && ids.length <= maxTokens + maxTokensOfCutWord) {
    length *= 2;
    ids = encode(text.slice(0, length));
  }
  return ids;
}
