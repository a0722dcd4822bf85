// Prints what the compiler makes of every name: a line of JSON each, [name, [file, place], [file, place of a definition], ...].
// node compiler.js TYPESCRIPT FOLDER FILE...; places are UTF-16 units, files are below FOLDER.
const [typescript, folder, ...files] = process.argv.slice(2);
const ts = require(typescript);
const path = require('path');

const inside = new Set(files);
const options = { allowJs: true, noEmit: true, skipLibCheck: true, strict: true, target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, allowImportingTsExtensions: true,
  experimentalDecorators: true, jsx: ts.JsxEmit.Preserve };
const program = ts.createProgram(files.map((file) => path.join(folder, file)), options);
const checker = program.getTypeChecker();

function definition(node) {
  const asked = ts.isShorthandPropertyAssignment(node.parent) ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return asked && asked.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(asked) : asked;
}

function visit(source, node, file) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
  if (ts.isIdentifier(node)) {
    const symbol = definition(node);
    const names = ((symbol && symbol.declarations) || []).map(ts.getNameOfDeclaration).filter(Boolean);
    const places = names.map((name) => [path.relative(folder, name.getSourceFile().fileName), name.getStart()])
      .filter(([at]) => inside.has(at));
    if (symbol && !names.includes(node)) {
      console.log(JSON.stringify([node.text, [file, node.getStart(source)], ...places]));
    }
  }
  ts.forEachChild(node, (child) => visit(source, child, file));
}

for (const file of files) {
  const source = program.getSourceFile(path.join(folder, file));
  if (source) visit(source, source, file);
}
