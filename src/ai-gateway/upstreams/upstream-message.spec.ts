import { readUpstreamMessage } from './upstream-message.js';

const read = (body: unknown, secret?: string) => readUpstreamMessage(Buffer.from(JSON.stringify(body)), secret);

describe('readUpstreamMessage', () => {
  it.each<[string, unknown, string | undefined, string | undefined]>([
    ["OpenAI's envelope", { error: { message: 'Too long.', param: 'input', code: null } }, 'Too long.', 'input'],
    ['a bare error', { error: 'Too long.', error_type: 'Validation' }, 'Too long.', undefined],
    ['a bare message', { object: 'error', message: 'Too long.', type: 'BadRequest' }, 'Too long.', undefined],
    ['a detail', { detail: 'Too long.' }, 'Too long.', undefined],
    [
      "FastAPI's list",
      { detail: [{ loc: ['body', 'document', 0], msg: 'Field required' }, { msg: 'Odd' }] },
      'document.0: Field required; Odd',
      undefined,
    ],
    ['a list within a message', { message: { detail: [{ loc: ['body', 'a'], msg: 'Wrong' }] } }, 'a: Wrong', undefined],
    ['another shape', { problem: 'x' }, undefined, undefined],
    ['no object', 'x', undefined, undefined],
  ])('should read %s', (_title, body, message, param) => {
    expect(read(body)).toEqual({ message, param });
  });

  it('should return nothing for a body that is not JSON', () => {
    expect(readUpstreamMessage(Buffer.from('<html>'), undefined)).toEqual({ message: undefined, param: undefined });
  });

  it('should redact the credential', () => {
    const { message, param } = read({ error: { message: 'Key sk-1 is not sk-1', param: 'sk-1' } }, 'sk-1');
    expect([message, param]).toEqual(['Key [redacted] is not [redacted]', '[redacted]']);
  });

  it('should return one line of bounded length', () => {
    const { message } = read({ detail: `a\r\n\u0000b${'x'.repeat(5000)}` });
    expect(message).toMatch(/^a bx{997}…$/);
  });
});
