import { StartupError } from '../../common/startup-error.js';
import { failure, lastErrorMessage } from './failure.js';
import { parsePostmasterFile } from './postmaster-file.js';
import { isRunning } from './process-table.js';
import { parsePasswd } from './server-user.js';
import { fitsSocket } from './socket-directory.js';

describe('failure', () => {
  it('should say in one sentence what failed, why and what to do', () => {
    const error = Object.assign(new Error('EACCES: permission denied, mkdir'), { code: 'EACCES' });
    expect(failure('DATA_DIR cannot be made', error, 'choose another').message).toBe(
      'DATA_DIR cannot be made: permission is denied; choose another.',
    );
  });

  it('should keep an existing StartupError', () => {
    const found = new StartupError('The disk is full.');
    expect(failure('Something', found, 'do something')).toBe(found);
  });
});

describe('lastErrorMessage', () => {
  it("should find the reason in PostgreSQL's output", () => {
    const log = '2026-01-01 UTC [7] LOG:  starting\n2026-01-01 UTC [7] FATAL:  out of memory\nLOG:  shut down\n';
    expect(lastErrorMessage(log)).toBe('out of memory');
    expect(lastErrorMessage('initdb: error: no space left\n')).toBe('no space left');
    expect(lastErrorMessage('')).toBe('it printed nothing');
  });

  it('should name a full disk instead of what follows from it', () => {
    const output = [
      '2026-11-26 17:44:46.935 UTC [25635] FATAL:  could not extend file "base/1/2691": No space left on device',
      '2026-11-26 17:44:46.935 UTC [25635] HINT:  Check free disk space.',
      '2026-11-26 17:44:46.935 UTC [25635] PANIC:  cannot abort transaction 1, it was already committed',
      'child process exited with exit code 134',
      'initdb: removing data directory "/data"',
    ].join('\n');
    expect(lastErrorMessage(output)).toBe('the disk is full');
  });
});

describe('parsePostmasterFile', () => {
  it('should read pid, port and socket folder', () => {
    const text = '41\n/data\n1700000000\n5432\n/data dir/run\n\n  1 2\nready   \n';
    expect(parsePostmasterFile(text)).toEqual({ pid: 41, port: 5432, socketDirectory: '/data dir/run' });
  });

  it('should ignore a file that is still being written', () => {
    expect(parsePostmasterFile('')).toBeUndefined();
    expect(parsePostmasterFile('41\n/data\n1700000000\n5432\n\n')).toBeUndefined();
  });
});

describe('parsePasswd', () => {
  it("should read users, including macOS's negative IDs", () => {
    expect(parsePasswd('# note:x:1:1\nnobody:*:-2:-2:Nobody:/:/bin/false\npostgres:x:101:104:::\n')).toEqual([
      { name: 'nobody', uid: 4294967294, gid: 4294967294 },
      { name: 'postgres', uid: 101, gid: 104 },
    ]);
  });
});

describe('fitsSocket', () => {
  it('should count bytes, not characters', () => {
    expect(fitsSocket(`/${'a'.repeat(80)}`)).toBe(true);
    expect(fitsSocket(`/${'ä'.repeat(80)}`)).toBe(false);
  });
});

describe('isRunning', () => {
  it('should return true for this process, and false for an unused pid', () => {
    expect(isRunning(process.pid)).toBe(true);
    expect(isRunning(2 ** 30)).toBe(false);
  });
});
