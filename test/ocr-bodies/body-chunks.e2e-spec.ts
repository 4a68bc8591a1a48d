import type { IncomingMessage } from 'node:http';
import { chunksOf } from '../../src/ai-gateway/ocr/body/body-chunks.js';
import { readBody } from './body-server.js';

async function readAll(body: IncomingMessage, silenceMilliseconds?: number): Promise<string> {
  let text = '';
  for await (const chunk of chunksOf(body, silenceMilliseconds)) text += chunk.toString();
  return text;
}

describe('chunksOf', () => {
  it('should give a body whole, however it arrives', async () => {
    const pieces = ['ab', 'c', 'de'];
    expect(await readBody(readAll, { 'content-length': '5' }, pieces)).toBe('abcde');
    const chunked = ['3\r\nabc\r\n', '2\r\n', 'de\r\n0\r\n\r\n'];
    expect(await readBody(readAll, { 'transfer-encoding': 'chunked' }, chunked)).toBe('abcde');
  });

  it('should leave the connection without a time limit once the body is there', async () => {
    const read = async (body: IncomingMessage) => {
      await readAll(body, 1000);
      return body.socket.timeout;
    };
    expect(await readBody(read, { 'content-length': '2' }, ['ab'])).toBe(0);
  });

  it('should hang up on a client that stops sending', async () => {
    const read = async (body: IncomingMessage) => {
      const failure = await readAll(body, 50).catch((error: unknown) => error);
      return { failure, isConnected: !body.socket.destroyed };
    };
    const { failure, isConnected } = await readBody(read, { 'content-length': '5' }, ['ab']);
    expect(failure).toMatchObject({ code: 'malformed-request', message: 'The body stopped arriving.' });
    expect(isConnected).toBe(false);
  });

  it('should tell when a body is cut off', async () => {
    const read = (body: IncomingMessage) => readAll(body).catch((error: unknown) => error);
    const failure = await readBody(read, { 'content-length': '5' }, ['ab'], { hangsUp: true });
    expect(failure).toMatchObject({ code: 'malformed-request', message: 'The body was cut off.' });
  });

  it('should leave the connection open when the reader has had enough', async () => {
    const read = async (body: IncomingMessage) => {
      for await (const chunk of chunksOf(body)) return { first: chunk.toString(), isConnected: !body.socket.destroyed };
      return undefined;
    };
    expect(await readBody(read, { 'content-length': '5' }, ['ab'])).toEqual({ first: 'ab', isConnected: true });
  });
});
