import type { Page } from 'playwright-core';
import type { Permission } from '../../../src/access/permissions.js';
import type { RoleDto, RoleListDto } from '../../../src/organizations/roles/dto/role.dto.js';
import type { Member } from '../../factories/organizations.js';
import { call } from '../../setup/call.js';
import type { TestApp } from '../../setup/test-app.js';

/** Creates a role as this member. */
export async function createRole(
  { url }: TestApp,
  { token }: Member,
  name: string,
  permissions: Permission[],
): Promise<RoleDto> {
  return (await call(url, 'POST /roles', { token, body: { name, permissions } })).body as RoleDto;
}

/** Finds a role by name in the member's organization. */
export async function findRole({ url }: TestApp, { token }: Member, name: string): Promise<RoleDto | undefined> {
  const { body } = await call(url, 'GET /roles', { token });
  return (body as RoleListDto).roles.find((role) => role.name === name);
}

/** Opens a role in the editor. */
export async function openRole(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog', { name }).waitFor();
}
