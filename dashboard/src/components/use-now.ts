import { useEffect, useState } from 'react';

const stepMilliseconds = 10_000;

/** The present in milliseconds since 1970, which moves on while the component is shown. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return now;
}
