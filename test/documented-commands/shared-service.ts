import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { openInstallation, setVariables } from './installation.js';
import type { Place } from './page.js';
import { Terminal } from './terminal.js';

/** A service that `npm start` started, for the pages that only send requests. */
export class SharedService {
  private constructor(private readonly installation: Place) {}

  static async start(): Promise<SharedService> {
    const installation = await openInstallation();
    await writeFile(path.join(installation.folder, 'models.yaml'), 'services: [search, reports]\n');
    const { status, printed, errors } = await installation.terminal.run('MODELS_FILE=models.yaml npm start');
    if (status !== 0) throw new Error(`Keycard did not start:\n${printed}${errors}`);
    return new SharedService(installation);
  }

  /** Opens a terminal in a new folder. */
  async open(replaced: Record<string, string> = {}): Promise<Place> {
    const { url } = this.installation;
    const temporary = await makeTemporaryFolder();
    const folder = path.join(temporary.path, 'keycard');
    await mkdir(folder);
    await cp('docs/examples', path.join(folder, 'docs/examples'), { recursive: true });
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    const terminal = await Terminal.open(temporary.path, folder, {});
    return {
      terminal,
      folder,
      url,
      replaced: { 'http://127.0.0.1:3000': url, 'https://keycard.example.com': url, ...replaced },
      remove: async () => {
        await terminal.close();
        await temporary.remove();
      },
    };
  }

  /** Opens a terminal with the token and the key of the README, and the id of the key. */
  async openWithKey(): Promise<Place> {
    const place = await this.open();
    await setVariables(place);
    return place;
  }

  stop(): Promise<void> {
    return this.installation.remove();
  }
}
