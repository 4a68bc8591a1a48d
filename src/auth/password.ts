import { hash, verify } from '@node-rs/argon2';
import { HashingQueue } from './hashing-queue.js';

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane; hashing runs off the event loop. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Two at a time leave threads to the rest of the process; a queue of 20 is over in about a second. */
export const passwordHashing = new HashingQueue({ concurrency: 2, waiting: 20 });

/**
 * Argon2id hash of a password, in PHC string format.
 *
 * @throws AppError 503 when too many passwords are being hashed
 */
export function hashPassword(password: string): Promise<string> {
  return passwordHashing.run(() => hash(password, parameters));
}

const decoy = hashPassword('decoy');

/**
 * Whether the password is the right one. Without a hash (an unknown account, or one without a password) it computes for
 * the same time and returns false, so that the response time does not reveal which accounts exist.
 *
 * @throws AppError 503 when too many passwords are being hashed
 */
export async function isPasswordRight(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const expected = passwordHash ?? (await decoy);
  const right = await passwordHashing.run(() => verify(expected, password));
  return right && typeof passwordHash === 'string';
}
