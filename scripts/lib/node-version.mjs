const needed = [20, 19];

/** Ends the process with one sentence when this Node is too old for Keycard. */
export function requireSupportedNode() {
  if (isSupported(process.versions.node)) return;
  console.error('Keycard needs Node.js ' + needed.join('.') + ' or newer, and this is ' + process.versions.node + '.');
  process.exit(1);
}

/** Whether Keycard runs on this version of Node. */
export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}
