/** Text without these holds no key that could reach a prototype; escapes may spell anything. */
const suspicious = /__proto__|constructor|\\u/;

/**
 * Parses JSON as request bodies are parsed everywhere: `__proto__` and `constructor.prototype` are refused.
 *
 * @throws SyntaxError
 */
export function parseJsonSafely(text: string): unknown {
  return suspicious.test(text) ? JSON.parse(text, refusePrototypes) : JSON.parse(text);
}

function refusePrototypes(key: string, value: unknown): unknown {
  const holdsPrototype = typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
  if (key === '__proto__' || (key === 'constructor' && holdsPrototype)) {
    throw new SyntaxError('The text names a prototype.');
  }
  return value;
}
