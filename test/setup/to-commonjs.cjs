const ts = require('typescript');

/** A Jest transformer: ES module source in, CommonJS out. */
module.exports = {
  process: (source, fileName) => ({
    code: ts.transpileModule(source, {
      fileName,
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, allowJs: true },
    }).outputText,
  }),
};
