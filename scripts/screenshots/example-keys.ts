import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ApiKey } from '../../src/api-keys/api-key.entity.js';
import { generateApiKey, hashApiKey, hintOfApiKey } from '../../src/api-keys/api-key.token.js';
import { foldText } from '../../src/common/validation/fold-text.js';
import type { TestApp } from '../../test/setup/test-app.js';
import { daysAgo } from './days-ago.js';

/** Who creates keys. */
type CreatorName = 'owner' | 'keyManager' | 'deployPipeline';

/** The columns of keys for each creator. */
export type Creators = Record<CreatorName, Partial<Pick<ApiKey, 'createdById' | 'createdByServiceAccountId'>>>;

interface KeyDescription {
  name: string;
  createdBy: CreatorName;
  tags: string[];
  createdDaysAgo: number;
  /** Undefined if it was never rotated. */
  rotatedDaysAgo?: number;
  /** The end of its requests; undefined if never used. */
  usedDaysAgo?: number;
  /** Undefined if it doesn't expire. */
  expiresInDays?: number;
  model: 'universal-sentence-encoder-lite' | 'tesseract';
  /** Requests in the busiest hour of a weekday. */
  requestsPerHour: number;
}

export interface ExampleKey extends KeyDescription {
  id: string;
  hint: string;
  /** The first characters of its first secret, if it was rotated. */
  earlierHint: string | undefined;
}

const embeddings = 'universal-sentence-encoder-lite';
const ocr = 'tesseract';

/** Busiest first. */
const descriptions: KeyDescription[] = [
  {
    name: 'Help center search',
    createdBy: 'owner',
    tags: ['env:production', 'team:support'],
    createdDaysAgo: 164,
    rotatedDaysAgo: 2.1,
    usedDaysAgo: 0,
    model: embeddings,
    requestsPerHour: 420,
  },
  {
    name: 'Support assistant',
    createdBy: 'keyManager',
    tags: ['env:production', 'team:support'],
    createdDaysAgo: 97,
    rotatedDaysAgo: 3.1,
    usedDaysAgo: 0.002,
    model: embeddings,
    requestsPerHour: 260,
  },
  {
    name: 'Product recommendations',
    createdBy: 'deployPipeline',
    tags: ['env:production', 'team:shop'],
    createdDaysAgo: 71,
    usedDaysAgo: 0.01,
    model: embeddings,
    requestsPerHour: 140,
  },
  {
    name: 'Invoice reader',
    createdBy: 'keyManager',
    tags: ['env:production', 'team:finance'],
    createdDaysAgo: 52,
    usedDaysAgo: 0.04,
    expiresInDays: 128,
    model: ocr,
    requestsPerHour: 35,
  },
  {
    name: 'Staging',
    createdBy: 'deployPipeline',
    tags: ['env:staging'],
    createdDaysAgo: 33,
    usedDaysAgo: 2,
    expiresInDays: 57,
    model: embeddings,
    requestsPerHour: 6,
  },
  {
    name: 'Contract archive',
    createdBy: 'owner',
    tags: ['team:finance'],
    createdDaysAgo: 12,
    usedDaysAgo: 5,
    expiresInDays: 6,
    model: ocr,
    requestsPerHour: 4,
  },
  {
    name: 'Hackathon',
    createdBy: 'owner',
    tags: [],
    createdDaysAgo: 0.2,
    expiresInDays: 7,
    model: embeddings,
    requestsPerHour: 0,
  },
];

/** Inserts keys with past creation dates. */
export async function insertExampleKeys(
  { app }: TestApp,
  organizationId: string,
  creators: Creators,
): Promise<ExampleKey[]> {
  const keys = descriptions.map((description) => ({ ...description, id: uuidv7(), secret: generateApiKey() }));
  const rows = keys.map(({ id, secret, name, tags, createdBy, createdDaysAgo, rotatedDaysAgo, expiresInDays }) => ({
    id,
    organizationId,
    name,
    foldedName: foldText(name),
    hint: hintOfApiKey(secret),
    secretHash: hashApiKey(secret),
    tags,
    ...creators[createdBy],
    createdAt: daysAgo(createdDaysAgo),
    updatedAt: daysAgo(rotatedDaysAgo ?? createdDaysAgo),
    rotatedAt: rotatedDaysAgo === undefined ? null : daysAgo(rotatedDaysAgo),
    expiresAt: expiresInDays === undefined ? null : daysAgo(-expiresInDays),
  }));
  await app.get(DataSource).manager.insert(ApiKey, rows);
  return keys.map(({ secret, ...key }) => ({
    ...key,
    hint: hintOfApiKey(secret),
    earlierHint: key.rotatedDaysAgo === undefined ? undefined : hintOfApiKey(generateApiKey()),
  }));
}
