import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const show = ['grep', '-E', '^(Uid|CapEff|NoNewPrivs):', '/proc/self/status'];

describe('docker-entrypoint.sh', () => {
  it('should run the command unchanged for a user other than root', async () => {
    const identity = isRoot ? { uid: 12_345, gid: 12_345 } : {};
    const { stdout } = await run('/bin/sh', ['docker-entrypoint.sh', 'id', '-u'], identity);
    expect(stdout).toBe(`${isRoot ? 12_345 : process.getuid?.()}\n`);
  });

  it('should keep only the capabilities to switch users and signal their processes', async () => {
    // The user `node` exists only in the image.
    const substitution = 's/(reuid|regid)=node/\\1=12345/g; s/--init-groups/--clear-groups/';
    const script = `sed -E '${substitution}' docker-entrypoint.sh | sh -s -- "$@"`;
    const { stdout } = await run('/bin/sh', ['-c', script, 'sh', ...show]);
    if (isRoot) expect(stdout).toBe('Uid:\t12345\t12345\t12345\t12345\nCapEff:\t00000000000000e0\nNoNewPrivs:\t1\n');
    else expect(stdout).toMatch(new RegExp(`^Uid:\\t${process.getuid?.()}\\t`));
  });
});
