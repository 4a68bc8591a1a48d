/*
 * The text of a page, as it is passed from the readers of documents to the layout analysis.
 */

/** In any unit. `top` is less than `bottom`. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface TextWord {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly box: Box;
  /** Font size in the unit of the box, if the document has it. */
  readonly size?: number;
}

/** The words of a line in reading order. Never empty. */
export type TextLine = readonly TextWord[];

export interface PageText {
  readonly lines: readonly TextLine[];
  /** Whether the page has no lines because nothing is on it. */
  readonly isBlank: boolean;
  /** The whole page, in the unit of the boxes of words. */
  readonly bounds: Box;
  /** Languages of the data that the page was recognized with; empty for a page with digital text. */
  readonly languages: readonly string[];
  /** Size in pixels of the image that was recognized, or of the page at {@link pageDpi}. */
  readonly dimensions: { readonly dpi: number; readonly width: number; readonly height: number };
  /** Pictures that illustrate the text, in the unit of the boxes of words. */
  readonly figures: readonly Box[];
}

/** Limits on the figures of a page. */
export interface FigureLimits {
  /** Minimum width and height, in pixels of the dimensions. */
  readonly minPixels?: number | undefined;
  readonly maxCount: number;
}

/** A document whose pages can be read in any order. */
export interface OpenDocument {
  readonly pageCount: number;
  /** @throws PageFailure if the page can't be read */
  read(pageIndex: number, figures: FigureLimits): Promise<PageText>;
  /** Returns parts of a page as JPEG; those that are too large are undefined. Their boxes are in pixels of the dimensions. */
  render(pageIndex: number, boxes: readonly Box[], dimensions: PageText['dimensions']): Promise<(Buffer | undefined)[]>;
  close(): void;
}

/** A single page can't be read. The message completes the sentence "Page 3 …". */
export class PageFailure extends Error {
  override name = 'PageFailure';
}

export function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

export function scaleBox({ left, top, right, bottom }: Box, factor: number): Box {
  return { left: left * factor, top: top * factor, right: right * factor, bottom: bottom * factor };
}

/** Returns the smallest box around all boxes. */
export function boxAround(boxes: readonly Box[]): Box {
  const [first, ...others] = boxes;
  if (first === undefined) return { left: 0, top: 0, right: 0, bottom: 0 };
  return others.reduce(
    (around, box) => ({
      left: Math.min(around.left, box.left),
      top: Math.min(around.top, box.top),
      right: Math.max(around.right, box.right),
      bottom: Math.max(around.bottom, box.bottom),
    }),
    first,
  );
}

/** Returns the mean confidence of all words, weighted by length: 0 to 1. */
export function meanConfidence(lines: readonly TextLine[]): number {
  const words = lines.flat();
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + confidence * text.length, 0) / Math.max(1, characters);
}
