import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { type MessageTree, messageModule } from '../messages/compile.ts';

const usePattern = /\b(?:useWords|wordsOf)\(\s*'([\w-]+)'/g;

/** Returns the message areas that a module uses. */
export const areasOf = (code: string): readonly string[] => [
  ...new Set([...code.matchAll(usePattern)].map(([, area = '']) => area)),
];

const prefix = 'virtual:words/';

/**
 * Vite plugin that adds the messages that a dashboard module uses to its imports, in the given languages. The module `virtual:words/<area>` registers
 * the area, and `virtual:words/<area>/<language>` contains its compiled messages. They're separate from the JSON files, whose imports Vite's development
 * server doesn't resolve.
 */
export function wordsPlugin(root: string, languages: readonly string[]): Plugin {
  const folder = path.join(root, 'src/dashboard');
  const words = path.join(folder, 'words');
  return {
    name: 'words',
    enforce: 'pre',
    resolveId: (source) => (source.startsWith(prefix) ? `\0${source}` : null),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      const [area, language] = id.slice(prefix.length + 1).split('/');
      if (language !== undefined) {
        const file = path.join(words, language, `${area}.json`);
        this.addWatchFile(file);
        return messageModule(JSON.parse(await readFile(file, 'utf8')) as MessageTree, language);
      }
      const imports = languages.map((each, index) => `import words${index} from '${prefix}${area}/${each}';`);
      return `import { addWords } from '${words}/words.ts';${imports.join('')}addWords('${area}', { ${languages.map((each, index) => `'${each}': words${index}`)} });`;
    },
    transform(code, id) {
      if (!id.startsWith(folder) || id === path.join(words, 'words.ts')) return null;
      const areas = areasOf(code);
      if (areas.length === 0) return null;
      return { code: code + areas.map((area) => `\nimport '${prefix}${area}';`).join(''), map: null };
    },
  };
}
