import { emptyResponse } from './chat-response.js';
import { type ChatTurn, nextMessages, toMessages } from './chat-turn.js';

const turn = (message: string, text: string): ChatTurn => ({
  id: 1,
  message,
  model: 'gpt',
  modelId: 'gpt',
  route: 'chat/completions',
  response: { ...emptyResponse, status: 'complete', text },
});

describe('toMessages', () => {
  it('should leave out turns that failed before any text, so that roles alternate', () => {
    expect(toMessages([turn('a', 'A'), turn('b', ''), turn('c', 'C')]).map(({ content }) => content)).toEqual([
      'a',
      'A',
      'c',
      'C',
    ]);
  });
});

describe('nextMessages', () => {
  it('should end with the draft, or else with the latest message', () => {
    const turns = [turn('a', 'A'), turn('b', 'B')];
    expect(nextMessages(turns, ' c ').map(({ content }) => content)).toEqual(['a', 'A', 'b', 'B', 'c']);
    expect(nextMessages(turns, ' ').map(({ content }) => content)).toEqual(['a', 'A', 'b']);
    expect(nextMessages([], '')).toEqual([{ role: 'user', content: 'Say hello.' }]);
  });
});
