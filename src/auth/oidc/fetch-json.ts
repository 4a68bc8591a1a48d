const timeoutMilliseconds = 5000;

interface JsonAnswer {
  status: number;
  /** Empty unless the answer is a JSON object. */
  body: object;
}

/**
 * Asks the identity provider. Redirects are not followed: a provider that moves is to be configured anew.
 *
 * @throws when it does not answer within five seconds
 */
export async function fetchJson(url: string, headers: Record<string, string> = {}): Promise<JsonAnswer> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  const text = await response.text();
  return { status: response.status, body: parseObject(text) };
}

function parseObject(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}
