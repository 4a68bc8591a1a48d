import { errorMessage } from '../../common/errors/error-utils.js';
import { minSigningKeyLength } from '../../config/variables.js';
import type { AdminConfig } from '../../config/read-config.js';
import { CommandError } from '../admin-command.js';
import { BackupReader } from './read-backup.js';
import { isSigned, readSignature, type Signature } from './signature.js';

interface OpenedBackup {
  reader: BackupReader;
  /** What to say about the signature, with a leading space; empty for an unsigned backup. */
  note: string;
}

/**
 * Opens a backup and checks its signature, if it has one and the key is known.
 *
 * @param mustBeSigned refuses a backup without a signature
 * @throws CommandError before anything in the backup is interpreted
 */
export async function openBackup(
  file: string,
  { backupSigningKey: key }: Pick<AdminConfig, 'backupSigningKey'>,
  mustBeSigned: boolean,
): Promise<OpenedBackup> {
  if (mustBeSigned) requireKey(key, '--verify');
  const signature = await find(file);
  if (signature === undefined) {
    if (!mustBeSigned) return { reader: new BackupReader(file), note: '' };
    throw new CommandError(`${file} is not signed, or its end is missing. Use a backup made with --sign.`);
  }
  if (key === undefined) {
    const note = ' Its signature was not checked, because BACKUP_SIGNING_KEY is not set.';
    return { reader: new BackupReader(file, { signature }), note };
  }
  if (!(await isSigned(file, key, signature))) {
    throw new CommandError(
      `${file} was changed after it was signed, or was signed with another BACKUP_SIGNING_KEY. Use another backup.`,
    );
  }
  return { reader: new BackupReader(file, { signature, key }), note: ' Its signature is valid.' };
}

/** @throws CommandError without a key, naming the flag that needs it */
export function requireKey(key: string | undefined, flag: string): string {
  if (key !== undefined) return key;
  throw new CommandError(
    `${flag} needs BACKUP_SIGNING_KEY: at least ${minSigningKeyLength} random characters, such as from "openssl rand -base64 32".`,
  );
}

async function find(file: string): Promise<Signature | undefined> {
  try {
    return await readSignature(file);
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${errorMessage(error)}.`);
  }
}
