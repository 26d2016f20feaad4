import { filesBelow } from './files.ts';
import { isNode, isType, type Node, sourceOf, walk } from './source.ts';
import type { Text } from './text.ts';

/** Returns the names that a declaration or parameter pattern binds. */
function boundNames(pattern: unknown): Node[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'ObjectPattern')
    return (pattern['properties'] as readonly Node[]).flatMap((property) =>
      boundNames(property.type === 'Property' ? property['value'] : property['argument']),
    );
  if (pattern.type === 'ArrayPattern') return (pattern['elements'] as readonly unknown[]).flatMap(boundNames);
  if (pattern.type === 'AssignmentPattern') return boundNames(pattern['left']);
  return pattern.type === 'RestElement' ? boundNames(pattern['argument']) : [];
}

export const names = (): Text[] =>
  ['src', 'test', 'examples', 'prisma']
    .flatMap((folder) => filesBelow(folder, /\.tsx?$/))
    .flatMap((file) => {
      const source = sourceOf(file);
      const texts: Text[] = [];
      walk(source.program, (node) => {
        if (isType(node)) return false;
        const bound = [
          ...(node.type === 'VariableDeclarator' || /^(?:Function|Class)/.test(node.type)
            ? boundNames(node['id'])
            : []),
          ...(Array.isArray(node['params']) ? node['params'].flatMap(boundNames) : []),
        ];
        for (const name of bound)
          texts.push({
            kind: 'names',
            place: `${file}:${source.lineAt(name.start)}`,
            text: String(name['name']),
          });
        return true;
      });
      return texts;
    });
