import { readFileSync } from 'fs';
import { join } from 'path';
import * as ts from 'typescript';

const ROOT = join(__dirname, '..', '..');
const sources = new Map<string, ts.SourceFile>();

/** What the documentation of a property says, without its default. */
export function propDescription(file: string, type: string, property: string): string {
  const source = sources.get(file) ?? ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  sources.set(file, source);
  const declaration = source.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === type);
  const member = declaration?.members.find(({ name }) => name?.getText(source) === property);
  const comment = member && ts.getJSDocCommentsAndTags(member).find(ts.isJSDoc)?.comment;
  const text = ts.getTextOfJSDocComment(comment);
  if (text === undefined) {
    throw new Error(`${file}: ${type}.${property} has no description`);
  }
  return text;
}
