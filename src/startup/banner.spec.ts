import path from 'node:path';
import { banner } from './banner.js';

const service = {
  url: 'http://127.0.0.1:3000',
  firstStart: { email: 'admin@keycard.local', generatedPassword: 'the-generated-password' },
  models: [],
};
const config = { adminEmail: 'admin@keycard.local', databaseUrl: undefined, dataDir: path.resolve('.keycard') };

describe('banner', () => {
  it('should show a generated password on a terminal', () => {
    expect(banner(service, config, true)).toContain('Password:           the-generated-password');
  });

  it('should name the database, without its password', () => {
    const text = banner(
      service,
      { ...config, databaseUrl: 'postgresql://keycard:secret@db.example.com/keycard' },
      true,
    );
    expect(text).toContain('Database:           db.example.com/keycard');
    expect(text).not.toContain('secret');
  });

  it('should not print a generated password to a log, and say how to set one', () => {
    const text = banner(service, config, false);
    expect(text).not.toContain('the-generated-password');
    expect(text).toContain('  npm run admin -- reset-password admin@keycard.local');
  });

  it('should say how to set a password for a service on another port, so that the link leads there', () => {
    const text = banner({ ...service, url: 'http://127.0.0.1:4310' }, config, false);
    expect(text).toContain('  PORT=4310 npm run admin -- reset-password admin@keycard.local');
  });

  it.each([
    ['/var/lib/keycard', '  DATA_DIR=/var/lib/keycard npm run'],
    ["/home/o'neill/my data", `  DATA_DIR='/home/o'\\''neill/my data' npm run`],
  ])('should say how to set a password in the database of DATA_DIR %s', (dataDir, command) => {
    expect(banner(service, { ...config, dataDir }, false)).toContain(
      `${command} admin -- reset-password admin@keycard.local`,
    );
  });

  it('should not print the URL of the database with the command that sets a password', () => {
    const databaseUrl = 'postgresql://keycard:secret@db.example.com/keycard';
    const text = banner(service, { ...config, dataDir: '/data', databaseUrl }, false);
    expect(text).toContain('  npm run admin -- reset-password');
    expect(text).not.toContain('secret');
  });
});
