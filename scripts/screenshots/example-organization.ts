import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { hashSecret } from '../../src/common/secret-format.js';
import { insertOrganization } from '../../src/organizations/insert-organization.js';
import { Membership } from '../../src/organizations/membership.entity.js';
import { Organization } from '../../src/organizations/organization.entity.js';
import { Role } from '../../src/organizations/role.entity.js';
import { ServiceAccount } from '../../src/service-accounts/service-account.entity.js';
import { User } from '../../src/organizations/user.entity.js';
import { clientSecretFormat } from '../../src/service-accounts/client-secret.js';
import { setLimits } from '../../test/factories/limits.js';
import type { TestApp } from '../../test/setup/test-app.js';
import { daysAgo } from './days-ago.js';
import { insertExampleEvents } from './example-events.js';
import { insertExampleKeys } from './example-keys.js';
import { insertExampleUsage } from './example-usage.js';

/** Before the first keys. */
const organizationDays = 180;
const memberDays = 170;

/** Data shown in the screenshots. */
export interface ExampleOrganization {
  organizationId: string;
  /** The Owner. */
  userId: string;
  /** The member whose page is shown. */
  keyManagerId: string;
  /** The busiest key, whose page is shown. */
  apiKeyId: string;
}

export interface Person {
  userId: string;
  name: string;
  email: string;
}

/** Creates an organization with members, service accounts, keys, limits, two months of usage, requests and audit events. */
export async function createExampleOrganization(service: TestApp): Promise<ExampleOrganization> {
  const { manager } = service.app.get(DataSource);
  const owner = await insertPerson(service, 'Ada Lovelace');
  const organizationId = await insertOrganization(manager, 'Northwind', owner.userId);
  await manager.update(Organization, organizationId, { createdAt: daysAgo(organizationDays) });
  await manager.update(Membership, { organizationId }, { createdAt: daysAgo(organizationDays) });
  const keyManager = await insertMember(service, organizationId, 'Grace Hopper', 'Key manager');
  const viewer = await insertMember(service, organizationId, 'Alan Turing', 'Viewer');

  await insertServiceAccount(service, organizationId, { name: 'Backup', roleName: 'Viewer', usedDaysAgo: 0.4 });
  const pipeline = { name: 'Deploy pipeline', roleName: 'Key manager', usedDaysAgo: 0.02 };
  const deployPipeline = { ...pipeline, id: await insertServiceAccount(service, organizationId, pipeline) };

  const keys = await insertExampleKeys(service, organizationId, {
    owner: { createdById: owner.userId },
    keyManager: { createdById: keyManager.userId },
    deployPipeline: { createdByServiceAccountId: deployPipeline.id },
  });
  const spent = await insertExampleUsage(service, organizationId, keys);
  await limitKey(service, keys[0]?.id ?? '', spent);
  await insertExampleEvents(service, organizationId, { owner, keyManager, viewer, deployPipeline }, keys);
  return { organizationId, userId: owner.userId, keyManagerId: keyManager.userId, apiKeyId: keys[0]?.id ?? '' };
}

/** Limits a key, with a part of its budget used. */
async function limitKey(service: TestApp, keyId: string, spent: number): Promise<void> {
  await setLimits(service, { keyId }, [
    { metric: 'requests', per: 'minute', max: 600 },
    { metric: 'cost', per: 'month', max: '25000000000', notifyAt: [80, 100] },
    { metric: 'concurrency', max: 20 },
  ]);
  await service.query(
    `update limit_counters set level = $2::bigint, charged = $2::bigint where owner_id = $1 and metric = 'cost'`,
    [keyId, spent],
  );
}

async function insertPerson({ app }: TestApp, name: string): Promise<Person> {
  const userId = uuidv7();
  const email = `${name.split(' ')[0]?.toLowerCase()}@northwind.example`;
  await app.get(DataSource).manager.insert(User, { id: userId, email, name, passwordHash: null });
  return { userId, name, email };
}

async function insertMember(service: TestApp, organizationId: string, name: string, roleName: string): Promise<Person> {
  const { manager } = service.app.get(DataSource);
  const person = await insertPerson(service, name);
  const { id: roleId } = await manager.findOneByOrFail(Role, { organizationId, name: roleName });
  const createdAt = daysAgo(memberDays);
  await manager.insert(Membership, { id: uuidv7(), userId: person.userId, organizationId, roleId, createdAt });
  return person;
}

interface ServiceAccountDescription {
  name: string;
  roleName: string;
  usedDaysAgo: number;
}

async function insertServiceAccount(
  { app }: TestApp,
  organizationId: string,
  { name, roleName, usedDaysAgo }: ServiceAccountDescription,
): Promise<string> {
  const { manager } = app.get(DataSource);
  const { id: roleId } = await manager.findOneByOrFail(Role, { organizationId, name: roleName });
  const id = uuidv7();
  const secret = clientSecretFormat.generate();
  await manager.insert(ServiceAccount, {
    id,
    organizationId,
    name,
    roleId,
    hint: clientSecretFormat.hintOf(secret),
    secretHash: hashSecret(secret),
    lastUsedAt: daysAgo(usedDaysAgo),
  });
  return id;
}
