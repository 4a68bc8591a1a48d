import { invalidField } from '../../../common/errors/app-error.js';
import { parseModelName } from '../../body/model-request.js';
import { JsonReader } from '../../json/json-scanner.js';
import { JsonScanError } from '../../json/token-reader.js';
import { JsonStringDecoder } from '../../json/json-string-decoder.js';
import {
  checkMetadata,
  checkOutputDtype,
  checkTextCount,
  checkUser,
  type EmbeddingsField,
  type EmbeddingsRequest,
  parseDimensions,
  parseEncodingFormat,
  parseField,
  parseText,
  parseTexts,
} from './embeddings-request.js';

/** Longer than any valid number or literal. */
const maxLiteralLength = 100;
const quote = 0x22;
const openArray = 0x5b;
/** The object itself, and `input` in it. */
const depthOfFields = 1;
const depthOfTexts = 2;

/**
 * Parses the body of an embeddings request as it arrives. Rejects it at the first unknown or repeated field, surplus
 * text or value of a wrong type: builds no object from the client's JSON, and a chunk costs no more than its own bytes.
 */
export class EmbeddingsRequestReader extends JsonReader {
  private readonly seen = new Set<EmbeddingsField>();
  private field: EmbeddingsField = 'model';
  private model: string | undefined;
  private texts: string[] | undefined;
  private encodingFormat: EmbeddingsRequest['encodingFormat'] = 'float';
  private dimensions: number | undefined;
  private outputDimension: number | undefined;
  /** The current token, if it's a string. */
  private string: JsonStringDecoder | undefined;
  private hasOpeningQuote = false;
  /** The current token, if it's a number or a literal. */
  private literal = '';

  /**
   * The request, after all chunks were pushed.
   *
   * @throws AppError 400, JsonScanError
   */
  end(): EmbeddingsRequest {
    this.endObject();
    const { encodingFormat, dimensions, outputDimension } = this;
    if (dimensions !== undefined && outputDimension !== undefined) {
      throw invalidField('output_dimension', 'Send either dimensions or output_dimension: they mean the same.');
    }
    return {
      model: parseModelName(this.model),
      texts: parseTexts(this.texts),
      encodingFormat,
      dimensions: dimensions ?? outputDimension,
    };
  }

  protected override onContainer(firstByte: number): void {
    const { depth } = this;
    if (this.isInMetadata) return;
    const isArray = firstByte === openArray;
    if (depth === depthOfFields && this.field === 'input' && isArray) this.texts = [];
    else this.take(isArray ? [] : {});
  }

  protected override onToken(firstByte: number): void {
    if (this.isInMetadata) return;
    const isString = firstByte === quote;
    if (this.depth === depthOfTexts) {
      checkTextCount((this.texts?.length ?? 0) + 1);
      // Rejected before it's read: consecutive numbers are one token, which can be as long as the body.
      if (!isString) this.take(isLiteralStart(firstByte) ? null : 0);
    }
    this.string = isString ? new JsonStringDecoder() : undefined;
    this.hasOpeningQuote = isString;
    this.literal = '';
  }

  protected override onTokenBytes(chunk: Buffer, start: number, end: number, isComplete: boolean): void {
    if (this.isInMetadata) return;
    if (this.string === undefined) {
      this.literal += chunk.toString('latin1', start, Math.min(end, start + maxLiteralLength));
      if (this.literal.length >= maxLiteralLength) throw new JsonScanError('has a number that is too long');
      if (isComplete) this.take(JSON.parse(this.literal));
      return;
    }
    this.string.push(chunk.subarray(this.hasOpeningQuote ? start + 1 : start, isComplete ? end - 1 : end));
    this.hasOpeningQuote = false;
    if (!isComplete) return;
    const text = this.string.end();
    if (this.takesKey) this.takeKey(text);
    else this.take(text);
  }

  private get isInMetadata(): boolean {
    return this.field === 'metadata' && this.depth > depthOfFields;
  }

  private takeKey(key: string): void {
    this.field = parseField(key);
    // Parsers disagree about which one counts.
    if (this.seen.has(this.field)) throw invalidField(this.field, `${this.field} must be given once.`);
    this.seen.add(this.field);
  }

  private take(value: unknown): void {
    const { texts, depth, field } = this;
    if (depth === depthOfTexts) {
      texts?.push(parseText(value, `input.${texts.length}`));
      return;
    }
    switch (field) {
      case 'input':
        this.texts = [parseText(value, 'input')];
        break;
      case 'model':
        this.model = parseModelName(value);
        break;
      case 'encoding_format':
        this.encodingFormat = parseEncodingFormat(value);
        break;
      case 'dimensions':
        this.dimensions = parseDimensions(value, field);
        break;
      case 'output_dimension':
        this.outputDimension = value === null ? undefined : parseDimensions(value, field);
        break;
      case 'output_dtype':
        checkOutputDtype(value);
        break;
      case 'metadata':
        checkMetadata(value);
        break;
      case 'user':
        checkUser(value);
        break;
    }
  }
}

/** `true`, `false` or `null`. */
function isLiteralStart(byte: number): boolean {
  return byte >= 0x61;
}
