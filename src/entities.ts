import { ApiKey, DeletedApiKey } from './api-keys/api-key.entity.js';
import { IdempotencyKey } from './api-keys/idempotency-key.entity.js';
import { AuditEvent } from './audit/audit-event.entity.js';
import { UserIdentity } from './auth/oidc/user-identity.entity.js';
import { PasswordReset } from './auth/password-reset/password-reset.entity.js';
import { Session } from './auth/sessions/session.entity.js';
import { LeakReport } from './leaked-keys/leak-report.entity.js';
import { LimitCounter } from './limits/limit-counter.entity.js';
import { Invitation } from './organizations/invitations/invitation.entity.js';
import { Membership } from './organizations/membership.entity.js';
import { Organization } from './organizations/organization.entity.js';
import { FormerMember } from './organizations/people/former-member.entity.js';
import { ProvisionedMembership } from './organizations/provisioned-membership.entity.js';
import { Role } from './organizations/role.entity.js';
import { ServiceAccount } from './service-accounts/service-account.entity.js';
import { User } from './organizations/user.entity.js';
import { FailedRequest } from './usage/failures/failed-request.entity.js';
import { FailureCount } from './usage/failures/failure-count.entity.js';
import { UsageCohort, UsageCohortChange } from './usage/cohorts/usage-cohort.entity.js';
import { UsageByDay, UsageByHour, UsageByMonth, UsageSeries } from './usage/history/usage-history.entity.js';
import { RequestChunk } from './usage/requests/request-chunk.entity.js';
import { Usage } from './usage/usage.entity.js';
import { Webhook } from './webhooks/webhook.entity.js';

/** All entities. */
export const entities = [
  ApiKey,
  AuditEvent,
  DeletedApiKey,
  FailedRequest,
  FailureCount,
  FormerMember,
  IdempotencyKey,
  Invitation,
  LeakReport,
  LimitCounter,
  Membership,
  Organization,
  PasswordReset,
  ProvisionedMembership,
  RequestChunk,
  Role,
  ServiceAccount,
  Session,
  Usage,
  UsageByDay,
  UsageByHour,
  UsageByMonth,
  UsageCohort,
  UsageCohortChange,
  UsageSeries,
  User,
  UserIdentity,
  Webhook,
];
