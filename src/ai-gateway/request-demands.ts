import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import type { MeterAmounts } from '../common/rules/meters.js';
import type { Admission } from '../limits/admission.js';
import { type Amounts, amountsOf, type Demand, type OutputDemand } from '../limits/amounts.js';
import type { UsageBound } from '../usage/cost/compile-price.js';
import { ModelPrices } from '../usage/cost/model-prices.js';

interface DemandOptions extends Pick<Demand, 'estimate'> {
  /** How the output of each choice can be lowered to what is left. */
  readonly output?: Omit<OutputDemand, 'price'>;
}

/** Prices what requests may use, for their limits. */
@Injectable()
export class RequestDemands {
  constructor(private readonly prices: ModelPrices) {}

  /**
   * The most that a request to a model can use.
   *
   * @throws AppError 403 if money is limited and the model has no price
   */
  of(
    admission: Admission | undefined,
    model: string,
    bound: UsageBound,
    { estimate, output }: DemandOptions = {},
  ): Demand {
    const { inputTokens = 0, outputTokens = 0, pages = 0 } = bound;
    const price = this.prices.boundOf(model, bound);
    if (price === undefined && admission?.limits('cost', model) === true) throw withoutPrice(model);
    return {
      model,
      tokens: inputTokens + outputTokens,
      pages,
      cost: Number(price?.cost ?? 0n),
      ...(estimate && { estimate }),
      ...(output && { output: { ...output, price: price?.outputPrice ?? 0n } }),
    };
  }

  /** What an upstream has used, as limits count it. */
  amountsOf(model: string, used: MeterAmounts): Amounts {
    return amountsOf(used, Number(this.prices.costOf({ ...used, model, outcome: 'failure' }) ?? 0n));
  }

  /** Whether limits allow a model: what it costs is known, or isn't limited. */
  allows(admission: Admission | undefined, model: string): boolean {
    return this.prices.boundOf(model, {}) !== undefined || admission?.limits('cost', model) !== true;
  }
}

function withoutPrice(model: string): AppError {
  return new AppError(
    'model-without-price',
    `The model ${model} has no price, so its cost can't be limited. Use a model with a price.`,
  );
}
