import { splitPercents } from './split-percents.js';

describe('splitPercents', () => {
  it.each(['80, 90, 100', '80,90,100', '80 90 100', '80%; 90%; 100%', ' 80,, 90 100, '])(
    'should split "%s"',
    (text) => {
      expect(splitPercents([text])).toEqual(['80', '90', '100']);
    },
  );

  it('should keep what was entered before, without duplicates', () => {
    expect(splitPercents(['50', '80', '80, half'])).toEqual(['50', '80', 'half']);
    expect(splitPercents([])).toEqual([]);
  });
});
