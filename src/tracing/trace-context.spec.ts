import { nextStep, readTraceContext, traceHeaders } from './trace-context.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${spanId}-01`;

describe('readTraceContext', () => {
  it('should read ids, flags and state', () => {
    expect(readTraceContext({ traceparent, tracestate: 'vendor=1' })).toEqual({
      traceId,
      spanId,
      flags: '01',
      state: 'vendor=1',
    });
  });

  it('should accept the fields that a later version appends', () => {
    expect(readTraceContext({ traceparent: `cc-${traceId}-${spanId}-01-more` })).toMatchObject({ traceId, spanId });
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['uppercase digits', traceparent.toUpperCase()],
    ['a short trace id', `00-${traceId.slice(1)}-${spanId}-01`],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['more fields in version 00', `${traceparent}-more`],
    ['two headers', `${traceparent}, ${traceparent}`],
  ])('should ignore %s', (_what, value) => {
    expect(readTraceContext({ traceparent: value })).toBeUndefined();
  });

  it('should drop a state that is too long', () => {
    expect(readTraceContext({ traceparent, tracestate: `vendor=${'x'.repeat(512)}` })?.state).toBeUndefined();
  });
});

describe('traceHeaders', () => {
  it('should continue the trace with a new span id', () => {
    const context = readTraceContext({ traceparent, tracestate: 'vendor=1' });
    const headers = context && traceHeaders(nextStep(context));
    expect(headers).toEqual({
      traceparent: expect.stringMatching(new RegExp(`^00-${traceId}-(?!${spanId})[0-9a-f]{16}-01$`)) as string,
      tracestate: 'vendor=1',
    });
  });
});
