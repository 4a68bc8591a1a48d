import { DataSource } from 'typeorm';
import { resetPassword } from '../../src/admin/reset-password.js';
import { AuditService } from '../../src/audit/audit.service.js';
import { readAdminConfig } from '../../src/config/read-config.js';
import type { TestApp } from '../setup/test-app.js';

/** Returns the token of a link printed by `npm run admin -- reset-password`. */
export async function createResetToken({ app }: Pick<TestApp, 'app'>, email: string): Promise<string> {
  const audit = new AuditService();
  const printed = await app.get(DataSource).transaction((manager) => {
    const record = (organizationId: string | null, entry: Parameters<AuditService['record']>[2]) => {
      const origin = { address: 'command line', userAgent: undefined };
      return audit.record(manager, { id: null, email: 'operator', organizationId, origin }, entry);
    };
    return resetPassword.run({ manager, config: readAdminConfig({}), record }, [email], new Set());
  });
  return /#token=([\w-]{43})/.exec(printed)?.[1] ?? '';
}
