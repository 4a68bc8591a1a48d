interface Details {
  message: unknown;
  type: string;
  param: string | null;
  code: string | null;
}

/** The body of an error of an AI route: OpenAI's format, and Mistral's around it. */
export const aiError = (details: Details) => ({ error: details, object: 'error', ...details });
