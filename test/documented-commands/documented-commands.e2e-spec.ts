import { existsSync } from 'node:fs';
import { followPage, isCommand, runBlocks } from './follow-page.js';
import type { Page } from './page.js';
import { backupPage } from './pages/backup.js';
import { operationsPage } from './pages/operations.js';
import { pagesWithRequests } from './pages/requests.js';
import { pagesWithStarts } from './pages/starts.js';
import { upgradingPage } from './pages/upgrading.js';
import { documents, readBlocks, readCommentedCommands } from './read-blocks.js';
import { kindOfReason, testsOfExamples } from './reasons.js';
import { SharedService } from './shared-service.js';
import { problemsIn, readNames } from './unrun-commands.js';

let service: SharedService;
const shared = () => service;

const pages: Page[] = [...pagesWithRequests(shared), ...pagesWithStarts(), operationsPage, backupPage(), upgradingPage];
const blocks = documents.flatMap(readBlocks);
/** Output and drawings. */
const pictures = ['text', 'mermaid'];

/** Why blocks weren't run. */
const reasons = blocks.filter(isCommand).flatMap(({ reason }) => reason ?? []);
let ran = 0;

function summarize(): string {
  const kinds = reasons.map((reason) => kindOfReason(reason) ?? reason);
  const counts = [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} ${kind}`);
  return `Documented commands: ${ran} blocks ran, ${reasons.length} did not: ${counts.join(', ')}.\n`;
}

describe('The blocks of documents', () => {
  beforeAll(async () => {
    service = await SharedService.start();
  });
  afterAll(async () => {
    await service.stop();
    process.stdout.write(summarize());
  });

  it.each(pages)('should do what $file says', async (page) => {
    const missing = await followPage(page);
    if (missing === undefined) ran += page.steps.length;
    else reasons.push(...page.steps.map(() => `${missing} is not installed`));
  });

  it('should all run, or have a reason from the list', () => {
    const expected = pages.map(({ file, steps }) => `${file}: ${steps.length}`);
    const found = documents.map((file) => `${file}: ${runBlocks(file).length}`);
    expect(found.filter((text) => !text.endsWith(' 0')).sort()).toEqual(expected.sort());
    expect(blocks.filter(({ reason }) => reason !== undefined && kindOfReason(reason) === undefined)).toEqual([]);
  });

  it('should be examples that a test covers, if they are not commands', () => {
    const examples = blocks.filter((block) => !isCommand(block) && !pictures.includes(block.language));
    const names = new Set(examples.map(({ file, language }) => `${file} ${language}`));
    expect([...names].sort()).toEqual(Object.keys(testsOfExamples).sort());
    expect(Object.values(testsOfExamples).filter((file) => !existsSync(file))).toEqual([]);
  });

  it('should use existing admin commands, services and resources where they are not run', () => {
    const names = readNames();
    const unrun = blocks.filter(({ reason }) => reason !== undefined).map(({ text }) => text);
    const commented = ['docker-compose.yml', 'deploy/systemd/keycard.service'].map(readCommentedCommands);
    const problems = [...unrun, ...commented].flatMap((commands) => problemsIn(commands, names));
    expect(problems).toEqual([]);
    expect(problemsIn('kubectl exec deployment/key -- npm run admin -- list', names)).toHaveLength(2);
    expect(problemsIn('docker compose exec -T --user node keycart sh', names)).toHaveLength(1);
  });
});
