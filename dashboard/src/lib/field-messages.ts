/** A validation error of a response. */
interface FieldError {
  /** Path of the field, such as `url` or `limits.1.max`. */
  field: string;
  message: string;
}

/**
 * The errors of each field, as sentences to show below its label. Errors of the API start with the name of the field, which
 * users don't know: `url must begin with https://.` becomes "Must begin with https://." A field can have several.
 */
export function messagesByField(errors: readonly FieldError[]): Map<string, string> {
  const messages = new Map<string, string>();
  for (const { field, message } of errors) {
    const earlier = messages.get(field);
    const sentence = toSentence(field, message);
    messages.set(field, earlier === undefined ? sentence : `${earlier} ${sentence}`);
  }
  return messages;
}

function toSentence(field: string, message: string): string {
  const text = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
