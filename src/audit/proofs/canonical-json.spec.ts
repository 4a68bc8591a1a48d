import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('should write the example of RFC 8785', () => {
    const value: unknown = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('should sort fields by UTF-16 code units, as RFC 8785 does', () => {
    const value: unknown = JSON.parse(
      '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7,"10":8,"9":9}',
    );
    expect([...canonicalJson(value).matchAll(/:(\d)/g)].map(([, number]) => Number(number))).toEqual([
      2, 4, 8, 9, 6, 7, 1, 5, 3,
    ]);
  });

  it('should leave out undefined fields', () => {
    expect(canonicalJson({ b: undefined, a: [{}] })).toBe('{"a":[{}]}');
  });
});
