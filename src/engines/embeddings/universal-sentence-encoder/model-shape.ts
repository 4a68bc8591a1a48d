/** Length of a vector. */
export const dimensions = 512;

/** Maximum number of tokens that the model processes at once. Longer texts are split into several windows. */
export const maxWindowTokens = 128;

export const maxTokensPerText = 8192;

/** Token of consecutive unknown characters. */
export const unknownToken = 0;

/** Token of the start of a word. Most words have it in their first piece instead. */
export const bareWordStart = 30;
