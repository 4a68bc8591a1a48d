import { maxTokensOf } from './model-limits.js';

describe('maxTokensOf', () => {
  it.each([
    ['the smaller of positions and tokenizer', { max_position_embeddings: 512, model_max_length: 256 }, 256],
    ['positions, where the tokenizer has no limit', { max_position_embeddings: 512, model_max_length: 1e30 }, 512],
    ['the tokenizer, where positions have no limit', { model_max_length: 2048 }, 2048],
    ['without end where nothing is said', {}, Infinity],
    [
      'fewer for RoBERTa, which skips the first',
      { model_type: 'roberta', max_position_embeddings: 514, pad_token_id: 1 },
      512,
    ],
    ['what else is said, when a value is none', { max_position_embeddings: null, model_max_length: 128 }, 128],
  ])('should be %s', (_, facts, limit) => {
    expect(maxTokensOf(facts)).toBe(limit);
  });
});
