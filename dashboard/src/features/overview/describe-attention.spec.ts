import { describeAttention, nameChecked } from './describe-attention.js';

describe('describeAttention', () => {
  it('should count in the singular and plural', () => {
    expect(describeAttention({ kind: 'expiring-keys', count: 1 }).title).toBe('1 key expires within 7 days');
    expect(describeAttention({ kind: 'expiring-keys', count: 1200 }).title).toBe('1,200 keys expire within 7 days');
  });
});

describe('nameChecked', () => {
  it('should name each subject once', () => {
    expect(nameChecked(['leaked-keys', 'failing-upstreams', 'failing-webhooks', 'unused-keys'])).toBe(
      'keys, upstreams and webhooks',
    );
  });
});
