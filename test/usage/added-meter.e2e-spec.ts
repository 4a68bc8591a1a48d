import { fileURLToPath } from 'node:url';
import { runNode } from '../contract/run-node.js';

export interface CountedOutput {
  report: { groups: { totals: Record<string, unknown> }[] };
  csv: string;
  metrics: string;
}

describe('A meter that is added to the list', () => {
  it('should be in the report, the CSV file and the metrics without another change of code', async () => {
    const { exitCode, output } = await runNode([fileURLToPath(import.meta.resolve('./count-something-new.js'))]);
    expect(output).toContain('{');
    expect(exitCode).toBe(0);
    const { report, csv, metrics } = JSON.parse(output) as CountedOutput;
    expect(report.groups[0]?.totals).toMatchObject({ requests: 3, spokenSeconds: 42 });
    const [header = '', row = ''] = csv.split('\r\n');
    const column = header.split(',').indexOf('"spokenSeconds"');
    expect(row.split(',')[column]).toBe('"42"');
    expect(metrics).toContain('# HELP keycard_spoken_seconds_total Number of seconds spoken.');
    expect(metrics).toContain('keycard_spoken_seconds_total{model="some-model"} 42');
  });
});
