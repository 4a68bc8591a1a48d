import { messages } from './dialects/messages.js';
import { GenerationUsage } from './generation-usage.js';

const bounds = { inputTokens: 400, outputTokens: 1000, choices: 1, choicesPerReturned: 1, isStream: true };
const interim = { input_tokens: 10, output_tokens: 4 };

/** The start of a stream, and the usage it has reported so far. */
function startStream(): GenerationUsage {
  const usage = new GenerationUsage('small', messages);
  usage.bounds = bounds;
  usage.addText(20);
  usage.report(interim, false);
  return usage;
}

describe('Usage of a stream', () => {
  it('should be what was reported last', () => {
    const usage = startStream();
    usage.endStream();
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 4, isUnreported: false });
  });

  it('should be estimated if text followed the last report', () => {
    const usage = startStream();
    usage.addText(30);
    usage.endStream();
    expect(usage.isUnreported).not.toBe(false);
    // A token for each byte of text, and those that may be underway.
    expect(usage.assumed()).toMatchObject({ inputTokens: 10, outputTokens: 50 + 64 });
  });

  it('should be what was reported as final, even if text follows', () => {
    const usage = startStream();
    usage.report({ output_tokens: 9 }, true);
    usage.addText(30);
    usage.endStream();
    expect(usage).toMatchObject({ outputTokens: 9, isUnreported: false });
  });
});
