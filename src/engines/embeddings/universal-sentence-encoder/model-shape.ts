/** Length of a vector. */
export const DIMENSIONS = 512;

/** Tokens that the model sees at once; longer texts are embedded in several windows. */
export const WINDOW_TOKENS = 128;

/** The most tokens one text may have. */
export const MAX_TOKENS_PER_TEXT = 8192;
