import { type MeterAmounts, meters } from '../../common/rules/meters.js';
import type { ModelDefinition } from '../../config/model-definition.js';
import { type CompiledPrice, compilePrice, type CostBound, type UsageBound } from './compile-price.js';

/** What a request did, as far as its cost depends on it. */
interface PricedRequest extends MeterAmounts {
  /** Id of the model in the catalog. */
  readonly model: string;
  readonly outcome: 'success' | 'failure' | 'limited' | 'unrecorded';
}

/** The current prices of the models. The cost of a request is recorded with it, so new prices don't change it. */
export class ModelPrices {
  private readonly prices = new Map<string, CompiledPrice>();

  constructor(models: readonly Pick<ModelDefinition, 'id' | 'price'>[]) {
    for (const { id, price } of models) if (price !== undefined) this.prices.set(id, compilePrice(price));
  }

  /**
   * The cost of a request in billionths. A request that failed and used nothing costs nothing.
   *
   * @returns undefined if its model has no price, or if it isn't counted as a request
   */
  costOf(request: PricedRequest): bigint | undefined {
    const price = this.prices.get(request.model);
    if (price === undefined) return undefined;
    switch (request.outcome) {
      case 'success':
        return price.costOf(request);
      case 'failure':
        return meters.some(({ name }) => (request[name] ?? 0) > 0) ? price.costOf(request) : 0n;
      case 'limited':
      case 'unrecorded':
        return undefined;
    }
  }

  /**
   * The most that a request can cost.
   *
   * @returns undefined if its model has no price
   */
  boundOf(model: string, bound: UsageBound): CostBound | undefined {
    return this.prices.get(model)?.boundOf(bound);
  }
}
