import path from 'node:path';
import type { Plugin } from 'vite';

const usePattern = /\buseWords<[^()]*>\(\s*'([\w-]+)'/g;

/** The areas whose words a module uses. */
export const areasOf = (code: string): readonly string[] => [
  ...new Set([...code.matchAll(usePattern)].map(([, area = '']) => area)),
];

/** Has each module of the dashboard ask for its words as soon as it is read: they are there when its parts are drawn. */
export function wordsPlugin(root: string): Plugin {
  const folder = path.join(root, 'src/dashboard');
  const words = path.join(folder, 'words/words.ts');
  return {
    name: 'words',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(folder) || id === words) return null;
      // Those of the frame are loaded before it is drawn.
      const areas = areasOf(code).filter((area) => !frameAreas.includes(area));
      if (areas.length === 0) return null;
      const calls = areas.map((area) => `loadWords('${area}');`).join('');
      return { code: `${code}\nimport { loadWords } from '${words}';${calls}`, map: null };
    },
  };
}

/** The areas of what is around every page, which `src/dashboard/main.tsx` loads. */
export const frameAreas: readonly string[] = ['shell', 'titles', 'kit'];
