import { setImmediate } from 'node:timers/promises';
import { nextTurn, TurnBudget } from './event-loop-turn.js';

describe('nextTurn', () => {
  it('should serve one waiting request per turn, in order', async () => {
    const order: string[] = [];
    const work = async (name: string) => {
      for (let slice = 0; slice < 2; slice += 1) {
        await nextTurn();
        order.push(name);
      }
    };
    const all = Promise.all([work('a'), work('b')]);
    const lengths: number[] = [];
    while (order.length < 4) {
      await setImmediate();
      lengths.push(order.length);
    }
    await all;
    expect(order).toEqual(['a', 'b', 'a', 'b']);
    for (const [turn, length] of lengths.entries()) expect(length - (lengths[turn - 1] ?? 0)).toBeLessThanOrEqual(1);
  });
});

describe('TurnBudget', () => {
  it('should keep small work in the same turn, and limit the bytes per turn', async () => {
    const budget = new TurnBudget(100);
    expect(budget.spend(60)).toBeUndefined();
    expect(budget.spend(40)).toBeUndefined();
    const turn = budget.spend(1);
    expect(turn).toBeInstanceOf(Promise);
    await turn;
    expect(budget.spend(99)).toBeUndefined();
    await expect(budget.spend(100)).resolves.toBeUndefined();
  });
});
