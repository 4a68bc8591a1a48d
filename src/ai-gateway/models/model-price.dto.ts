import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { decimalPattern } from '../../common/money/decimal.js';
import { type TokenKind, tokenKindDefinitions, tokenKinds } from '../../common/rules/price-rules.js';
import type { TokenPrices } from '../../config/model-definition.js';

const priceProperty = (description: string, example: string) => ({
  type: String,
  description,
  example,
  pattern: decimalPattern,
});

const priceExamples: Readonly<Record<TokenKind, string>> = {
  input: '2.5',
  cachedInput: '0.25',
  cacheWrite: '3.125',
  cacheWrite1h: '5',
  output: '15',
  reasoning: '15',
};

/** A property per kind of tokens. */
@ApiSchema({ name: 'TokenPrices', description: 'Prices per million tokens, as exact decimals.' })
class TokenPricesDto implements TokenPrices {
  declare readonly input?: string;
  declare readonly cachedInput?: string;
  declare readonly cacheWrite?: string;
  declare readonly cacheWrite1h?: string;
  declare readonly output?: string;
  declare readonly reasoning?: string;
}
for (const kind of tokenKinds) {
  const property = priceProperty(tokenKindDefinitions[kind].description, priceExamples[kind]);
  ApiPropertyOptional(property)(TokenPricesDto.prototype, kind);
}

@ApiSchema({ name: 'PriceAbove', description: 'Prices of requests with many input tokens.' })
class PriceAboveDto {
  @ApiProperty({
    type: 'integer',
    description: 'The prices apply to the whole of each request with more input tokens than this.',
    example: 200_000,
    minimum: 1,
  })
  inputTokens: number;

  @ApiProperty({ description: 'The prices that differ from those of smaller requests.' })
  perMillionTokens: TokenPricesDto;
}

@ApiSchema({ name: 'ModelPrice', description: 'Price of a model, from the models file. Amounts are exact decimals.' })
export class ModelPriceDto {
  @ApiProperty({ description: 'ISO 4217 code.', example: 'USD', pattern: '^[A-Z]{3}$' })
  currency: string;

  @ApiPropertyOptional({ description: 'Prices of the tokens that the model uses.' })
  perMillionTokens?: TokenPricesDto;

  @ApiPropertyOptional(priceProperty('Price of each request, in addition to what it uses.', '0.001'))
  perRequest?: string;

  @ApiPropertyOptional(priceProperty('Price per thousand document pages. Only for OCR models.', '1'))
  perThousandPages?: string;

  @ApiPropertyOptional({
    type: [PriceAboveDto],
    description: 'Prices of requests with many input tokens, ascending.',
    minItems: 1,
  })
  above?: readonly PriceAboveDto[];
}
