import type { Box, TextLine } from './text.js';

type Direction = 'right' | 'down' | 'up';

/** How a box stands when the page is turned so that lines of this direction run to the right. */
const turns: Record<Direction, (box: Box) => Box> = {
  right: (box) => box,
  down: ({ left, top, right, bottom }) => ({ left: top, top: -right, right: bottom, bottom: -left }),
  up: ({ left, top, right, bottom }) => ({ left: -bottom, top: left, right: -top, bottom: right }),
};

/** Turns a page that lies on its side, as most of its lines do. Lines to the left are those of other scripts. */
export function uprightLines(lines: readonly TextLine[]): TextLine[] {
  const directions = lines.filter((line) => line.length > 1).map(directionOf);
  const most = (['down', 'up'] as const).find(
    (direction) => directions.filter((other) => other === direction).length > directions.length / 2,
  );
  const turn = turns[most ?? 'right'];
  return lines.map((line) => line.map((word) => ({ ...word, box: turn(word.box) })));
}

function directionOf(line: TextLine): Direction {
  const [first, last] = [line[0]?.box, line.at(-1)?.box];
  if (first === undefined || last === undefined) return 'right';
  const fall = last.top - first.top;
  if (Math.abs(fall) <= Math.abs(last.left - first.left)) return 'right';
  return fall > 0 ? 'down' : 'up';
}
