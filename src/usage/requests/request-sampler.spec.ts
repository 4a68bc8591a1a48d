import { RequestSampler } from './request-sampler.js';

const minute = 60_000;
let now = 0;
const sampler = () => new RequestSampler(() => now);

/** How many of some requests are taken that arrive evenly over a time. */
function countTaken(of: RequestSampler, count: number, milliseconds: number, outcome: 'success' | 'failure') {
  let taken = 0;
  for (let index = 0; index < count; index++) {
    if (of.takes('a key', outcome)) taken += 1;
    now += milliseconds / count;
  }
  return taken;
}

describe('RequestSampler', () => {
  it('should take every request of a key with ten a minute', () => {
    expect(countTaken(sampler(), 600, 60 * minute, 'success')).toBe(600);
  });

  it('should take the first 50 requests of a busy key, then ten a minute', () => {
    expect(countTaken(sampler(), 60_000, 10 * minute, 'success')).toBe(149);
  });

  it('should take more failures, whatever was successful', () => {
    const one = sampler();
    countTaken(one, 1000, minute, 'success');
    expect(countTaken(one, 60_000, 10 * minute, 'failure')).toBe(349);
  });

  it('should sample each key by itself', () => {
    const one = sampler();
    countTaken(one, 1000, 0, 'success');
    expect([one.takes('a key', 'success'), one.takes('another key', 'success')]).toEqual([false, true]);
  });
});
