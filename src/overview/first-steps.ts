import type { EntityManager } from 'typeorm';
import type { Permission } from '../access/permissions.js';
import { defaultModels } from '../ai-gateway/models/default-models.js';
import type { ModelDefinition } from '../config/model-definition.js';
import { loadStatement } from '../database/sql-file.js';
import type { FirstStep, FirstStepDto } from './dto/first-step.dto.js';

/** Exported for the test that compares it with the schema. */
export const selectFirstSteps = loadStatement('overview/first-steps.sql', { parameters: ['organizationId'] });

interface StepsRow {
  hasKey: boolean;
  hasRequest: boolean;
  hasLimit: boolean;
  hasInvitation: boolean;
}

/** What a caller needs to see the state of a step. */
const permissionOf: Partial<Record<FirstStep, Permission>> = {
  key: 'get-api-keys',
  request: 'get-usage',
  limit: 'get-api-keys',
  invitation: 'get-members',
};

/** Reads the checklist of an organization; undefined once all steps are done, or if the organization was deleted. */
export async function readFirstSteps(
  manager: EntityManager,
  organizationId: string,
  permissions: readonly Permission[],
  models: readonly ModelDefinition[],
): Promise<FirstStepDto[] | undefined> {
  const [row] = await manager.query<StepsRow[]>(selectFirstSteps.text, selectFirstSteps.bind({ organizationId }));
  if (row === undefined) return undefined;
  const steps: FirstStepDto[] = [
    { name: 'key', isDone: row.hasKey },
    { name: 'request', isDone: row.hasRequest },
    { name: 'limit', isDone: row.hasLimit },
    { name: 'invitation', isDone: row.hasInvitation },
    { name: 'model', isDone: hasConfiguredModel(models) },
  ];
  if (steps.every(({ isDone }) => isDone)) return undefined;
  return steps.filter(({ name }) => {
    const permission = permissionOf[name];
    return permission === undefined || permissions.includes(permission);
  });
}

/** Whether the operator configured a model besides those that are served without a models file. */
function hasConfiguredModel(models: readonly ModelDefinition[]): boolean {
  const embedded = new Set(defaultModels().map(({ id }) => id));
  return models.some(({ id, servedBy }) => 'targets' in servedBy || !embedded.has(id));
}
