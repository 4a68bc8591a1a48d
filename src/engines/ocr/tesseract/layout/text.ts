/** In any unit; `top` is less than `bottom`. */
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
}

/** Words that stand on one line, in reading order; never empty. */
export type TextLine = readonly TextWord[];

/** The smallest box around others. */
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

/** The middle of the values in order; 0 when there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? 0;
}
