import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger } from '../../src/common/logging/logger.js';
import { flushLog } from '../../src/common/logging/standard-output.js';

const [linesText = '0', flushText = '10000'] = process.argv.slice(2);

/**
 * Logs this many lines as fast as possible, prints its memory use to standard error, and waits for the end of its
 * standard input. Then it logs one more line, waits a limited time for the log to be written, and exits with code 0.
 */
async function main(lines: number, flushMilliseconds: number): Promise<void> {
  const logger = createLogger('info');
  const filler = 'x'.repeat(2000);
  for (let line = 0; line < lines; line++) {
    logger.info({ line, filler }, 'line');
    if (line % 50 === 0) await nextTurn();
  }
  process.stderr.write(`${JSON.stringify({ megabytes: Math.round(process.memoryUsage().rss / 1024 / 1024) })}\n`);
  for await (const chunk of process.stdin) void chunk;
  logger.info({ line: lines }, 'last');
  await flushLog(logger, flushMilliseconds);
  process.exit(0);
}

await main(Number(linesText), Number(flushText));
