import Sequencer from '@jest/test-sequencer';

/** Files in these folders take longest: they start services, engines, browsers and compilers. */
const slow = /\/build\/test\/(start|engines|browser|contract)\//;

/**
 * Runs the slowest files first, after those that failed, so that the workers end at about the same time. Jest remembers
 * how long each file took. Without a previous run, it would go by size alone.
 */
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const hasFailed = (test) => Number(this.hasFailed(test));
    const milliseconds = ({ path, duration }) => duration ?? (slow.test(path) ? 20_000 : 1000);
    return super
      .sort(tests)
      .sort((one, other) => hasFailed(other) - hasFailed(one) || milliseconds(other) - milliseconds(one));
  }
}
