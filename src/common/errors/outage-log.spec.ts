import { createLogger } from '../logging/logger.js';
import { OutageLog } from './outage-log.js';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

function openLog(quietMilliseconds: number) {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(line) });
  const read = () => lines.map((line) => JSON.parse(line) as { msg: string });
  return { log: new OutageLog(logger, quietMilliseconds), read };
}

describe('OutageLog', () => {
  it('should log the first failure without a stack, and the end with the number of failures', () => {
    const { log, read } = openLog(0);
    log.succeed();
    for (const id of ['first', 'second', 'third']) log.fail(id, refused);
    log.succeed();
    log.succeed();
    expect(read()).toEqual([
      expect.objectContaining({
        requestId: 'first',
        code: 'ECONNREFUSED',
        reason: 'connect ECONNREFUSED 127.0.0.1:5432',
        msg: 'The database is unavailable: requests fail until it is back.',
      }),
      expect.objectContaining({ failedRequests: 3, msg: 'The database is available again.' }),
    ]);
    expect(read()[0]).not.toHaveProperty('err');
  });

  it('should not take a success right after a failure for the end', () => {
    const { log, read } = openLog(60_000);
    for (const id of ['first', 'second']) {
      log.fail(id, refused);
      log.succeed();
    }
    expect(read()).toHaveLength(1);
  });
});
