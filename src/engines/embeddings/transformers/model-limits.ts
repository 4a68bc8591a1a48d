/** Families that number positions from after the padding's id, and so can use fewer than they have. */
const familiesWithShiftedPositions = ['roberta', 'xlm-roberta', 'camembert', 'mpnet'];

/** What a model's `config.json` and `tokenizer_config.json` say about its length. */
export interface ModelFacts {
  readonly model_type?: unknown;
  readonly max_position_embeddings?: unknown;
  readonly pad_token_id?: unknown;
  readonly model_max_length?: unknown;
}

/** The most tokens, special ones included, that the model can see at once; Infinity where nothing says. */
export function maxTokensOf(facts: ModelFacts): number {
  const shift = familiesWithShiftedPositions.some((family) => family === facts.model_type)
    ? numberOr(facts.pad_token_id, 0) + 1
    : 0;
  const positions = numberOr(facts.max_position_embeddings, Infinity) - shift;
  return Math.min(positions, numberOr(facts.model_max_length, Infinity));
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' && value >= 0 ? value : fallback;
}
