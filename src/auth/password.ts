import { hash, verify } from '@node-rs/argon2';
import { HashingQueue } from './hashing-queue.js';

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. Hashing runs in libuv's thread pool. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Two at a time leave threads for the rest of the process. A queue of 20 takes about a second. */
export const passwordHashing = new HashingQueue({ concurrency: 2, waiting: 20 });

/**
 * Hashes a password with Argon2id, in PHC string format.
 *
 * @throws AppError 503 if too many passwords are being hashed
 */
export function hashPassword(password: string): Promise<string> {
  return passwordHashing.run(() => hash(password, parameters));
}

const decoy = hashPassword('decoy');

/**
 * Checks a password. Without a hash (an unknown account, or one without a password), takes the same time and returns
 * false, so the response time doesn't reveal which accounts exist.
 *
 * @throws AppError 503 if too many passwords are being hashed
 */
export async function isPasswordCorrect(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const expected = passwordHash ?? (await decoy);
  const isCorrect = await passwordHashing.run(() => verify(expected, password));
  return isCorrect && typeof passwordHash === 'string';
}
