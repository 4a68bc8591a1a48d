const needed = [20, 19];

/** Exits with an error message if this Node.js is too old. */
export function requireSupportedNode() {
  if (isSupported(process.versions.node)) return;
  console.error('Keycard needs Node.js ' + needed.join('.') + ' or newer; this is ' + process.versions.node + '.');
  process.exit(1);
}

/** Whether Keycard supports this Node.js version. */
export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}
