import type { ApiKeyDetailsDto } from '../../src/api-keys/dto/api-key-details.dto.js';
import type { ApiKeyListDto } from '../../src/api-keys/dto/api-key-list.dto.js';
import type { ApiKeyTagListDto } from '../../src/api-keys/dto/api-key-tags.dto.js';
import type { ApiKeyDto } from '../../src/api-keys/dto/api-key.dto.js';
import { createApiKey, createRestrictedKey } from '../factories/api-keys.js';
import { readAuditEvents } from '../factories/audit-events.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
let member: Member;

beforeEach(async () => {
  member = await createMember(service);
});

const manage = (route: string, body?: unknown, token = member.token) => call(service.url, route, { token, body });
const show = async (id: string) => (await manage(`GET /api-keys/${id}`)).body as ApiKeyDetailsDto;
const namesOf = async (query: string) =>
  ((await manage(`GET /api-keys?orderBy=name&order=ASC&${query}`)).body as ApiKeyListDto).apiKeys.map(
    ({ name }) => name,
  );
const create = (name: string, tags: string[], owner = member) => createRestrictedKey(service, owner, { name, tags });

describe('The tags of an API key', () => {
  it('should be set on creation, and shown in the list, on the key and in the response to a change', async () => {
    await manage('POST /api-keys', { name: 'Tagged', tags: ['production', 'eu'] });
    const [listed] = ((await manage('GET /api-keys')).body as ApiKeyListDto).apiKeys;
    expect(listed?.tags).toEqual(['eu', 'production']);
    expect((await show(listed?.id ?? '')).tags).toEqual(['eu', 'production']);
    const changed = await manage(`PATCH /api-keys/${listed?.id}`, { name: 'Renamed' });
    expect((changed.body as ApiKeyDto).tags).toEqual(['eu', 'production']);
  });

  it('should be empty by default, and removed with an empty list only', async () => {
    const { id } = await createApiKey(service, member);
    expect((await show(id)).tags).toEqual([]);
    await manage(`PATCH /api-keys/${id}`, { tags: ['one'] });
    await manage(`PATCH /api-keys/${id}`, { note: 'Unrelated' });
    expect((await show(id)).tags).toEqual(['one']);
    await manage(`PATCH /api-keys/${id}`, { tags: [] });
    expect((await show(id)).tags).toEqual([]);
  });

  it('should be stored in lower case, trimmed and sorted', async () => {
    const { id } = await createApiKey(service, member);
    const response = await manage(`PATCH /api-keys/${id}`, { tags: ['  Search   Team ', 'EU', 'Ärger', 'env:prod'] });
    expect(response.status).toBe(200);
    expect((await show(id)).tags).toEqual(['env:prod', 'eu', 'search team', 'ärger']);
  });

  it.each([
    ['eleven tags', Array.from({ length: 11 }, (_, index) => `tag-${index}`)],
    ['the same tag twice, in another case', ['eu', 'EU']],
    ['an empty tag', ['  ']],
    ['a tag of 51 characters', ['x'.repeat(51)]],
    ['a tag with a comma', ['a,b']],
    ['a tag with a control character', ['a\u0000b']],
    ['a tag with an invisible character', ['a\u202eb']],
    ['a lone surrogate', ['\ud800']],
    ['a number', [7]],
    ['a list in the list', [['eu']]],
    ['null', null],
    ['text', 'eu'],
  ])('should not be %s', async (_title, tags) => {
    const { id } = await create('Tagged', ['one']);
    for (const response of [
      await manage(`PATCH /api-keys/${id}`, { tags, name: 'Renamed' }),
      await manage('POST /api-keys', { tags, name: 'Another' }),
    ]) {
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ errors: [{ field: 'tags' }] });
    }
    expect(await namesOf('')).toEqual(['Tagged']);
    expect((await show(id)).tags).toEqual(['one']);
  });

  it('should be in the audit log when they change, and not when they are only written differently', async () => {
    const { id } = await create('Tagged', ['eu']);
    await manage(`PATCH /api-keys/${id}`, { tags: ['US', 'eu'] });
    await manage(`PATCH /api-keys/${id}`, { tags: ['EU', 'us'] });
    const events = await readAuditEvents(service, { organizationId: member.organizationId });
    expect(events.map(({ action, before, after }) => ({ action, before, after }))).toEqual(
      expect.arrayContaining([
        { action: 'api-key.create', before: null, after: { name: 'Tagged', tags: ['eu'] } },
        { action: 'api-key.update', before: { tags: ['eu'] }, after: { tags: ['eu', 'us'] } },
      ]),
    );
    expect(events.filter(({ action }) => action === 'api-key.update')).toHaveLength(1);
  });
});

describe('GET /api-keys?tag=', () => {
  it('should find the keys that have the tag, in any case', async () => {
    await create('First', ['production', 'eu']);
    await create('Second', ['production']);
    await create('Third', ['product']);
    await create('Fourth', []);
    expect(await namesOf('tag=production')).toEqual(['First', 'Second']);
    expect(await namesOf('tag=%20PRODUCTION')).toEqual(['First', 'Second']);
    expect(await namesOf('tag=eu&name=sec')).toEqual([]);
    expect(await namesOf('tag=unknown')).toEqual([]);
  });

  it('should find no key of another organization', async () => {
    await create('Foreign', ['production'], await createMember(service));
    expect(await namesOf('tag=production')).toEqual([]);
  });

  it.each(['', '%20', 'a,b', 'x'.repeat(51), 'a&tag=b', '%00'])('should reject %j', async (tag) => {
    const response = await manage(`GET /api-keys?tag=${tag}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [{ field: 'tag' }] });
  });
});

describe('GET /api-keys/tags', () => {
  it('should list the tags of the organization, those of the most keys first', async () => {
    await create('First', ['production', 'eu']);
    await create('Second', ['production', 'b']);
    await create('Foreign', ['foreign'], await createMember(service));
    const response = await manage('GET /api-keys/tags');
    expect(response.status).toBe(200);
    expect((response.body as ApiKeyTagListDto).tags).toEqual([
      { tag: 'production', apiKeyCount: 2 },
      { tag: 'b', apiKeyCount: 1 },
      { tag: 'eu', apiKeyCount: 1 },
    ]);
  });

  it('should require a session and the permission', async () => {
    expect((await call(service.url, 'GET /api-keys/tags')).status).toBe(401);
    const other = await createMember(service, { permissions: ['get-usage'] });
    expect((await manage('GET /api-keys/tags', undefined, other.token)).status).toBe(403);
  });
});
