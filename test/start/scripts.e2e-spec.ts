import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const scripts = fileURLToPath(new URL('../../../scripts/', import.meta.url));

function runAsNode(version: string, script: string) {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, script], {
    cwd: scripts,
    encoding: 'utf8',
  });
}

describe.each(['start.mjs', 'test.mjs', 'test-units.mjs'])('%s', (script) => {
  it.each(['18.20.8', '20.18.3'])('should name the required version to Node %s in one sentence', (version) => {
    const { status, stderr } = runAsNode(version, script);
    expect(stderr).toBe(`Keycard needs Node.js 20.19 or newer; this is ${version}.\n`);
    expect(status).toBe(1);
  });
});
