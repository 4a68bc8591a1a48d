import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalidField } from '../common/errors/app-error.js';
import { countCodePoints } from '../common/rules/text-rules.js';

/** A score up to this means fewer than a million guesses (https://dropbox.tech/security/zxcvbn-realistic-password-strength-estimation). */
const maxGuessableScore = 1;
/** Bounds the time a check takes; longer passwords are accepted. */
const maxEstimatedLength = 32;

let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Rejects a new password that is common or follows a common pattern, such as "password1234" (NIST SP 800-63B, 3.1.1.2).
 * Takes milliseconds of CPU time, so the request must have proved its origin before, such as by a token.
 *
 * @param field - where the password is in the request, for the error
 * @throws AppError 400 if the password is easy to guess
 */
export async function rejectGuessable(password: string, field: string): Promise<void> {
  if (countCodePoints(password) > maxEstimatedLength) return;
  estimator ??= loadEstimator();
  const { score } = (await estimator).check(password, ['keycard']);
  if (score > maxGuessableScore) return;
  throw invalidField(field, 'This password is easy to guess. Use several unrelated words, or a password manager.');
}

/** Loaded when first needed, because the list of common passwords takes memory and most replicas never set a password. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}
