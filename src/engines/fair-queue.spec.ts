import fc from 'fast-check';
import { FairQueue } from './fair-queue.js';

const client = (organizationId: string, keyId = 'key') => ({ organizationId, keyId });

describe('FairQueue', () => {
  it('should serve a newcomer next, however many items another organization has queued', () => {
    const queue = new FairQueue<string>();
    for (let item = 0; item < 1000; item += 1) queue.push(client('flood'), `flood ${item}`);
    expect([queue.shift(), queue.shift()]).toEqual(['flood 0', 'flood 1']);
    queue.push(client('single'), 'single');
    expect([queue.shift(), queue.shift()]).toEqual(['single', 'flood 2']);
  });

  it('should let organizations take turns, and the keys within each', () => {
    const queue = new FairQueue<string>();
    for (const item of ['1', '2', '3']) {
      queue.push(client('a', 'first'), `a first ${item}`);
      queue.push(client('b', 'first'), `b first ${item}`);
    }
    queue.push(client('a', 'second'), 'a second 1');
    const order = Array.from({ length: queue.size }, () => queue.shift());
    expect(order).toEqual(['a first 1', 'b first 1', 'a second 1', 'b first 2', 'a first 2', 'b first 3', 'a first 3']);
    expect(queue.shift()).toBeUndefined();
  });

  it('should not let newcomers starve other organizations', () => {
    const queue = new FairQueue<string>();
    for (let item = 0; item < 10; item += 1) queue.push(client('patient'), 'patient');
    const served: (string | undefined)[] = [];
    for (let newcomer = 0; newcomer < 20; newcomer += 1) {
      queue.push(client(`newcomer ${newcomer}`), 'newcomer');
      served.push(queue.shift());
    }
    expect(served.filter((item) => item === 'patient').length).toBeGreaterThanOrEqual(3);
  });

  it('should not return removed items', () => {
    const queue = new FairQueue<string>();
    for (const item of ['one', 'two']) queue.push(client('a'), item);
    queue.remove(client('a'), 'one');
    queue.remove(client('a'), 'one');
    queue.remove(client('b'), 'two');
    expect([queue.size, queue.shift(), queue.shift()]).toEqual([1, 'two', undefined]);
  });

  it('should return each item once, and serve organizations that keep waiting equally often', () => {
    const step = fc.record({ organization: fc.integer({ min: 0, max: 3 }), key: fc.integer({ min: 0, max: 1 }) });
    fc.assert(
      fc.property(fc.array(fc.oneof(step, fc.constant(undefined)), { maxLength: 200 }), (steps) => {
        const queue = new FairQueue<{ organization: number }>();
        const waiting = new Set<{ organization: number }>();
        /** For each pair, how often the first was served since the second started waiting or was last served. */
        const servedBefore = new Map<string, number>();
        const isWaiting = (organization: number) => [...waiting].some((item) => item.organization === organization);
        for (const pushed of steps) {
          if (pushed !== undefined) {
            const item = { organization: pushed.organization };
            if (!isWaiting(item.organization)) {
              for (let other = 0; other < 4; other += 1) servedBefore.set(`${other} before ${item.organization}`, 0);
            }
            waiting.add(item);
            queue.push(client(String(item.organization), String(pushed.key)), item);
            continue;
          }
          const item = queue.shift();
          expect(item === undefined).toBe(waiting.size === 0);
          if (item === undefined) continue;
          expect(waiting.delete(item)).toBe(true);
          for (let other = 0; other < 4; other += 1) {
            servedBefore.set(`${other} before ${item.organization}`, 0);
            if (other === item.organization || !isWaiting(other)) continue;
            const pair = `${item.organization} before ${other}`;
            servedBefore.set(pair, (servedBefore.get(pair) ?? 0) + 1);
            expect(servedBefore.get(pair)).toBeLessThanOrEqual(2);
          }
        }
        expect(queue.size).toBe(waiting.size);
      }),
      { numRuns: 500 },
    );
  });
});
