import { readdir } from 'node:fs/promises';
import { call } from '../../setup/call.js';
import { password, signIn } from '../installation.js';
import type { Page, Place } from '../page.js';
import type { SharedService } from '../shared-service.js';

/** The pages that send requests to a running service. */
export function pagesWithRequests(service: () => SharedService): Page[] {
  const openWithKey = () => service().openWithKey();
  return [
    {
      file: 'README.md',
      open: () => service().open({ 'the printed password': password }),
      steps: [
        { responses: [200, 201, 200, 200, 200], prints: /"embedding":.*"markdown":.*"groups":/s },
        { before: setApiKey },
      ],
    },
    { file: 'docs/authorize.md', open: openWithKey, steps: [{ responses: [204], prints: /^x-keycard-key-id: /m }] },
    {
      file: 'docs/automation.md',
      open: () => openWithServiceAccount(service()),
      steps: [
        { responses: [200, 201, 200], prints: /^kc_\w+\n[\s\S]*Search indexer$/m },
        { responses: [200], prints: /"access_token":"/ },
        // The first block has created a key with this header, so this one gets its id and rotates it.
        { responses: [409, 200], prints: /^kc_\w+\n$/ },
      ],
    },
    { file: 'docs/embeddings.md', open: openWithKey, steps: [{ responses: [200], prints: /"embedding":\[/ }] },
    {
      file: 'docs/keys.md',
      open: openWithKey,
      steps: [
        { responses: [200] },
        { responses: [201], prints: /"key":"kc_/ },
        { responses: [200], prints: /"name":"My first key","hint":"kc_/ },
        { responses: [200], prints: /"updatedAt"/ },
        { responses: [200], prints: /"tags":\["production","search team"\]/ },
        { responses: [200], prints: /"notFoundIds":\[\]/ },
        { responses: [200], prints: /"notFoundIds":\[\]/ },
        { responses: [200], prints: /"notFoundIds":\[\]/ },
        { responses: [200], prints: /"key":"kc_/ },
      ],
    },
    {
      file: 'docs/leaked-keys.md',
      open: openWithKey,
      steps: [
        { responses: [200], prints: /"label":"true_positive"/ },
        { responses: [200], prints: /"onLeak":"delete"/ },
        {
          before: writeScannerReports,
          responses: [200],
          prints: /^\[\{"token_raw":"kc_\w+",[^{]*"label":"true_positive"\}\]$/,
        },
        { responses: [200], prints: /^\[\{"token_raw":"kc_\w+",[^{]*"label":"true_positive"\}\]$/ },
      ],
    },
    {
      file: 'docs/limits-reference.md',
      open: openWithKey,
      steps: [
        { responses: [201, 200, 200, 429], prints: /insufficient_quota|exhausted|tokens/ },
        { responses: [200], prints: /"updatedAt"/ },
        { responses: [200], prints: /"timeZone":"Europe\/Berlin"/ },
      ],
    },
    {
      file: 'docs/organizations.md',
      open: () => service().open({ '"password": "…"}\' | jq': `"password": "${password}"}' | jq` }),
      steps: [
        { responses: [200, 201, 200] },
        { responses: [200, 200], prints: /"name": "Key manager"/ },
        { responses: [200, 200, 201, 200, 200] },
        { responses: [200, 201, 200, 201, 200, 201], prints: /^(http\S+#token=\S+\n){3}$/ },
        { before: inviteAgain, responses: [200], prints: /"accessToken"/ },
        { responses: [200, 200, 200, 200, 200, 200], prints: /"email": "bob@example.com"/ },
        { responses: [200] },
        { responses: [200] },
        { responses: [200] },
      ],
    },
    {
      file: 'docs/usage.md',
      open: openWithKey,
      steps: [
        { responses: [200], prints: /"groups":\[/ },
        { responses: [200], after: hasDownloadedUsage },
        { responses: [200], prints: /"failures":\[/ },
        { responses: [200], prints: /"failures":\[/ },
        { responses: [200], prints: /"requests":\[/ },
        { responses: [200], prints: /"apiKeys":\[/ },
      ],
    },
  ];
}

/** The example of the README ends with its data. */
async function setApiKey({ terminal }: Place): Promise<void> {
  await terminal.run('export KEYCARD_API_KEY=$KEY');
}

async function hasDownloadedUsage({ folder }: Place): Promise<void> {
  expect((await readdir(folder)).filter((name) => name.endsWith('.csv'))).toHaveLength(1);
}

/** What gitleaks and TruffleHog write when they find the key. */
async function writeScannerReports({ terminal }: Place): Promise<void> {
  await terminal.run(
    `echo '[{"RuleID":"keycard-api-key","Secret":"'$KEY'","Link":""},{"RuleID":"generic","Secret":"x"}]' > leaks.json`,
  );
  await terminal.run(`echo '{"DetectorName":"CustomRegex","Raw":"'$KEY'"}' > leaks.jsonl`);
}

async function openWithServiceAccount(service: SharedService): Promise<Place> {
  const place = await service.open();
  const token = await signIn(place);
  const { body: list } = await call(place.url, 'GET /roles', { token });
  const role = (list as { roles: { id: string; name: string }[] }).roles.find(({ name }) => name === 'Key manager');
  const body = { name: 'CI', roleId: role?.id };
  const created = await call(place.url, 'POST /service-accounts', { token, body });
  const { clientId, clientSecret } = created.body as { clientId: string; clientSecret: string };
  await place.terminal.set({ CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, CI_PIPELINE_ID: '1' });
  return place;
}

/** Accepts the first invitation in the place of Ada, and has the others accepted as well. */
async function inviteAgain({ terminal, replaced, url }: Place): Promise<void> {
  const { printed } = await terminal.run('for name in ada bob eve; do invite $name@example.com Auditor; done');
  const [ada = '', bob = '', eve = ''] = [...printed.matchAll(/#token=(\S+)/g)].map(([, token]) => token ?? '');
  replaced['"token": "…", "name": "Ada Lovelace", "password": "…"'] =
    `"token": "${ada}", "name": "Ada Lovelace", "password": "${password}"`;
  for (const token of [bob, eve]) {
    await call(url, 'POST /auth/accept-invitation', { body: { token, name: 'A member', password } });
  }
}
