import type { Box, TextLine } from '../layout/text.js';

/**
 * Tesseract also reads lines that run from top to bottom, as those of a page that lies on its side. Where most do,
 * the boxes are turned so that the lines run from left to right.
 */
export function uprightLines(lines: readonly TextLine[]): TextLine[] {
  const long = lines.filter((line) => line.length > 1);
  const vertical = long.filter(isVertical);
  if (vertical.length <= long.length / 2) return [...lines];
  const turn = ({ left, top, right, bottom }: Box): Box => ({ left: top, top: -right, right: bottom, bottom: -left });
  return lines.map((line) => line.map((word) => ({ ...word, box: turn(word.box) })));
}

function isVertical(line: TextLine): boolean {
  const [first, last] = [line[0]?.box, line.at(-1)?.box];
  if (first === undefined || last === undefined) return false;
  return Math.abs(last.top - first.top) > Math.abs(last.left - first.left);
}
