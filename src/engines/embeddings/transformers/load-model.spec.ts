import { maxTokensOf } from './load-model.js';

describe('maxTokensOf', () => {
  it.each([
    ['the smaller limit of model and tokenizer', { max_position_embeddings: 512, model_max_length: 256 }, 256],
    ['the limit of the model if the tokenizer has none', { max_position_embeddings: 512, model_max_length: 1e30 }, 512],
    ['the limit of the tokenizer if the model has none', { model_max_length: 2048 }, 2048],
    ['Infinity if neither has a limit', {}, Infinity],
    [
      'fewer tokens than positions for RoBERTa, which skips the first ones',
      { model_type: 'roberta', max_position_embeddings: 514, pad_token_id: 1 },
      512,
    ],
    ['the other limit if one is null', { max_position_embeddings: null, model_max_length: 128 }, 128],
  ])('should return %s', (_, config, limit) => {
    expect(maxTokensOf(config)).toBe(limit);
  });
});
