import { type MeterAmounts, meters } from '../../common/rules/meters.js';
import { isCount } from '../../common/storable.js';

/** How a request ended. Those that a limit rejected are `limited`. */
export const requestOutcomes = ['success', 'failure', 'limited'] as const;
export type RequestOutcome = (typeof requestOutcomes)[number];

/** A request of a key, without its body and response. */
export interface LoggedRequest {
  /** When it arrived. */
  readonly occurredAt: Date;
  /** Such as `POST /v1/embeddings`. */
  readonly route: string;
  /** Id of the model in the catalog, or name of the service; empty if it isn't known. */
  readonly model: string;
  /** HTTP status code. */
  readonly status: number;
  readonly outcome: RequestOutcome;
  /** From the arrival of the request to the end of the response. */
  readonly milliseconds: number;
  /** Canonical IP address of the client. */
  readonly address: string | null;
  readonly requestId: string;
  /** In billionths of the currency; null without a price. */
  readonly cost: bigint | null;
  readonly used: MeterAmounts;
}

/** Without names of fields, which would take more space than their values. */
type Line = [
  occurredAt: number,
  route: string,
  model: string,
  status: number,
  outcome: RequestOutcome,
  milliseconds: number,
  address: string | null,
  requestId: string,
  cost: string | null,
  used: MeterAmounts,
];

/** Writes a request as a line of text, in which JSON has escaped what PostgreSQL can't store. */
export function toLine(request: LoggedRequest): string {
  const { occurredAt, route, model, status, outcome, milliseconds, address, requestId, cost } = request;
  const used = Object.fromEntries(meters.flatMap(({ name }) => amountOf(request.used, name)));
  const line: Line = [
    occurredAt.getTime(),
    route,
    model,
    status,
    outcome,
    Math.round(milliseconds * 10) / 10,
    address,
    pack(requestId),
    cost === null ? null : cost.toString(),
    used,
  ];
  return JSON.stringify(line);
}

function amountOf(used: MeterAmounts, name: keyof MeterAmounts): [name: string, amount: number][] {
  const amount = used[name];
  return amount !== undefined && amount > 0 && isCount(amount) ? [[name, amount]] : [];
}

/** Reads a line that `toLine` wrote. */
export function fromLine(text: string): LoggedRequest {
  const [occurredAt, route, model, status, outcome, milliseconds, address, requestId, cost, used] = JSON.parse(
    text,
  ) as Line;
  return {
    ...{ occurredAt: new Date(occurredAt), route, model, status, outcome, milliseconds, address, used },
    requestId: unpack(requestId),
    cost: cost === null ? null : BigInt(cost),
  };
}

/** The text that a line has if it's of a request with this ID, and seldom otherwise. */
export function idInLine(requestId: string): string {
  return JSON.stringify(pack(requestId));
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Starts packed ids. Others don't have it. */
const packedMark = '=';

/** Writes a UUID, which request ids are by default and doesn't compress, with 23 characters. */
function pack(requestId: string): string {
  if (!uuidPattern.test(requestId)) return requestId;
  return `${packedMark}${Buffer.from(requestId.replaceAll('-', ''), 'hex').toString('base64url')}`;
}

function unpack(requestId: string): string {
  if (!requestId.startsWith(packedMark)) return requestId;
  const digits = Buffer.from(requestId.slice(1), 'base64url').toString('hex');
  return [0, 8, 12, 16, 20].map((start, index, starts) => digits.slice(start, starts[index + 1])).join('-');
}
