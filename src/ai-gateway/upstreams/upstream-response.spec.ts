import fc from 'fast-check';
import type { MeterName } from '../../common/rules/meters.js';
import { UpstreamResponse } from './upstream-response.js';

const usageFields = new Map<string, MeterName>([
  ['usage.prompt_tokens', 'inputTokens'],
  ['usage.total_tokens', 'inputTokens'],
  ['pages_read', 'pages'],
]);
const fields = { usageFields, wanted: new Set(['model', ...usageFields.keys()]) };

/** Returns the forwarded response and its usage. */
function read(response: string, sizes: number[]) {
  const usage = { model: 'id', inputTokens: 0, pages: 0 };
  const reader = new UpstreamResponse('ours', usage, fields);
  const bytes = Buffer.from(response);
  const passed: Buffer[] = [];
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] ?? 1;
    passed.push(reader.read(bytes.subarray(at, at + size)));
    at += size;
  }
  reader.end();
  return { text: Buffer.concat(passed).toString('utf8'), usage };
}

describe('UpstreamResponse', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });
  const response = (model: string) =>
    `{ "data" : [ {"model":"theirs","embedding":[0.5,-1e-3]} ],"model" : ${model},\n"usage":{"prompt_tokens":7,"total_tokens":7}}`;

  it("should replace the upstream's model name and change nothing else", () => {
    const name = fc.constantFrom('"theirs"', '"a much longer name than ours \\"ü\\""', '""', '"\\u006furs and more"');
    fc.assert(
      fc.property(sizes, name, (pieces, theirs) => {
        expect(read(response(theirs), pieces).text).toBe(response('"ours"'));
      }),
    );
  });

  it('should leave a matching model name, and one that is not a string', () => {
    for (const model of ['"ours"', '"\\u006furs"', 'null', '["theirs"]']) {
      expect(read(response(model), [5]).text).toBe(response(model));
    }
  });

  it('should take amounts from the fields that report them, anywhere in the response', () => {
    fc.assert(
      fc.property(sizes, (pieces) => {
        expect(read(response('"x"'), pieces).usage).toEqual({
          model: 'id',
          inputTokens: 7,
          pages: 0,
          isUnreported: false,
        });
        expect(read('{"pages":[],"pages_read":12}', pieces).usage.pages).toBe(12);
      }),
    );
  });

  it('should ignore invalid counts', () => {
    for (const count of ['-1', '1.5', '"7"', 'null', '1e300', '4294967296', '{}']) {
      expect(read(`{"usage":{"total_tokens":${count}}}`, [100]).usage.inputTokens).toBe(0);
    }
  });
});
