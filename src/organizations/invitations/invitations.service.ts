import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, Principal } from '../../access/principal.js';
import { AuditService } from '../../audit/audit.service.js';
import { AppError, notFound } from '../../common/errors/app-error.js';
import { hashLinkToken } from '../../common/link-token.js';
import { normalizeEmail } from '../../common/rules/email-address.js';
import type { PageQueryDto } from '../../common/validation/paging.dto.js';
import { MailService } from '../../mail/mail.service.js';
import { AccessChangesService, assertHeld } from '../access-changes.service.js';
import { Membership } from '../membership.entity.js';
import { findRole } from '../roles/role-queries.js';
import type { CreateInvitationDto, InvitationDto, InvitationListDto } from './dto/invitation.dto.js';
import { Invitation } from './invitation.entity.js';

/** 7 days. Counted in hours, because a day with a clock change has 23 or 25. */
const expiresAt = () => "now() + interval '168 hours'";

const relations = { role: true, invitedBy: true };

@Injectable()
export class InvitationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly changes: AccessChangesService,
    private readonly audit: AuditService,
    private readonly mail: MailService,
  ) {}

  /** Lists one page of the organization's invitations, newest first. */
  async list({ organizationId }: Principal, { page, perPage }: PageQueryDto): Promise<InvitationListDto> {
    const [invitations, total] = await this.dataSource.manager.findAndCount(Invitation, {
      where: { organizationId },
      relations,
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: (page - 1) * perPage,
      take: perPage,
    });
    return { total, page, perPage, invitations: invitations.map(toDto) };
  }

  /**
   * Invites an email, and mails the link. Replaces an earlier invitation for the same email.
   *
   * @returns the invitation and its token, whose hash alone is stored
   * @throws AppError 403 if the actor lacks one of the role's permissions; 404 for unknown, malformed and foreign
   *   roles; 409 if the email belongs to a member
   */
  create(actor: Actor, body: CreateInvitationDto): Promise<{ invitation: InvitationDto; token: string }> {
    const { organizationId } = actor;
    const invitedById = actor.kind === 'user' ? actor.id : null;
    const email = normalizeEmail(body.email);
    const { token, queue } = this.mail.prepareLink();
    const id = uuidv7();
    return this.changes.run(actor, 'create-members', async ({ manager, held }) => {
      const role = await findRole(manager, organizationId, body.roleId);
      assertHeld(held, role.permissions);
      await assertNotMember(manager, organizationId, email);
      const earlier = await manager.findOne(Invitation, { where: { organizationId, email }, relations });
      await manager.delete(Invitation, { organizationId, email });
      const tokenHash = hashLinkToken(token);
      const values = { id, organizationId, email, roleId: role.id, tokenHash, invitedById, expiresAt };
      await manager.insert(Invitation, values);
      await this.audit.record(manager, actor, {
        action: 'invitation.create',
        target: { kind: 'invitation', id, name: email },
        ...(earlier && { before: { role: earlier.role.name } }),
        after: { role: role.name },
      });
      await queue(manager, { kind: 'invitation', email, userId: null, organizationId, data: { invitationId: id } });
      return { invitation: toDto(await manager.findOneOrFail(Invitation, { where: { id }, relations })), token };
    });
  }

  /**
   * Withdraws an invitation. Its link no longer works.
   *
   * @throws AppError 404 for unknown, malformed and foreign ids
   */
  delete(actor: Actor, id: string): Promise<void> {
    return this.changes.run(actor, 'delete-members', async ({ manager }) => {
      const where = { id, organizationId: actor.organizationId };
      const invitation = await manager.findOne(Invitation, { where, relations });
      if (invitation === null) throw notFound('invitation');
      await manager.delete(Invitation, where);
      await this.audit.record(manager, actor, {
        action: 'invitation.delete',
        target: { kind: 'invitation', id, name: invitation.email },
        before: { role: invitation.role.name },
      });
    });
  }
}

async function assertNotMember(manager: EntityManager, organizationId: string, email: string): Promise<void> {
  if (await manager.existsBy(Membership, { organizationId, user: { email } })) {
    throw new AppError('conflict', `${email} is already a member. Change their role instead.`);
  }
}

function toDto({ id, email, role, invitedBy, createdAt, expiresAt }: Invitation): InvitationDto {
  return {
    id,
    email,
    role: { id: role.id, name: role.name },
    invitedBy: invitedBy && { id: invitedBy.id, name: invitedBy.name, email: invitedBy.email },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
