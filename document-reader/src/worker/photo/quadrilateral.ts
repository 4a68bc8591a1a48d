/*
 * Geometry of the outlines of sheets. The y axis points down.
 */
export type Point = readonly [x: number, y: number];
/** Clockwise from the top left. */
export type Corners = readonly [topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point];

/** Andrew's monotone chain. Clockwise, as y points down. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted(([x0, y0], [x1, y1]) => x0 - x1 || y0 - y1);
  const chain = (ordered: readonly Point[]) => {
    const hull: Point[] = [];
    for (const point of ordered) {
      while (hull.length > 1 && turn(hull.at(-2) ?? point, hull.at(-1) ?? point, point) <= 0) hull.pop();
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

/** Positive for a clockwise turn. Twice the area of the triangle. */
export function turn([x0, y0]: Point, [x1, y1]: Point, [x2, y2]: Point): number {
  return (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
}

/** Returns the largest quadrilateral between points of a convex hull: for each diagonal, the farthest points from it. */
export function largestQuadrilateral(hull: readonly Point[]): Corners | undefined {
  let best: { area: number; corners: Point[] } = { area: 0, corners: [] };
  for (const [index, first] of hull.entries()) {
    for (const [offset, third] of hull.slice(index + 2).entries()) {
      const split = index + 2 + offset;
      const second = farthest(hull.slice(index + 1, split), first, third);
      const fourth = farthest([...hull.slice(split + 1), ...hull.slice(0, index)], first, third);
      if (second === undefined || fourth === undefined) continue;
      const area = Math.abs(turn(first, second, third)) + Math.abs(turn(first, third, fourth));
      if (area > best.area) best = { area, corners: [first, second, third, fourth] };
    }
  }
  // The top left corner has the smallest sum of its coordinates.
  const sums = best.corners.map(([x, y]) => x + y);
  const start = sums.indexOf(Math.min(...sums));
  const [first, second, third, fourth] = [...best.corners.slice(start), ...best.corners.slice(0, start)];
  return first && second && third && fourth ? [first, second, third, fourth] : undefined;
}

function farthest(points: readonly Point[], from: Point, to: Point): Point | undefined {
  let best: { area: number; point: Point | undefined } = { area: 0, point: undefined };
  for (const point of points) {
    const area = Math.abs(turn(from, to, point));
    if (area > best.area) best = { area, point };
  }
  return best.point;
}

/** A line through a point, in a direction of length 1, and half the length of the part between two corners. */
interface Edge {
  readonly middle: Point;
  readonly direction: Point;
  readonly halfLength: number;
}

export function edgesOf(corners: Corners): Edge[] {
  return corners.map(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [x, y];
    const length = Math.hypot(nextX - x, nextY - y);
    return {
      middle: [(x + nextX) / 2, (y + nextY) / 2],
      direction: [(nextX - x) / length, (nextY - y) / length],
      halfLength: length / 2,
    };
  });
}

/** Whether a point is this close to the part of an edge between its corners. */
export function isNear({ middle, direction, halfLength }: Edge, [x, y]: Point, maxDistance: number): boolean {
  const [dx, dy] = [x - middle[0], y - middle[1]];
  const along = Math.abs(dx * direction[0] + dy * direction[1]);
  const away = Math.abs(dx * direction[1] - dy * direction[0]);
  return along <= halfLength + maxDistance && away <= maxDistance;
}

/** Fits a line to the outline near each edge, without the corners, which may be round or folded. */
export function fitEdges(rough: Corners, outline: readonly Point[], maxDeviation: number): Corners | undefined {
  const lines = edgesOf(rough).map((edge) => {
    const near = { ...edge, halfLength: edge.halfLength * 0.9 };
    const fitted = fitLine(outline.filter((point) => isNear(near, point, 3 * maxDeviation)));
    return fitLine(outline.filter((point) => isNear({ ...near, ...fitted }, point, maxDeviation)));
  });
  const [top, right, bottom, left] = lines;
  if (!top || !right || !bottom || !left) return undefined;
  return [intersect(left, top), intersect(top, right), intersect(right, bottom), intersect(bottom, left)];
}

type Line = Pick<Edge, 'middle' | 'direction'>;

/** Total least squares. */
function fitLine(points: readonly Point[]): Line | undefined {
  if (points.length < 10) return undefined;
  const mean = (valueOf: (point: Point) => number) =>
    points.reduce((sum, point) => sum + valueOf(point), 0) / points.length;
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])];
  const xx = mean((point) => (point[0] - x) ** 2);
  const yy = mean((point) => (point[1] - y) ** 2);
  const xy = mean((point) => (point[0] - x) * (point[1] - y));
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  return { middle: [x, y], direction: [Math.cos(angle), Math.sin(angle)] };
}

function intersect(one: Line, other: Line): Point {
  const [[x0, y0], [dx0, dy0]] = [one.middle, one.direction];
  const [[x1, y1], [dx1, dy1]] = [other.middle, other.direction];
  const along = ((x1 - x0) * dy1 - (y1 - y0) * dx1) / (dx0 * dy1 - dy0 * dx1);
  return [x0 + along * dx0, y0 + along * dy0];
}
