import { randomUUID } from 'node:crypto';
import { fromLine, type LoggedRequest, toLine } from './logged-request.js';

const request: LoggedRequest = {
  occurredAt: new Date('2026-11-28T09:30:00.123Z'),
  route: 'POST /v1/chat/completions',
  model: 'gpt-5-mini',
  status: 200,
  outcome: 'success',
  milliseconds: 12.5,
  address: '203.0.113.7',
  requestId: randomUUID(),
  cost: 9_007_199_254_740_993n,
  used: { inputTokens: 12, outputTokens: 40 },
};

describe('A line of the log of requests', () => {
  it.each([
    ['of a model with a price', {}],
    ['without a price, address and amounts', { cost: null, address: null, used: {} }],
    ['with a request ID of the client', { requestId: 'job:7.retry-2' }],
    ['with a request ID like a UUID in capitals', { requestId: randomUUID().toUpperCase() }],
    ['with a model whose name PostgreSQL cannot store', { model: 'a\0\n\ud800"' }],
  ])('should be read as the request it was written from, %s', (_title, fields) => {
    const line = toLine({ ...request, ...fields });
    expect(fromLine(line)).toEqual({ ...request, ...fields });
    expect(line).toMatch(/^[^\0\n\ud800]+$/);
  });

  it('should leave out amounts that no request can have', () => {
    const used = { inputTokens: -1, outputTokens: 0.5, pages: 0, reasoningTokens: 3 };
    expect(fromLine(toLine({ ...request, used })).used).toEqual({ reasoningTokens: 3 });
  });
});
