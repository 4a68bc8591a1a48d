import { chooseByWeight } from './upstreams.service.js';

const weighted = (...weights: number[]) => weights.map((weight) => ({ weight }));

describe('chooseByWeight', () => {
  it('should choose items in proportion to their weights', () => {
    const counts = [0, 0, 0];
    for (let step = 0; step < 1000; step++) {
      const index = chooseByWeight(weighted(1, 2.5, 6.5), step / 1000);
      counts[index] = (counts[index] ?? 0) + 1;
    }
    expect(counts).toEqual([100, 250, 650]);
  });

  it('should choose a single item for every random number', () => {
    expect([0, 0.5, 1 - Number.EPSILON].map((random) => chooseByWeight(weighted(0.1), random))).toEqual([0, 0, 0]);
  });
});
