import type { ApiKeyRequest } from '../../../api/schema.js';
import { describeCost } from './request-cost.js';

const request: ApiKeyRequest = {
  occurredAt: '2026-11-16T00:00:00.000Z',
  route: 'POST /v1/chat/completions',
  model: 'large',
  status: 200,
  outcome: 'success',
  milliseconds: 12,
  address: null,
  requestId: 'request',
  inputTokens: 10,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  pages: 0,
  estimatedRequests: 0,
  cost: null,
};
const textOf = (changes: Partial<ApiKeyRequest>) => describeCost({ ...request, ...changes }, 'EUR').text;

describe('describeCost', () => {
  it('should format a cost with all of its decimals', () => {
    expect(describeCost({ ...request, cost: '0.000012' }, 'EUR')).toEqual({ text: '€0.000012', hasCost: true });
  });

  it('should say that a successful request with usage but no cost has no price', () => {
    expect(describeCost(request, 'EUR')).toEqual({ text: 'No price', hasCost: false });
    expect(textOf({ inputTokens: 0, pages: 2 })).toBe('No price');
  });

  it('should not blame the price for failed, limited and unmetered requests without a cost', () => {
    expect(textOf({ outcome: 'failure', status: 502 })).toBe('None');
    expect(textOf({ outcome: 'limited', status: 429, inputTokens: 0 })).toBe('None');
    expect(textOf({ inputTokens: 0 })).toBe('None');
  });
});
