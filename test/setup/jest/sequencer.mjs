import Sequencer from '@jest/test-sequencer';

/** Files in these folders take longest: they start services, engines and browsers. */
const slow = /\/build\/test\/(start|engines|browser)\//;

/**
 * Runs the slowest files first, so that the workers end at about the same time. Jest knows which ones they are from the
 * previous run; before the first one it goes by the size of the files.
 */
export default class SlowestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isFirst = ({ path, duration }) => duration === undefined && slow.test(path);
    return [...sorted.filter(isFirst), ...sorted.filter((test) => !isFirst(test))];
  }
}
