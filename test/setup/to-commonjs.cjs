const { createHash } = require('node:crypto');
const ts = require('typescript');

/** A Jest transformer for ES modules: unchanged for `import`, CommonJS for `require`. */
module.exports = {
  getCacheKey: (source, fileName, { supportsStaticESM, configString }) =>
    createHash('sha256')
      .update(JSON.stringify([source, fileName, supportsStaticESM, configString]))
      .digest('hex'),
  process: (source, fileName, { supportsStaticESM }) => {
    if (supportsStaticESM) return { code: source };
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, allowJs: true };
    return { code: ts.transpileModule(source, { fileName, compilerOptions }).outputText };
  },
};
