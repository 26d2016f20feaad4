import path from 'node:path';
import type { Plugin } from 'vite';

const usePattern = /\b(?:useWords|wordsOf)\(\s*'([\w-]+)'/g;

/** Returns the message areas that a module uses. */
export const areasOf = (code: string): readonly string[] => [
  ...new Set([...code.matchAll(usePattern)].map(([, area = '']) => area)),
];

const prefix = 'virtual:words/';

/** Vite plugin that adds the messages that a dashboard module uses to its imports, in the given languages. */
export function wordsPlugin(root: string, languages: readonly string[]): Plugin {
  const folder = path.join(root, 'src/dashboard');
  const words = path.join(folder, 'words');
  return {
    name: 'words',
    enforce: 'pre',
    resolveId: (source) => (source.startsWith(prefix) ? `\0${source}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      const area = id.slice(prefix.length + 1);
      const imports = languages.map((each) => `import ${each} from '${words}/${each}/${area}.json';`);
      return `import { addWords } from '${words}/words.ts';${imports.join('')}addWords('${area}', { ${languages} });`;
    },
    transform(code, id) {
      if (!id.startsWith(folder) || id === path.join(words, 'words.ts')) return null;
      const areas = areasOf(code);
      if (areas.length === 0) return null;
      return { code: code + areas.map((area) => `\nimport '${prefix}${area}';`).join(''), map: null };
    },
  };
}
