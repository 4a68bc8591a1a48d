/** Length of a vector. */
export const dimensions = 512;

/** Maximum number of tokens that the model processes at once. Longer texts are split into several windows. */
export const maxWindowTokens = 128;

export const maxTokensPerText = 8192;
