import { parsePages } from './ocr-request.js';

describe('parsePages', () => {
  it.each<[unknown, number[] | undefined]>([
    [undefined, undefined],
    [null, undefined],
    [[0], [0]],
    [
      [3, 1, 2, 1],
      [1, 2, 3],
    ],
    [
      [10, 9, 100],
      [9, 10, 100],
    ],
    ['0', [0]],
    ['0,2-4', [0, 2, 3, 4]],
    [' 5 , 0-1,1 ', [0, 1, 5]],
    ['999', [999]],
    ['0-999', Array.from({ length: 1000 }, (_, index) => index)],
  ])('should read %j in ascending order without duplicates', (value, pages) => {
    expect(parsePages(value)).toEqual(pages);
  });

  it.each<[unknown]>([
    [[]],
    [''],
    [','],
    ['0,'],
    ['a'],
    ['-1'],
    ['1-'],
    ['4-2'],
    ['0-1-2'],
    ['1.5'],
    ['1e2'],
    ['+1'],
    ['1000'],
    ['0-1000'],
    ['5000-6000'],
    ['99999'],
    [[-1]],
    [[1.5]],
    [[1000]],
    [[NaN]],
    [['0']],
    [[null]],
    [[[0]]],
    [Array.from({ length: 1001 }, () => 0)],
    [Array.from({ length: 1001 }, () => '0').join()],
    [0],
    [true],
    [{}],
  ])('should reject %j and name the field', (value) => {
    expect(() => parsePages(value)).toThrow(/^pages must /);
  });
});
