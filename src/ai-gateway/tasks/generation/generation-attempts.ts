import type { UpstreamTarget } from '../../../config/model-definition.js';
import type { Admission, Reservation } from '../../../limits/admission.js';
import type { Demand } from '../../../limits/amounts.js';
import type { ReservationsService } from '../../../limits/reservations.service.js';
import type { ModelOf } from '../../models/model.js';
import type { RequestDemands } from '../../request-demands.js';
import type { Dialect } from './dialects/dialect.js';
import type { GenerationFields, OutputSettings } from './generation-fields.js';
import type { GenerationUsage } from './generation-usage.js';
import type { InputSize } from './input-size.js';

export type GenerationModel = ModelOf<'generation'>;

/** Limits that refill charge at most this much output before it's known. */
const maxProbableOutput = 4096;

/** A request whose input was measured. */
interface MeasuredRequest {
  readonly dialect: Dialect;
  readonly fields: GenerationFields;
  readonly usage: GenerationUsage;
  readonly input: InputSize;
  readonly admission: Admission | undefined;
}

/**
 * Reserves what each attempt of a request may use, before an upstream gets it. Budgets therefore hold even if an upstream
 * that was given up bills the request, or a fallback is more expensive.
 */
export class GenerationAttempts {
  private model: GenerationModel | undefined;
  private reservation: Reservation | undefined;

  constructor(
    private readonly request: MeasuredRequest,
    private readonly demands: RequestDemands,
    private readonly reservations: ReservationsService,
  ) {}

  /** The limit that a budget sets to the output of each choice, in tokens; undefined if it leaves enough. */
  get outputLimit(): number | undefined {
    return this.reservation?.outputLimit;
  }

  /**
   * Reserves the most that the model may use, or less if a budget leaves less.
   *
   * @throws AppError 429 if even that exceeds a limit, 403 if the model has no price; ClientGoneError
   */
  async begin(model: GenerationModel): Promise<void> {
    const { admission, usage } = this.request;
    this.use(model, await this.reservations.reserve(admission, this.demandOf(model), usage));
  }

  /**
   * Reserves what another attempt may use in addition, without waiting.
   *
   * @returns false if that doesn't fit
   * @throws AppError 503 if that can't be decided; ClientGoneError
   */
  async prepare(model: GenerationModel): Promise<boolean> {
    const { admission, usage } = this.request;
    const isAbandoned = usage.isUnreported === true;
    if (model === this.model && !isAbandoned) return true;
    if (!this.demands.allows(admission, model.id)) return false;
    const { fits, reservation } = await this.reservations.reserveMore(admission, this.demandOf(model));
    if (!fits) return false;
    this.leave(isAbandoned);
    this.use(model, reservation);
    return true;
  }

  /** What a target of the current model is asked for. */
  settingsFor(target: UpstreamTarget): OutputSettings {
    const { dialect } = this.request;
    const { outputLimit } = this;
    const [defaultField] = dialect.outputLimitFields;
    const field = dialect.outputLimitFields.find((name) => name === target.outputLimitField) ?? defaultField;
    return {
      maxOutputTokens: outputLimit ?? maxOutputOf(this.model),
      outputLimitField: outputLimit === undefined ? undefined : field,
      asksForUsage: (target.streamUsage ?? 'request') === 'request',
    };
  }

  private use(model: GenerationModel, reservation: Reservation | undefined): void {
    const { fields, usage, input } = this.request;
    const { choices, choicesPerReturned, isStream } = fields;
    this.model = model;
    this.reservation = reservation;
    usage.model = model.id;
    const outputTokens = choices * (reservation?.outputLimit ?? this.outputOf(model));
    usage.bounds = { inputTokens: input.maxTokens, outputTokens, choices, choicesPerReturned, isStream };
  }

  /** @param isAbandoned whether its upstream may have used something */
  private leave(isAbandoned: boolean): void {
    const { admission, usage } = this.request;
    const { reservation } = this;
    if (isAbandoned) {
      const used = usage.abandon();
      if (reservation !== undefined) reservation.used = this.demands.amountsOf(reservation.model, used);
    } else if (admission !== undefined && reservation !== undefined) {
      this.reservations.release(admission, reservation);
    }
  }

  private demandOf(model: GenerationModel): Demand {
    const { admission, fields, input } = this.request;
    const { choices } = fields;
    const tokens = this.outputOf(model);
    const outputTokens = choices * tokens;
    const probable = input.probableTokens + Math.min(outputTokens, maxProbableOutput);
    const estimate = { tokens: Math.min(probable, input.maxTokens + outputTokens), pages: 0 };
    const output = { tokens, leastTokens: Math.min(tokens, fields.leastOutputTokens), choices };
    return this.demands.of(admission, model.id, { inputTokens: input.maxTokens, outputTokens }, { estimate, output });
  }

  /** The most tokens of each choice. */
  private outputOf(model: GenerationModel): number {
    const { maxOutputTokens } = this.request.fields;
    const most = maxOutputOf(model);
    return maxOutputTokens === undefined ? most : Math.min(maxOutputTokens, most);
  }
}

function maxOutputOf(model: GenerationModel | undefined): number {
  if (model?.maxOutputTokens === undefined) throw new Error('A model that generates text has no maximum.');
  return model.maxOutputTokens;
}
