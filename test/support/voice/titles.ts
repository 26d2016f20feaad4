import { filesBelow } from './files.ts';
import { isNode, literalText, type Node, sourceOf, walk } from './source.ts';
import type { Text } from './text.ts';

/** Returns the name of the called function: `it` for `it`, `it.each(rows)`, and `it.skipIf(condition)`. */
function calledName(callee: unknown): string {
  if (!isNode(callee)) return '';
  if (callee.type === 'Identifier') return String(callee['name']);
  if (callee.type === 'MemberExpression') return calledName(callee['object']);
  if (callee.type === 'CallExpression') return calledName(callee['callee']);
  return callee.type === 'TaggedTemplateExpression' ? calledName(callee['tag']) : '';
}

/** Returns the titles of `describe`, `it`, and `test`, prefixed with the function name: `it: rejects a negative amount`. */
export const titles = (): Text[] =>
  filesBelow('test', /\.test\.tsx?$/).flatMap((file) => {
    const source = sourceOf(file);
    const texts: Text[] = [];
    walk(source.program, (node: Node) => {
      if (node.type !== 'CallExpression') return;
      const name = calledName(node['callee']);
      const [title] = node['arguments'] as readonly unknown[];
      const text = literalText(title);
      if (text === undefined || !/^(?:describe|it|test)$/.test(name)) return;
      texts.push({
        kind: 'tests',
        place: `${file}:${source.lineAt(node.start)}`,
        text: `${name === 'test' ? 'it' : name}: ${text}`,
      });
    });
    return texts;
  });
