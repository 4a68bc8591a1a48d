import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

describe('openapi.json', () => {
  it('should pass the recommended rules of Redocly without an error', async () => {
    const cli = ['node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi.json', '--format=json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await run(process.execPath, cli, { env });
    const { totals } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
      totals: { errors: number; warnings: number };
    };
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  }, 60_000);
});
