import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { TextLine } from '../layout/text.js';
import { languageFile } from '../language-data.js';
import { type Raster, turnAround } from './raster.js';
import { loadTesseractCore } from './tesseract-core.js';
import { meanConfidence, readTsv } from './tsv.js';

const NEURAL_RECOGNIZER = 1;
/** Below it a page may be upside down: such pages reach 0.5, legible ones 0.7. */
const DOUBTFUL_CONFIDENCE = 0.65;
const CLEARLY_BETTER = 0.1;

type Core = Awaited<ReturnType<typeof loadTesseractCore>>;

/** Finds the text in pictures. */
export class Recognizer {
  private constructor(
    private readonly core: Core,
    private readonly api: InstanceType<Core['TessBaseAPI']>,
  ) {}

  /** @throws when the data of a language is missing or broken */
  static async load(languages: readonly string[]): Promise<Recognizer> {
    const core = await loadTesseractCore();
    for (const language of languages) {
      core.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(languageFile(language))));
    }
    const api = new core.TessBaseAPI();
    if (api.Init(null, languages.join('+'), NEURAL_RECOGNIZER) !== 0) {
      throw new Error(`Tesseract cannot read its data for ${languages.join(', ')}.`);
    }
    // Mode 3 finds columns and tables; Sauvola's thresholds follow the brightness from place to place.
    api.SetVariable('tessedit_pageseg_mode', '3');
    api.SetVariable('thresholding_method', '2');
    return new Recognizer(core, api);
  }

  /** The lines of a picture in reading order, in its pixels; of one that is upside down, in those of the turned one. */
  recognize(picture: Raster): TextLine[] {
    const lines = this.recognizeAsIs(picture);
    if (lines.length === 0 || meanConfidence(lines) >= DOUBTFUL_CONFIDENCE) return lines;
    const turned = this.recognizeAsIs(turnAround(picture));
    const isUpsideDown = meanConfidence(turned) > meanConfidence(lines) + CLEARLY_BETTER;
    return isUpsideDown ? turned : lines;
  }

  private recognizeAsIs({ pixels, width, height, dpi }: Raster): TextLine[] {
    // The simplest format that Tesseract reads: nothing has to be compressed.
    this.core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
    this.api.SetVariable('user_defined_dpi', String(dpi));
    if (this.api.SetImageFile(1, 0) !== 0) throw new Error('Tesseract cannot read the picture.');
    this.api.Recognize(null);
    const lines = readTsv(this.api.GetTSVText());
    this.api.Clear();
    return lines;
  }
}
