import { runAdmin } from '../setup/run-admin.js';
import type { TestApp } from '../setup/test-app.js';

/** Returns the token of a link printed by `npm run admin -- reset-password`. */
export async function createResetToken({ database }: Pick<TestApp, 'database'>, email: string): Promise<string> {
  const printed = await runAdmin(database, 'reset-password', email);
  return /#token=([\w-]{43})/.exec(printed)?.[1] ?? '';
}
