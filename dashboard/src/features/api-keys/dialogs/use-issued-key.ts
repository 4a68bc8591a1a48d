import { useState } from 'react';

interface IssuedKey {
  /** The full key, until it is dropped. */
  plaintext: string | undefined;
  /** Whether a key is being issued: then whoever leaves would never see it. */
  isIssuing: boolean;
  issue: (request: () => Promise<{ key: string }>) => Promise<void>;
  drop: () => void;
}

/**
 * Takes a key from the answer that issues it and holds it for this component alone. `issue` returns nothing, so that
 * no cache of answers ever holds the key.
 */
export function useIssuedKey(): IssuedKey {
  const [plaintext, setPlaintext] = useState<string>();
  const [isIssuing, setIsIssuing] = useState(false);
  const issue = async (request: () => Promise<{ key: string }>) => {
    setIsIssuing(true);
    try {
      setPlaintext((await request()).key);
    } finally {
      setIsIssuing(false);
    }
  };
  return { plaintext, isIssuing, issue, drop: () => setPlaintext(undefined) };
}
