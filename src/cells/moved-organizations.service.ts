import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError, unauthenticated } from '../common/errors/app-error.js';
import { organizationMoving } from '../common/errors/organization-moving.js';
import { isElsewhere } from './is-elsewhere.js';

interface MoveRow {
  hasLeft: boolean;
  baseUrl: string | null;
}

/** How long a database without organizations that moved away is believed to have none. */
const recheckMilliseconds = 1000;

/** Explains why keys of organizations that are moving, or have moved, are rejected. */
@Injectable()
export class MovedOrganizations {
  /** Until when keys that aren't found are assumed to be unknown, from `performance.now()`. */
  private hasNoneUntil = -Infinity;

  constructor(private readonly dataSource: DataSource) {}

  /**
   * The error for a key that was found, but is rejected; undefined if its organization isn't moving. If no cell has served it
   * for too long, the next request is accepted.
   */
  async explainRejection(organizationId: string): Promise<AppError | undefined> {
    const [{ isReopened } = { isReopened: false }] = await this.dataSource.query<{ isReopened: boolean }[]>(
      'select reopen_abandoned_move($1) as "isReopened"',
      [organizationId],
    );
    if (isReopened) return organizationMoving();
    const rows = await this.dataSource.query<MoveRow[]>(
      `select direction = 'out' and state in ('draining', 'moved') as "hasLeft", base_url as "baseUrl"
       from organization_moves
       where organization_id = $1 and (is_closed or direction = 'out' and state = 'moved')`,
      [organizationId],
    );
    return rows.map(toError)[0];
  }

  /**
   * The error for a user or service account without access to an organization; undefined if it isn't moving away. A 401, so
   * that the dashboard switches to another organization of the user.
   */
  async explainLostAccess(organizationId: string): Promise<AppError | undefined> {
    const [move] = await this.dataSource.query<MoveRow[]>(
      `select state <> 'activating' as "hasLeft", base_url as "baseUrl" from organization_moves
       where organization_id = $1 and ${isElsewhere('$1')}`,
      [organizationId],
    );
    if (move === undefined) return undefined;
    if (!move.hasLeft) return organizationMoving();
    return unauthenticated('invalid-credential', `The organization has moved to ${placeOf(move, 'Sign in')}`);
  }

  /** The error for a key that wasn't found; undefined if no organization has moved away with it. */
  async explainMissing(secretHash: Buffer): Promise<AppError | undefined> {
    if (performance.now() < this.hasNoneUntil) return undefined;
    const [found] = await this.dataSource.query<{ hasAny: boolean; move: MoveRow | null }[]>(
      `select exists (select from organization_moves where direction = 'out') as "hasAny", (
         select json_build_object('hasLeft', true, 'baseUrl', base_url)
         from moved_api_keys join organization_moves using (organization_id) where secret_hash = $1
       ) as move`,
      [secretHash],
    );
    if (found?.hasAny !== true) this.hasNoneUntil = performance.now() + recheckMilliseconds;
    return found?.move == null ? undefined : toError(found.move);
  }
}

function toError(move: MoveRow): AppError {
  if (!move.hasLeft) return organizationMoving();
  return new AppError(
    'organization-moved',
    `The organization of this API key has moved to ${placeOf(move, 'Send requests')}`,
  );
}

const placeOf = ({ baseUrl }: MoveRow, remedy: string) =>
  baseUrl === null ? 'another Keycard. Ask the operator for its base URL.' : `${baseUrl}. ${remedy} there.`;
