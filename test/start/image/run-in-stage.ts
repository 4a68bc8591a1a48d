import { chmodSync, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const isRoot = process.getuid?.() === 0;

/** Hold the programs of the base image, here those of this machine. */
const systemFolders = ['/bin', '/lib', '/lib32', '/lib64', '/sbin', '/usr', path.dirname(process.execPath)];

/** Mounts the system, then makes the folder the root of the program. `$1`: the folder; `$2`: whether it's read-only. */
const enter = `
set -eu
root=$1 access=$2
shift 2
mount --bind "$root" "$root"
for folder in ${systemFolders.join(' ')} /proc /dev; do
  [ ! -d "$folder" ] || [ -L "$folder" ] || mount --rbind "$folder" "$root$folder"
done
if [ "$access" = read-only ]; then
  mount --bind "$root/data" "$root/data"
  mount -t tmpfs tmpfs "$root/tmp"
  mount -o remount,bind,ro "$root"
fi
exec chroot "$root" /bin/sh -c 'cd /app && exec "$@"' sh "$@"
`;

/** Adds what the base image has: mount points for the system, and the users root and node. */
export function addBase(root: string): void {
  for (const folder of ['proc', 'dev', 'tmp', 'etc', 'root', 'home/node']) {
    mkdirSync(path.join(root, folder), { recursive: true });
  }
  chmodSync(path.join(root, 'tmp'), 0o1777);
  for (const folder of systemFolders.filter((one) => existsSync(one))) {
    // /lib and others are often links to folders in /usr.
    if (lstatSync(folder).isSymbolicLink()) symlinkSync(readlinkSync(folder), path.join(root, folder));
    else mkdirSync(path.join(root, folder), { recursive: true });
  }
  writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  writeFileSync(path.join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
}

/** Returns the command that runs a program with the folder as its root. Only root can run it. */
export function inStage(root: string, argv: string[], access: 'writable' | 'read-only'): string[] {
  return ['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', enter, 'sh', root, access, ...argv];
}
