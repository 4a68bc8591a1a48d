/**
 * Starts a time limit for a response of a worker.
 *
 * @param onExpired called once, unless `clear` is called first
 */
export type StartDeadline = (milliseconds: number, onExpired: () => void) => { clear(): unknown };

/** A timer that lets input that has already arrived be read first. */
export const startTimer: StartDeadline = (milliseconds, onExpired) => {
  let isCleared = false;
  const expire = () => {
    if (!isCleared) onExpired();
  };
  const timer = setTimeout(() => setImmediate(expire), milliseconds).unref();
  return {
    clear: () => {
      isCleared = true;
      clearTimeout(timer);
    },
  };
};
