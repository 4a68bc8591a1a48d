import { hash, verify } from '@node-rs/argon2';

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane; hashing runs off the event loop. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Argon2id hash of a password, in PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

const decoy = hashPassword('decoy');

/**
 * Whether the password is the right one. Without a hash (no such account, or one without a password) it computes
 * just as long and answers no, so that the time of an answer does not tell which accounts exist.
 */
export async function isPasswordRight(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const right = await verify(passwordHash ?? (await decoy), password);
  return right && typeof passwordHash === 'string';
}
