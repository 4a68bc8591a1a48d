import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '../common/errors/app-error.js';

interface HashingLimits {
  /** How many tasks run at a time. */
  concurrency: number;
  /** How many tasks may wait. */
  waiting: number;
}

/** Limits the memory and CPU that password hashing uses: a few tasks run, a few wait, the rest are rejected. */
export class HashingQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: HashingLimits) {}

  /**
   * Runs a task when a slot is free.
   *
   * @throws AppError 503 if the queue is full
   */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < this.limits.concurrency) {
      this.running++;
      return;
    }
    if (this.waiting.length >= this.limits.waiting) {
      throw unavailable('overloaded', 'Too many passwords are being checked. Try again in a moment.', 1);
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Passes the slot to the next task, or frees it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
  }
}

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. Hashing runs in libuv's thread pool. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Two at a time leave threads for the rest of the process. A queue of 20 takes about a second. */
export const passwordHashing = new HashingQueue({ concurrency: 2, waiting: 20 });

/** Keyboards differ in how they encode the same characters, such as é as one code point or two (NIST SP 800-63B). */
const normalize = (password: string) => password.normalize('NFKC');

/**
 * Hashes a password with Argon2id, in PHC string format.
 *
 * @throws AppError 503 if too many passwords are being hashed
 */
export function hashPassword(password: string): Promise<string> {
  return passwordHashing.run(() => hash(normalize(password), parameters));
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
  const isCorrect = await passwordHashing.run(
    // Older hashes are of passwords as they were typed.
    async () => (await verify(expected, normalize(password))) || verifyAsTyped(expected, password),
  );
  return isCorrect && typeof passwordHash === 'string';
}

async function verifyAsTyped(expected: string, password: string): Promise<boolean> {
  return password !== normalize(password) && verify(expected, password);
}
