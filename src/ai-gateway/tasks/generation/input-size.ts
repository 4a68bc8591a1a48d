import type { GenerationSettings, MediaTokens } from '../../../config/model-definition.js';
import { JsonReader } from '../../json/json-scanner.js';
import type { MediaKind } from './dialects/dialect.js';

/** The most tokens that vendors charge for an image, a minute or two of audio, and a document of a hundred pages. */
export const defaultMediaTokens = { image: 5000, audio: 20_000, file: 100_000 } as const satisfies MediaTokens;

/** Vendors add prompts of their own, for example for tools. */
const hiddenTokens = 1000;
/** About right for English. */
const bytesPerToken = 4;
const maxNameLength = 100;
const quote = 0x22;
const openArray = 0x5b;

/** How many input tokens a request can have, and probably has. */
export interface InputSize {
  readonly maxTokens: number;
  readonly probableTokens: number;
}

/** An image, audio or a file in the body. */
interface Media {
  kind: MediaKind;
  readonly bytes: number;
}

/** An open object or array. */
interface Container {
  readonly path: string;
  readonly isArray: boolean;
  key: string;
  type: string;
  media: Media[] | undefined;
}

/**
 * Measures the input of a request. No tokenizer makes more tokens than text has bytes, so the length of the body is an
 * upper bound, except for media: their tokens depend on pixels, seconds and pages.
 */
export class InputSizeReader extends JsonReader {
  /** The body itself comes first. */
  private readonly containers: Container[] = [{ path: '', isArray: false, key: '', type: '', media: undefined }];
  private totalBytes = 0;
  private found: readonly Media[] = [];
  /** Length of the current token, and its beginning if that matters. */
  private tokenBytes = 0;
  private tokenText: string | undefined;
  private isKey = false;
  private isString = false;

  /**
   * @param media kinds by path, which has the keys on the way, without array positions
   * @param mediaTokens the most tokens of each kind
   */
  constructor(
    private readonly media: ReadonlyMap<string, MediaKind>,
    private readonly mediaTokens: MediaTokens = defaultMediaTokens,
  ) {
    super();
  }

  override push(chunk: Buffer): void {
    this.totalBytes += chunk.length;
    super.push(chunk);
  }

  /** @throws JsonScanError if the object isn't complete */
  end(): InputSize {
    this.endObject();
    const text = this.found.reduce((sum, { bytes }) => sum - bytes, this.totalBytes);
    const media = this.found.reduce((sum, { kind }) => sum + this.mediaTokens[kind], 0);
    return { maxTokens: text + media + hiddenTokens, probableTokens: Math.ceil(text / bytesPerToken) + media };
  }

  protected override onContainer(firstByte: number): void {
    const parent = this.containers.at(-1);
    this.containers.push({
      path: parent === undefined ? '' : pathIn(parent),
      isArray: firstByte === openArray,
      key: '',
      type: '',
      media: undefined,
    });
  }

  protected override onContainerEnd(): void {
    const ended = this.containers.pop();
    if (ended?.media === undefined) return;
    // An upstream reads such a part as text, whatever else is in it.
    if (ended.type === 'text') return;
    if (ended.type === 'document') for (const one of ended.media) one.kind = 'file';
    const parent = this.containers.at(-1);
    if (parent === undefined) this.found = ended.media;
    else parent.media = parent.media === undefined ? ended.media : [...parent.media, ...ended.media];
  }

  protected override onToken(firstByte: number): void {
    this.isKey = this.takesKey;
    this.isString = firstByte === quote;
    this.tokenBytes = 0;
    this.tokenText = this.isKey || this.containers.at(-1)?.key === 'type' ? '' : undefined;
  }

  protected override onTokenBytes(chunk: Buffer, start: number, end: number, isComplete: boolean): void {
    this.tokenBytes += end - start;
    if (this.tokenText !== undefined && this.tokenText.length <= maxNameLength) {
      this.tokenText += chunk.toString('latin1', start, Math.min(end, start + maxNameLength));
    }
    const container = this.containers.at(-1);
    if (!isComplete || container === undefined) return;
    const text = this.tokenText?.slice(1, -1) ?? '';
    if (this.isKey) container.key = text;
    else if (container.key === 'type' && !container.isArray) container.type = text;
    else if (this.isString) this.takeString(container);
  }

  private takeString(container: Container): void {
    const kind = this.media.get(pathIn(container));
    if (kind !== undefined) (container.media ??= []).push({ kind, bytes: this.tokenBytes });
  }
}

/** The most tokens of media in a request that any of the models may serve. */
export function mediaTokensOf(models: readonly Pick<GenerationSettings, 'mediaTokens'>[]): MediaTokens {
  const most = (kind: MediaKind) =>
    Math.max(...models.map(({ mediaTokens }) => mediaTokens?.[kind] ?? defaultMediaTokens[kind]));
  return { image: most('image'), audio: most('audio'), file: most('file') };
}

/** The path of the next value in a container. */
function pathIn({ path, key, isArray }: Container): string {
  if (isArray) return path;
  return path === '' ? key : `${path}.${key}`;
}
